// A map of tiles to pan and zoom. Levels count for a world of 256 pixels, as in /tiles and `zoom` of /map.

import { clamp, element } from './common.js';
import { gestures, placeIn } from './gestures.js';

const SIDE = 256, EDGE = 85.0511287798066, KEPT = 4;

/** Where a place is in a world that is 1 wide. */
export const toWorld = ({ lat, lon }) => {
  const sine = Math.sin(clamp(lat, -EDGE, EDGE) * Math.PI / 180);
  return { x: lon / 360 + 0.5, y: 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI) };
};
export const toPlace = ({ x, y }) => ({
  lat: Math.atan(Math.sinh(Math.PI * (1 - 2 * y))) * 180 / Math.PI, lon: (((x % 1) + 1) % 1 - 0.5) * 360,
});

export class Slippy {
  #tiles = new Map(); #center; #isDue = false;

  /** `address(z, x, y)` of a tile; `changed(place, zoom)` after each move by hand, `clicked(place)` after a click. */
  constructor({ address, center, zoom, minZoom = 0, maxZoom = 22, changed, clicked, label }) {
    Object.assign(this, { address, zoom: clamp(zoom, minZoom, maxZoom), minZoom, maxZoom, changed, clicked });
    this.#center = toWorld(center);
    this.sheet = element('div', { className: 'tiles', 'aria-hidden': 'true' });
    this.marks = element('div', { className: 'marks', 'aria-hidden': 'true' });
    const zoomBy = (words, text, delta) => {
      const button = element('button', { type: 'button', textContent: text, 'aria-label': words });
      button.onclick = () => this.zoomTo(Math.round(this.zoom + delta));
      return button;
    };
    this.pane = element('div', { className: 'pane', tabIndex: 0, role: 'application', 'aria-label': `${label}: arrows move it, + and − zoom` }, this.sheet, this.marks);
    this.box = element('div', { className: 'slippy' }, this.pane,
      element('div', { className: 'zooms' }, zoomBy('Zoom in', '+', 1), zoomBy('Zoom out', '−', -1)), this.credit = element('p', { className: 'credit' }));
    this.#listen();
    new ResizeObserver(() => this.draw()).observe(this.box);
  }

