// The picture: as the address makes it, or whole, to drag a crop or to set a focal point on it.

import { clamp, element } from './common.js';
import { encoded } from './playground-query.js';

const round = (value, places) => Number(value.toFixed(places));
/** A rectangle of `crop` is fractions where one of its numbers has a point. */
const withPoint = value => (Number.isInteger(value) ? value.toFixed(1) : String(value));

/** `page` has `values(name)`, `change(name, values)`, `facts`, `token`, `storeFocus(point)`, `say(words)`. */
export class Stage {
  mode = 'result'; #rect; #point; #url; #drag;

  constructor(page) {
    this.page = page;
    this.picture = element('img', { className: 'result', alt: '' });
    this.whole = element('img', { className: 'whole', alt: '', draggable: false, hidden: true });
    this.selection = element('div', { className: 'selection', hidden: true });
    this.cross = element('div', { className: 'cross', hidden: true });
    this.sheet = element('div', { className: 'sheet', tabIndex: -1 }, this.whole, this.selection, this.cross);
    this.text = element('pre', { className: 'answer small', hidden: true, tabIndex: 0 });
    this.notice = element('div', { className: 'notice', role: 'alert', hidden: true });
    this.area = element('div', { className: 'area' }, this.picture, this.sheet, this.text, this.notice);
    this.modes = ['result', 'crop', 'focus'].map(mode => {
      const words = { result: 'Picture', crop: 'Crop', focus: 'Focal point' }[mode];
      const button = element('button', { type: 'button', textContent: words, 'aria-pressed': mode === 'result' });
      button.onclick = () => this.setMode(mode);
      return { mode, button };
    });
    this.hint = element('p', { className: 'hint small muted' });
    this.forget = element('button', { type: 'button', className: 'quiet small', textContent: 'Remove the stored point', hidden: true });
    this.forget.onclick = () => page.storeFocus(undefined);
    this.viewer = element('a', { className: 'leaf small', textContent: 'Open in the viewer' });
    this.facts = element('p', { className: 'facts', role: 'status' });
    this.tools = element('div', { className: 'segments', role: 'group', 'aria-label': 'What a drag on the picture does' }, ...this.modes.map(({ button }) => button));
    this.box = element('figure', { className: 'stage' }, this.area,
      element('figcaption', {}, this.tools, this.facts, this.viewer, this.hint, this.forget));
    this.#listen();
  }

  // MARK: Results

  /** A picture that has come. */
  show(url, facts) {
    const old = this.#url;
    this.#url = url;
    this.picture.src = url;
    this.picture.alt = facts.join(', ');
    this.picture.onload = () => { if (old) URL.revokeObjectURL(old); };
    this.facts.replaceChildren(...facts.map(fact => element('span', { textContent: fact })));
    this.#state('picture');
  }

  showText(text, facts) {
    this.text.textContent = text;
    this.facts.replaceChildren(...facts.map(fact => element('span', { textContent: fact })));
    this.#state('text');
  }

  refuse(title, detail) {
    this.facts.replaceChildren();
    this.notice.replaceChildren(element('strong', { textContent: title }), element('p', { textContent: detail ?? '' }));
    this.#state('notice');
  }

  wait() { this.box.classList.add('waiting'); }
  done() { this.box.classList.remove('waiting'); }

