// The map: panned and zoomed by the server's own tiles, it writes addresses of /map; a click sets a pin.

import { clamp, element, settled } from './common.js';
import { encoded } from './playground-query.js';
import { Slippy, toWorld } from './slippy.js';

/** What says where the map is, besides latitude, longitude and zoom. */
const OTHER_PLACES = ['center', 'glzoom', 'span', 'meters', 'bbox', 'fit', 'clip', 'maxzoom'];

document.head.append(element('link', { rel: 'stylesheet', href: '/pages/slippy.css' }));

/** `page` has `styles`, `values(name)`, `changeAll({ name: values })`, `text`. */
export class MapPane {
  #style = ''; #isPinning = false;

  constructor(page) {
    this.page = page;
    const write = settled(250, (center, zoom) => {
      const values = { latitude: [center.lat.toFixed(5)], longitude: [center.lon.toFixed(5)], zoom: [String(Number(zoom.toFixed(2)))] };
      for (const name of OTHER_PLACES) values[name] = [];
      page.changeAll(values);
    });
    this.map = new Slippy({
      address: (z, x, y) => `/tiles/${encoded(this.#style || page.styles[0])}/${z}/${x}/${y}${devicePixelRatio > 1 ? '@2x' : ''}.png`,
      center: this.#center() ?? { lat: 0, lon: 0 }, zoom: this.#zoom(), changed: write, label: 'Map',
      clicked: place => this.#clicked(place),
    });
    this.pin = element('button', { type: 'button', textContent: 'Set pins', 'aria-pressed': 'false' });
    this.pin.onclick = () => {
      this.#isPinning = !this.#isPinning;
      this.pin.setAttribute('aria-pressed', this.#isPinning);
      this.map.box.classList.toggle('pinning', this.#isPinning);
    };
    this.pinHere = element('button', { type: 'button', className: 'quiet', textContent: 'Pin in the middle' });
    this.pinHere.onclick = () => this.#add(this.map.center);
    this.clear = element('button', { type: 'button', className: 'quiet', textContent: 'Remove all pins' });
    this.clear.onclick = () => page.changeAll({ marker: [] });
    this.looks = page.styles.map(style => {
      const picture = element('img', { alt: '', loading: 'lazy', width: 144, height: 108 });
      const button = element('button', { type: 'button', 'aria-pressed': 'false' }, picture, element('span', { className: 'small', textContent: style }));
      button.onclick = () => page.changeAll({ style: [style], theme: [] });
      return { style, picture, button };
    });
    this.list = element('section', { className: 'library', 'aria-label': 'Styles' },
      element('ul', { className: 'thumbs' }, ...this.looks.map(({ button }) => element('li', {}, button))));
    this.box = element('div', { className: 'mapping' }, this.map.box, element('div', { className: 'row' }, this.pin, this.pinHere, this.clear));
  }

  #center() {
    const one = name => this.page.values(name)[0], [lat, lon] = (one('center') ?? `${one('latitude')},${one('longitude')}`).split(',').map(Number);
    return Number.isFinite(lat) && Number.isFinite(lon) ? { lat, lon } : undefined;
  }

  #zoom() {
    const { page } = this, zoom = Number.parseFloat(page.values('zoom')[0] ?? 'NaN'), gl = Number.parseFloat(page.values('glzoom')[0] ?? 'NaN');
    return Number.isFinite(zoom) ? zoom : Number.isFinite(gl) ? gl + 1 : 3;
  }

  #clicked(place) {
    if (this.#isPinning) this.#add(place);
  }

  #add({ lat, lon }) {
    const values = this.page.values('marker'), label = String.fromCharCode(65 + values.length % 26);
    const isSwapped = this.page.values('order')[0] === 'lonlat', at = [lat.toFixed(5), lon.toFixed(5)];
    this.page.changeAll({ marker: [...values, `label:${label}|${(isSwapped ? at.reverse() : at).join(',')}`] });
  }

  /** After a change of the address. */
  update() {
    const { page, map } = this, style = page.values('style')[0] ?? (page.values('theme')[0] === 'dark' && page.styles.includes('dark') ? 'dark' : page.styles[0]);
    if (style !== this.#style) {
      this.#style = style;
      map.refresh();
      map.attribute(style);
    }
    const center = this.#center();
    const zoom = this.#zoom();
    const point = center && map.pointOf(center);
    // What was written by the map itself moves nothing.
    if (center && (Math.hypot(point.x - map.box.clientWidth / 2, point.y - map.box.clientHeight / 2) > 3 || Math.abs(zoom - map.zoom) > 0.02)) map.show(center, zoom);
    const level = clamp(Math.round(zoom), 0, 22), world = toWorld(center ?? map.center), place = side => Math.min(2 ** level - 1, Math.floor((side - Math.floor(side)) * 2 ** level));
    for (const look of this.looks) {
      look.button.setAttribute('aria-pressed', look.style === style);
      const address = `/tiles/${encoded(look.style)}/${level}/${place(world.x)}/${place(world.y)}.png`;
      if (look.picture.getAttribute('src') !== address) look.picture.src = address;
    }
    const isSwapped = page.values('order')[0] === 'lonlat';
    const marks = page.values('marker').flatMap(marker => {
      const parts = marker.split('|'), label = parts.find(part => part.startsWith('label:'))?.slice(6) ?? '';
      return parts.filter(part => /^-?[\d.]+,-?[\d.]+$/.test(part)).map(part => {
        const [lat, lon] = isSwapped ? part.split(',').reverse() : part.split(',');
        const mark = element('span', { className: 'pin' }, element('span', { textContent: label }));
        Object.assign(mark.dataset, { lat, lon });
        return mark;
      });
    });
    map.marks.replaceChildren(...marks);
    this.clear.hidden = marks.length === 0;
    map.draw();
  }
}