  get center() { return toPlace(this.#center); }
  get size() { return SIDE * 2 ** this.zoom; }

  show(center, zoom) {
    this.#center = toWorld(center);
    this.zoom = clamp(zoom, this.minZoom, this.maxZoom);
    this.draw();
  }

  /** Says whose data the tiles of `style` are made of, as their licenses want. */
  async attribute(style, signature = '') {
    const response = await fetch(`/tiles/${encodeURIComponent(style)}.json${signature}`).catch(() => undefined);
    const { attribution = '' } = response?.ok ? await response.json() : {};
    // Text and links, whatever else there is.
    const [whole, parts] = [new DOMParser().parseFromString(attribution, 'text/html').body, []];
    for (const node of whole.childNodes) {
      const href = node.nodeName === 'A' && /^https?:/.test(node.href) ? node.href : '';
      parts.push(href ? element('a', { href, textContent: node.textContent }) : node.textContent);
    }
    this.credit.replaceChildren(...parts);
  }

  /** All tiles anew, as they have other addresses. */
  refresh() {
    for (const tile of this.#tiles.values()) tile.remove();
    this.#tiles.clear();
    this.draw();
  }

  zoomTo(zoom, at) {
    const before = this.size, half = { x: this.box.clientWidth / 2, y: this.box.clientHeight / 2 }, point = at ?? half;
    this.zoom = clamp(zoom, this.minZoom, this.maxZoom);
    const shift = side => (point[side] - half[side]) * (1 / before - 1 / this.size);
    this.#center = { x: this.#center.x + shift('x'), y: this.#held(this.#center.y + shift('y')) };
    this.#changed();
  }

  panBy(x, y) {
    this.#center = { x: this.#center.x + x / this.size, y: this.#held(this.#center.y + y / this.size) };
    this.#changed();
  }

  /** No further than the edge of the world, where it fills the box. */
  #held(y) {
    const half = Math.min(0.5, this.box.clientHeight / 2 / this.size);
    return clamp(y, half, 1 - half);
  }

  /** The place under a point of the box, in pixels. */
  placeAt(x, y) {
    return toPlace({ x: this.#center.x + (x - this.box.clientWidth / 2) / this.size, y: this.#center.y + (y - this.box.clientHeight / 2) / this.size });
  }

  /** Where a place is in the box, in pixels; of all worlds side by side the one nearest to the middle. */
  pointOf(place) {
    const { x, y } = toWorld(place), wrapped = this.#center.x + (((x - this.#center.x + 0.5) % 1) + 1) % 1 - 0.5;
    return { x: (wrapped - this.#center.x) * this.size + this.box.clientWidth / 2, y: (y - this.#center.y) * this.size + this.box.clientHeight / 2 };
  }

  #changed() {
    this.draw();
    this.changed?.(this.center, this.zoom);
  }

  draw() {
    if (this.#isDue) return;
    this.#isDue = true;
    requestAnimationFrame(() => { this.#isDue = false; this.#draw(); });
  }

  #draw() {
    const { clientWidth: width, clientHeight: height } = this.box;
    if (!width || !height) return;
    const z = clamp(Math.round(this.zoom), this.minZoom, this.maxZoom), count = 2 ** z, side = this.size / count;
    const left = this.#center.x * count - width / 2 / side, top = this.#center.y * count - height / 2 / side;
    const wanted = new Set();
    for (let y = Math.max(0, Math.floor(top)); y < Math.min(count, top + height / side); y += 1) {
      for (let x = Math.floor(left); x < left + width / side; x += 1) {
        const name = `${z}/${x}/${y}`;
        wanted.add(name);
        let tile = this.#tiles.get(name);
        if (!tile) {
          tile = element('img', { alt: '', draggable: false, decoding: 'async', src: this.address(z, ((x % count) + count) % count, y) });
          tile.onload = () => tile.classList.add('here');
          this.#tiles.set(name, tile);
          this.sheet.append(tile);
        }
      }
    }
    // Others stay a while, so that nothing flashes.
    const others = [...this.#tiles.keys()].filter(name => !wanted.has(name));
    for (const name of others.slice(0, Math.max(0, others.length - KEPT * wanted.size))) {
      this.#tiles.get(name).remove();
      this.#tiles.delete(name);
    }
    for (const [name, { style }] of this.#tiles) {
      // Edges are whole pixels, so that no gap is seen between two tiles.
      const [tz, x, y] = name.split('/').map(Number), tileSide = this.size / 2 ** tz;
      const edge = (index, center, extent) => Math.round(index * tileSide - center * this.size + extent / 2);
      const left = edge(x, this.#center.x, width), top = edge(y, this.#center.y, height);
      style.width = `${edge(x + 1, this.#center.x, width) - left}px`;
      style.height = `${edge(y + 1, this.#center.y, height) - top}px`;
      style.zIndex = wanted.has(name) ? 1 : 0;
      style.transform = `translate(${left}px, ${top}px)`;
    }
    for (const mark of this.marks.children) {
      const { x, y } = this.pointOf({ lat: Number(mark.dataset.lat), lon: Number(mark.dataset.lon) });
      mark.style.translate = `${x}px ${y}px`;
    }
  }

  #listen() {
    const { pane } = this;
    gestures(pane, {
      drag: (dx, dy) => this.panBy(-dx, -dy),
      pinch: (factor, at, dx, dy) => {
        this.panBy(-dx, -dy);
        this.zoomTo(this.zoom + Math.log2(factor), at);
      },
      tap: at => this.clicked?.(this.placeAt(at.x, at.y)),
    });
    pane.onwheel = event => {
      event.preventDefault();
      this.zoomTo(this.zoom - clamp(event.deltaY, -100, 100) / 250, placeIn(pane, event));
    };
    pane.onkeydown = event => {
      const step = { ArrowLeft: [-80, 0], ArrowRight: [80, 0], ArrowUp: [0, -80], ArrowDown: [0, 80] }[event.key];
      const zoom = { '+': 1, '=': 1, '-': -1, '−': -1 }[event.key];
      if (step) this.panBy(...step);
      else if (zoom) this.zoomTo(Math.round(this.zoom + zoom));
      else return;
      event.preventDefault();
    };
  }
}
