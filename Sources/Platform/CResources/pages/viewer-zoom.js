// Deep zoom: one page over the big strip, from tiles of 512 pixels that the server cuts from the original.

import { clamp, element, settled } from './common.js';
import { gestures, placeIn } from './gestures.js';

const TILE = 512, TILE_LIMIT = 80, SIDE_LIMIT = 4096;

export class Zoom {
  scale = 1;
  #x = 0; #y = 0; #page = -1; #tiles = new Map(); #isPinching = false; #frame = 0;
  #stand = settled(150, () => { this.sheet.style.willChange = ''; });

  /** `boxOf(x, y)` is the page at a place of the stage: {index, x, y, width, height}. */
  constructor(stage, model, boxOf, changed) {
    [this.stage, this.model, this.boxOf, this.changed] = [stage, model, boxOf, changed];
    this.base = element('img', { alt: '', draggable: false });
    this.sheet = element('div', { className: 'sheet' }, this.base);
    this.layer = element('div', { className: 'zoom', hidden: true }, this.sheet);
    stage.append(this.layer);
    stage.addEventListener('wheel', event => this.#wheel(event), { passive: false });
    stage.addEventListener('dblclick', event => {
      if (event.target.closest('button')) return;
      const at = placeIn(stage, event);
      if (this.isOpen) this.close(); else this.by(Math.min(this.#most(this.boxOf(at.x, at.y)), 3), at);
    });
    // The strip beneath would scroll with two fingers.
    for (const kind of ['touchstart', 'touchmove'])
      stage.addEventListener(kind, event => { if (event.touches.length === 2) event.preventDefault(); }, { passive: false });
    gestures(stage, {
      takes: event => this.layer.contains(event.target),
      drag: (dx, dy) => { if (this.isOpen) this.pan(dx, dy); },
      pinch: (factor, at, dx, dy) => {
        this.#isPinching = true;
        if (this.isOpen) this.pan(dx, dy);
        this.by(factor, at);
      },
      end: left => {
        if (!this.#isPinching || left === 2) return;
        this.#isPinching = false;
        if (this.scale < 1.05) this.close();
      },
    });
  }

  get isOpen() { return !this.layer.hidden; }

  close() {
    if (!this.isOpen) return;
    this.scale = 1;
    this.layer.hidden = true;
    this.#clear();
    this.changed();
  }

  /** The page, and what is in view of it as `crop` has it; undefined while it is closed. */
  get part() {
    if (!this.isOpen) return undefined;
    const { box, scale, stage } = this;
    const edges = (at, length, room) => [-at, room - at].map(edge => Math.round(clamp(edge / length / scale, 0, 1) * 1e4) / 1e4);
    const [left, right] = edges(this.#x, box.width, stage.clientWidth), [top, bottom] = edges(this.#y, box.height, stage.clientHeight);
    return { index: box.index, crop: [left, top, right - left, bottom - top].map(share => share.toFixed(4)).join(',') };
  }

  /** Zooms by `factor` about a place of the stage; its middle unless told. */
  by(factor, at = { x: this.stage.clientWidth / 2, y: this.stage.clientHeight / 2 }) {
    if (!this.isOpen) {
      if (factor <= 1) return;
      this.#open(this.boxOf(at.x, at.y));
    }
    const scale = clamp(this.scale * factor, 1, this.#most(this.box));
    if (scale <= 1.001 && factor < 1 && !this.#isPinching) return this.close();
    const grown = scale / this.scale;
    this.#x = at.x - (at.x - this.#x) * grown;
    this.#y = at.y - (at.y - this.#y) * grown;
    this.scale = scale;
    this.#arrange();
    this.changed();
  }

  pan(dx, dy) {
    this.#x += dx;
    this.#y += dy;
    this.#arrange();
  }

  /** Up to two device pixels for a pixel of the original; drawings have no end, but for sixteen. */
  #most(box) {
    if (this.model.isDrawing) return 16;
    const size = this.model.size(box.index);
    return size ? Math.max(1.5, 2 * size.width / (box.width * devicePixelRatio)) : 4;
  }

  #open(box) {
    this.box = box;
    [this.#x, this.#y, this.#page] = [box.x, box.y, box.index];
    Object.assign(this.sheet.style, { width: `${box.width}px`, height: `${box.height}px` });
    // What the strip shows, until the whole page is there.
    const shown = this.model.shown(box.index);
    this.base.style.backgroundImage = shown?.style.backgroundImage || (shown ? `url("${shown.currentSrc}")` : '');
    this.base.src = this.model.whole(box);
    this.layer.hidden = false;
  }

  #arrange() {
    const { box, scale, stage } = this;
    // The picture covers the middle, or is in it where it is smaller than the stage.
    const bound = (at, length, room) => (length <= room ? (room - length) / 2 : clamp(at, room - length, 0));
    this.#x = bound(this.#x, box.width * scale, stage.clientWidth);
    this.#y = bound(this.#y, box.height * scale, stage.clientHeight);
    // Moved as it is drawn; once it stands, drawn again at its scale.
    this.sheet.style.willChange = 'transform';
    this.#stand();
    this.sheet.style.transform = `translate(${this.#x}px, ${this.#y}px) scale(${scale})`;
    cancelAnimationFrame(this.#frame);
    this.#frame = requestAnimationFrame(() => this.#tile());
  }

  /** Asks for the tiles in view, of the level that has a pixel for each device pixel. */
  #tile() {
    const { box, scale, stage, model } = this, size = model.size(box.index);
    if (!this.isOpen || !size || scale <= 1) return;
    const perPixel = size.width / box.width, wanted = perPixel / (scale * devicePixelRatio);
    // Drawings are made larger than they are.
    const level = model.isDrawing ? Math.floor(Math.log2(wanted)) : Math.max(0, Math.floor(Math.log2(wanted)));
    // A look that shades by place would shade every tile: its page comes as one.
    const side = model.isShaded(box.index) ? Math.max(size.width, size.height) : TILE * 2 ** level;
    const from = (at, count) => clamp(Math.floor(-at / scale * perPixel / side), 0, count);
    const to = (at, room, count) => clamp(Math.ceil((room - at) / scale * perPixel / side), 0, count);
    const columns = Math.ceil(size.width / side), rows = Math.ceil(size.height / side);
    const inView = new Set();
    for (let y = from(this.#y, rows); y < to(this.#y, stage.clientHeight, rows); y++)
      for (let x = from(this.#x, columns); x < to(this.#x, stage.clientWidth, columns); x++) inView.add(`${level}/${x}/${y}`);
    for (const key of inView) {
      if (this.#tiles.has(key)) continue;
      const [, x, y] = key.split('/').map(Number);
      const crop = {
        left: x * side, top: y * side,
        width: Math.min(side, size.width - x * side), height: Math.min(side, size.height - y * side) };
      const tile = element('img', { alt: '', draggable: false, decoding: 'async' });
      const shrink = Math.min(2 ** -level, SIDE_LIMIT / Math.max(crop.width, crop.height));
      const part = value => (model.isDrawing ? value.toFixed(6) : value);
      const [cx, cy, cw, ch] = model.isDrawing
        ? [crop.left / size.width, crop.top / size.height, crop.width / size.width, crop.height / size.height]
        : [crop.left, crop.top, crop.width, crop.height];
      tile.src = model.address(box.index, {
        crop: [cx, cy, cw, ch].map(part).join(','), width: Math.max(1, Math.ceil(crop.width * shrink)) });
      Object.assign(tile.style, {
        left: `${crop.left / perPixel}px`, top: `${crop.top / perPixel}px`,
        width: `${crop.width / perPixel}px`, height: `${crop.height / perPixel}px` });
      tile.addEventListener('error', () => { tile.remove(); this.#tiles.delete(key); });
      this.#tiles.set(key, tile);
      this.sheet.append(tile);
    }
    // Sharper tiles lie over those of other levels; the oldest go, but none that is in view: a large screen has more than the limit.
    for (const [key, tile] of this.#tiles) {
      if (this.#tiles.size <= TILE_LIMIT) break;
      if (inView.has(key)) continue;
      tile.remove();
      this.#tiles.delete(key);
    }
  }

  #clear() {
    for (const tile of this.#tiles.values()) tile.remove();
    this.#tiles.clear();
  }

  #wheel(event) {
    const isSideways = Math.abs(event.deltaX) > Math.abs(event.deltaY);
    if (isSideways && !this.isOpen && !event.ctrlKey) return;
    event.preventDefault();
    if (isSideways && this.isOpen && !event.ctrlKey) return this.pan(-event.deltaX, 0);
    const lines = event.deltaMode === 1 ? 16 : 1;
    this.by(Math.exp(-event.deltaY * lines * (event.ctrlKey ? 0.01 : 0.002)), placeIn(this.stage, event));
  }
}
