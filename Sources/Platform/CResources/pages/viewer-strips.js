// The two strips: scrolling boxes of which only the cells near the view exist. They draw; who leads whom is for viewer.js.

import { clamp, element } from './common.js';
import { FILM, bigLayout, filmLayout, filmLength, filmWindow, fitted, screens } from './viewer-geometry.js';
import { blank, fetchPicture, showHash, stepped } from './viewer-pictures.js';

/** The label of a page comes with its facts. */
const call = (image, name) => { if (image.alt !== name) image.alt = name; };

/** A box that scrolls sideways. `moved` hears of it while the strip is bound. */
class Strip {
  #listener;
  isBound = false;

  constructor(box, content, moved) {
    [this.box, this.content, this.cells] = [box, content, new Map()];
    this.#listener = () => { [this.offset, this.rest] = [box.scrollLeft, 0]; moved(); };
    /** Where the strip is, and what the box could not scroll of it. */
    [this.offset, this.rest] = [0, 0];
  }

  bind() {
    if (!this.isBound) this.box.addEventListener('scroll', this.#listener, { passive: true });
    this.isBound = true;
  }

  unbind() {
    this.box.removeEventListener('scroll', this.#listener);
    this.isBound = false;
  }

  /** Between pixels: `offset` is exact, the box scrolls to the nearest. Reads the box at once, as later it would be laid out again. */
  scrollTo(offset) {
    this.offset = offset;
    this.box.scrollLeft = Math.round(offset);
    this.rest = this.box.scrollLeft - offset;
  }

  measure() { [this.width, this.height] = [this.box.clientWidth, this.box.clientHeight]; }

  /** Makes the cells of `indices` with `make`, and removes the others. */
  keep(indices, make) {
    for (const [index, cell] of this.cells) {
      if (indices.includes(index)) continue;
      cell.element.remove();
      this.cells.delete(index);
    }
    for (const index of indices) {
      if (this.cells.has(index)) continue;
      const cell = make(index);
      this.cells.set(index, cell);
      const next = [...this.cells.keys()].filter(other => other > index).sort((a, b) => a - b)[0];
      this.content.insertBefore(cell.element, next === undefined ? null : this.cells.get(next).element);
    }
  }

  clear() {
    for (const cell of this.cells.values()) cell.element.remove();
    this.cells.clear();
  }
}

export class FilmStrip extends Strip {
  rate = 1;
  change = null;

  constructor(model, moved) {
    const content = element('div', { className: 'length' });
    content.setAttribute('role', 'presentation');
    const box = element('div', { className: 'film', tabIndex: 0 }, content);
    box.setAttribute('role', 'listbox');
    box.setAttribute('aria-orientation', 'horizontal');
    box.setAttribute('aria-label', 'Pages');
    super(box, content, moved);
    this.model = model;
  }

  measure() {
    super.measure();
    this.content.style.width = `${filmLength(this.width, this.model.count)}px`;
  }

  render() {
    const { model, width, offset, rest } = this;
    const range = filmWindow(offset, width, model.count);
    const indices = Array.from({ length: range[1] - range[0] }, (_, k) => range[0] + k);
    if (!indices.includes(model.active) && model.count) indices.push(model.active);
    this.keep(indices, index => this.#make(index));
    const ratioOf = index => model.ratio(index);
    const cells = filmLayout({ offset, width, rate: this.rate, ratioOf, indices, count: model.count, change: this.change });
    for (const { index, x, width } of cells) {
      const cell = this.cells.get(index), { style } = cell.element;
      style.transform = `translateX(${x + rest}px)`;
      style.width = `${Math.max(0, width)}px`;
      showHash(cell, cell.element, model.pages[index]);
      call(cell.element, model.name(index));
    }
  }

  select(active) {
    for (const [index, { element }] of this.cells) element.setAttribute('aria-selected', index === active);
    this.box.setAttribute('aria-activedescendant', `thumb-${active + 1}`);
  }

  #make(index) {
    const { model } = this;
    const picture = element('img', { id: `thumb-${index + 1}`, draggable: false, decoding: 'async' });
    picture.setAttribute('role', 'option');
    picture.setAttribute('aria-selected', index === model.active);
    picture.setAttribute('aria-setsize', model.count);
    picture.setAttribute('aria-posinset', index + 1);
    picture.dataset.index = index;
    const cell = { element: picture };
    picture.addEventListener('load', () => {
      if (picture.src === blank) return;
      model.learn(index, picture.naturalWidth / picture.naturalHeight);
      showHash(cell, picture, null);
    });
    picture.addEventListener('error', () => { picture.src = blank; }, { once: true });
    picture.src = model.address(index, { height: stepped(FILM.height), width: 4 * stepped(FILM.height), fit: 'inside' });
    return cell;
  }

  refresh(index) {
    this.cells.get(index)?.element.remove();
    this.cells.delete(index);
  }
}

export class BigStrip extends Strip {
  constructor(model, moved, failed) {
    const content = element('div', { className: 'length' });
    const box = element('div', { className: 'big', tabIndex: 0, role: 'group', ariaLabel: 'The page' }, content);
    super(box, content, moved);
    [this.model, this.failed] = [model, failed];
  }

  get screenCount() { return screens.count(this.model.count, this.model.isPaired); }

  measure() {
    super.measure();
    this.content.style.width = `${this.screenCount * this.width}px`;
  }

  /** The pages of a screen, by index. */
  pagesOf(screen) {
    const { isPaired, count } = this.model;
    const first = screens.first(screen, isPaired);
    return isPaired && screen && first + 1 < count ? [first, first + 1] : [first];
  }

  /** The rectangles of the pages of a screen. */
  rectangles(screen) {
    const pages = this.pagesOf(screen), { model, width, height } = this;
    const ratios = pages.map(index => model.ratio(index));
    const margin = width < 600 ? 0 : 16;
    const whole = ratios.reduce((sum, ratio) => sum + ratio, 0);
    const all = fitted(whole, width - 2 * margin, height - 2 * margin);
    let x = all.x + margin;
    return pages.map((index, k) => {
      const box = { index, x, y: all.y + margin, width: ratios[k] * all.height, height: all.height };
      x += box.width;
      return box;
    });
  }

  render() {
    if (!this.width || !this.model.count) return;
    const { rest } = this, middle = clamp(Math.round(this.offset / this.width), 0, this.screenCount - 1);
    const near = [middle - 1, middle, middle + 1].filter(screen => screen >= 0 && screen < this.screenCount);
    this.keep(near, screen => this.#make(screen));
    for (const screen of near) {
      const { element, cell, boxes } = this.cells.get(screen);
      const { p, cell: shift, picture } = bigLayout(screen, this.offset, this.width);
      element.style.left = `${screen * this.width + rest}px`;
      element.style.width = `${this.width}px`;
      element.ariaHidden = Math.abs(p) > 0.5;
      cell.style.transform = `translateX(${shift}px)`;
      this.rectangles(screen).forEach((box, k) => {
        const { mask, image } = boxes[k];
        Object.assign(mask.style, {
          left: `${box.x}px`, top: `${box.y}px`, width: `${box.width}px`, height: `${box.height}px` });
        image.style.transform = `translateX(${picture}px)`;
        showHash(boxes[k], image, this.model.pages[box.index]);
        call(image, this.model.name(box.index));
        this.#load(boxes[k], box);
      });
    }
  }

  refresh(index) {
    for (const [screen, { element }] of this.cells) {
      if (!this.pagesOf(screen).includes(index)) continue;
      element.remove();
      this.cells.delete(screen);
    }
  }

  #make(screen) {
    const boxes = this.pagesOf(screen).map(index => {
      const image = element('img', { src: blank, draggable: false, decoding: 'async' });
      const mask = element('div', { className: 'mask' }, image);
      return { index, mask, image, sought: '' };
    });
    const cell = element('div', { className: 'cell' }, ...boxes.map(box => box.mask));
    return { element: element('div', { className: 'screen' }, cell), cell, boxes };
  }

  /** Half of the size first, then all device pixels. */
  #load(box, { index, width, height }) {
    const full = this.address(index, width, height);
    if (box.sought === full) return;
    box.sought = full;
    const show = url => {
      if (box.sought !== full) return;
      box.image.src = url;
      showHash(box, box.image, null);
      box.mask.classList.add('shown');
    };
    const whole = fetchPicture(full);
    let isWhole = false;
    whole.then(() => { isWhole = true; show(full); }, () => { if (box.sought === full) this.failed(index, full); });
    if (box.image.src === blank) {
      const half = this.address(index, width / 2, height / 2);
      fetchPicture(half).then(() => { if (!isWhole) show(half); }, () => {});
    }
  }

  address(index, width, height) {
    return this.model.address(index, { width: stepped(width), height: stepped(height), fit: 'inside' });
  }

  /** Has the pictures of the screens beside `screen` fetched, two on each side. */
  prefetch(screen) {
    for (const near of [screen + 1, screen - 1, screen + 2, screen - 2]) {
      if (near < 0 || near >= this.screenCount) continue;
      for (const box of this.rectangles(near)) {
        fetchPicture(this.address(box.index, box.width, box.height), 'low').catch(() => {});
      }
    }
  }
}