  #state(state) {
    this.done();
    // A picture that cannot be made leaves the last one in its place, so that nothing jumps while an address is typed.
    this.box.classList.toggle('refused', state === 'notice');
    this.picture.hidden = state === 'text' || !this.#url;
    this.text.hidden = state !== 'text';
    this.notice.hidden = state !== 'notice';
  }

  // MARK: Modes

  setMode(mode) {
    this.mode = mode;
    this.box.dataset.mode = mode;
    for (const one of this.modes) one.button.setAttribute('aria-pressed', one.mode === mode);
    const isWhole = mode !== 'result';
    this.whole.hidden = !isWhole;
    this.sheet.tabIndex = isWhole ? 0 : -1;
    this.sheet.setAttribute('role', isWhole ? 'application' : 'presentation');
    if (isWhole) this.sheet.setAttribute('aria-label', mode === 'crop' ? 'Crop: arrows move it, with Shift they size it' : 'Focal point: arrows move it, Enter sets it');
    else this.sheet.removeAttribute('aria-label');
    this.hint.textContent = {
      result: '', crop: 'Drag over the picture; arrows move the region, with Shift they size it.',
      focus: this.page.token ? 'Click what crops shall keep: it is stored for this picture, and used by gravity=focus.'
        : 'Click what crops shall keep. With a token it is stored for the picture; now it goes into the address.',
    }[mode];
    this.update();
    if (isWhole) this.sheet.focus({ preventScroll: true });
  }

  /** After a change of the address. */
  update() {
    this.forget.hidden = this.mode !== 'focus' || !this.page.token || !this.page.facts?.focalPoint.isStored;
    if (this.mode === 'result') {
      this.selection.hidden = this.cross.hidden = true;
      return;
    }
    const address = this.#base();
    if (this.whole.dataset.address !== address) {
      this.whole.dataset.address = address;
      this.whole.src = address;
    }
    if (!this.#drag) {
      this.#rect = this.mode === 'crop' ? this.#given() : undefined;
      this.#point = this.mode === 'focus' ? this.#givenPoint() : undefined;
    }
    this.#draw();
  }

  /** The picture that the crop or the point is of. */
  #base() {
    const { page, mode } = this, one = name => page.values(name)[0];
    let address = `/asset?id=${encoded(one('id') ?? '')}&width=1600&height=1600&fit=inside`;
    const kept = mode === 'crop' ? ['page', 'trim', 'rotate', 'flip'] : page.token ? ['page'] : ['page', 'trim', 'rotate', 'flip', 'crop'];
    for (const name of kept) {
      const value = one(name);
      const isKept = name === 'rotate' ? /^(none|auto|-?\d+)$/.test(value ?? '') && !(Number.parseInt(value, 10) % 90)
        : name !== 'crop' || /^[^,]+(,[^,]+){3}$/.test(value ?? '');
      if (value !== undefined && isKept) address += `&${name}=${encoded(value)}`;
    }
    return address;
  }

  /** Width and height of the picture that is cropped, where they are known. */
  #size() {
    const { page } = this, { facts } = page, turn = Number.parseInt(page.values('rotate')[0] ?? '0', 10);
    if (!facts || facts.points || page.values('trim').length || page.values('rotate')[0] === 'none') return undefined;
    return turn % 180 ? [facts.height, facts.width] : [facts.width, facts.height];
  }

  #given() {
    const numbers = (this.page.values('crop')[0] ?? '').split(',');
    if (numbers.length !== 4) return undefined;
    const [x, y, width, height] = numbers.map(Number), size = this.#size();
    if (numbers.some(number => number.includes('.'))) return { x, y, width, height };
    return size && { x: x / size[0], y: y / size[1], width: width / size[0], height: height / size[1] };
  }

  #givenPoint() {
    const [x, y] = (this.page.values('gravity')[0] ?? '').split('x').map(Number);
    if (Number.isFinite(x) && Number.isFinite(y) && !this.page.token) return { x, y };
    return this.page.facts?.focalPoint;
  }

  #draw() {
    const rect = this.#rect, point = this.#point;
    this.selection.hidden = this.mode !== 'crop' || !rect;
    if (rect) {
      const { style } = this.selection;
      [style.left, style.top] = [`${rect.x * 100}%`, `${rect.y * 100}%`];
      [style.width, style.height] = [`${rect.width * 100}%`, `${rect.height * 100}%`];
    }
    this.cross.hidden = this.mode !== 'focus' || !point;
    this.cross.classList.toggle('stored', Boolean(this.page.facts?.focalPoint.isStored));
    if (point) [this.cross.style.left, this.cross.style.top] = [`${point.x * 100}%`, `${point.y * 100}%`];
  }

  // MARK: Changing

  #write() {
    const rect = this.#rect, size = this.#size();
    if (!rect || rect.width < 0.002 || rect.height < 0.002) return this.page.change('crop', []);
    const numbers = size
      ? [rect.x * size[0], rect.y * size[1], Math.max(1, rect.width * size[0]), Math.max(1, rect.height * size[1])].map(Math.round)
      : [rect.x, rect.y, rect.width, rect.height].map(value => withPoint(round(value, 4)));
    this.page.change('crop', [numbers.join(',')]);
  }

  #place(point) {
    this.#point = { x: round(clamp(point.x, 0, 1), 3), y: round(clamp(point.y, 0, 1), 3) };
    this.#draw();
    const { page } = this;
    if (page.token) page.storeFocus(this.#point);
    else page.useFocus(`${this.#point.x}x${this.#point.y}`);
  }

  #at(event) {
    const box = this.whole.getBoundingClientRect();
    return { x: clamp((event.clientX - box.left) / box.width, 0, 1), y: clamp((event.clientY - box.top) / box.height, 0, 1) };
  }

  #listen() {
    const { sheet } = this;
    sheet.onpointerdown = event => {
      if (this.mode === 'result' || event.button !== 0) return;
      event.preventDefault();
      sheet.focus({ preventScroll: true });
      const at = this.#at(event);
      if (this.mode === 'focus') return this.#place(at);
      sheet.setPointerCapture(event.pointerId);
      const rect = this.#rect, near = 14 / Math.max(1, this.whole.clientWidth), nearY = 14 / Math.max(1, this.whole.clientHeight);
      const corner = rect && [0, 1].flatMap(i => [0, 1].map(j => [i, j]))
        .find(([i, j]) => Math.abs(at.x - rect.x - i * rect.width) < near && Math.abs(at.y - rect.y - j * rect.height) < nearY);
      const isInside = rect && at.x > rect.x && at.x < rect.x + rect.width && at.y > rect.y && at.y < rect.y + rect.height;
      if (corner) this.#drag = { from: { x: rect.x + (1 - corner[0]) * rect.width, y: rect.y + (1 - corner[1]) * rect.height } };
      else this.#drag = isInside ? { moves: rect, from: at } : { from: at };
    };
    sheet.onpointermove = event => {
      const drag = this.#drag;
      if (!drag) return;
      const at = this.#at(event);
      if (drag.moves) {
        const { moves, from } = drag;
        this.#rect = { ...moves, x: clamp(moves.x + at.x - from.x, 0, 1 - moves.width), y: clamp(moves.y + at.y - from.y, 0, 1 - moves.height) };
      } else {
        const { from } = drag;
        this.#rect = { x: Math.min(from.x, at.x), y: Math.min(from.y, at.y), width: Math.abs(at.x - from.x), height: Math.abs(at.y - from.y) };
      }
      this.#draw();
    };
    sheet.onpointerup = sheet.onpointercancel = () => {
      if (!this.#drag) return;
      this.#drag = undefined;
      this.#write();
    };
    sheet.onkeydown = event => this.#key(event);
  }

  #key(event) {
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (event.key === 'Escape') return this.setMode('result');
    if (this.mode === 'focus' && (step || event.key === 'Enter')) {
      event.preventDefault();
      const { x, y } = this.#point ?? { x: 0.5, y: 0.5 };
      if (!step) return this.#place({ x, y });
      this.#point = { x: clamp(x + step[0] / 50, 0, 1), y: clamp(y + step[1] / 50, 0, 1) };
      this.#draw();
    } else if (this.mode === 'crop' && step) {
      event.preventDefault();
      const rect = this.#rect ?? { x: 0.1, y: 0.1, width: 0.8, height: 0.8 };
      const [dx, dy] = step.map(value => value / 50);
      this.#rect = event.shiftKey
        ? { ...rect, width: clamp(rect.width + dx, 0.02, 1 - rect.x), height: clamp(rect.height + dy, 0.02, 1 - rect.y) }
        : { ...rect, x: clamp(rect.x + dx, 0, 1 - rect.width), y: clamp(rect.y + dy, 0, 1 - rect.height) };
      this.#draw();
      this.#write();
    }
  }
}
