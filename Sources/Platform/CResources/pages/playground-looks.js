// Looks and filters on the picture itself: thumbnails to choose, and a slider for each filter of one number.

import { clamp, element } from './common.js';
import { LOOKS, TUNES } from './playground-controls.js';
import { encoded } from './playground-query.js';

/** `page` has `values(name)` and `change(name, values)`; `box` is what it fills. */
export class Looks {
  #list = []; #tunes = []; #id;

  constructor(page) {
    this.page = page;
    this.pictures = element('div', { className: 'looks', role: 'group', 'aria-label': 'Looks' });
    this.buttons = LOOKS.map(look => {
      const picture = element('img', { alt: '', loading: 'lazy', width: 96, height: 72 });
      const button = element('button', { type: 'button', className: 'look', 'aria-pressed': 'false' },
        picture, element('span', { className: 'small', textContent: look.replace('look:', '').split(':')[0] }));
      button.onclick = () => this.#toggle(look);
      this.pictures.append(button);
      return { look, picture, button };
    });
    this.sliders = Object.entries(TUNES).map(([name, [low, high, step, rest]]) => {
      const id = `tune-${name}`, out = element('output', { for: id, className: 'small muted' });
      const slider = element('input', { type: 'range', id, min: low, max: high, step, value: rest });
      slider.oninput = () => {
        const value = Number(slider.value);
        this.#replace(name, value === rest ? '' : `${name}:${value}`);
      };
      return { name, rest, slider, out, row: element('div', { className: 'tune' }, element('label', { for: id, className: 'small', textContent: name }), slider, out) };
    });
    this.box = element('div', {}, this.pictures, element('div', { className: 'tunes' }, ...this.sliders.map(({ row }) => row)));
  }

  show([value = '']) {
    this.#list = value ? value.split(/,(?![^(]*\))/) : [];
    const id = this.page.values('id')[0] ?? '';
    for (const { look, picture, button } of this.buttons) {
      button.setAttribute('aria-pressed', this.#list.includes(look));
      if (id && id !== this.#id) picture.src = `/asset?id=${encoded(id)}&width=96&height=72&fit=cover&filter=${encoded(look)}`;
    }
    this.#id = id;
    for (const { name, rest, slider, out } of this.sliders) {
      const found = this.#list.find(one => one === name || one.startsWith(name + ':'));
      const number = found ? Number.parseFloat(found.split(':')[1] ?? '1') : rest;
      if (document.activeElement !== slider) slider.value = clamp(number, Number(slider.min), Number(slider.max));
      out.textContent = found ? String(number) : '';
    }
  }

  #toggle(look) {
    const list = this.#list.includes(look) ? this.#list.filter(one => one !== look) : [...this.#list, look];
    this.page.change('filter', list.length ? [list.join(',')] : []);
  }

  #replace(name, text) {
    const place = this.#list.findIndex(one => one === name || one.startsWith(name + ':'));
    const list = [...this.#list];
    if (place >= 0) list.splice(place, 1, ...(text ? [text] : []));
    else if (text) list.push(text);
    this.page.change('filter', list.length ? [list.join(',')] : []);
  }
}
