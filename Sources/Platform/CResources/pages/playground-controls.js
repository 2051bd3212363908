// A control for each parameter of the contract, made from parameters.json.

import { element, marked } from './common.js';

/** Values of pictures that are worth a button, besides the examples. */
const CHOICES = {
  crop: ['square', '16:9', '4:3', '3:4', 'focus'],
  gravity: ['top-left', 'top', 'top-right', 'left', 'center', 'right', 'bottom-left', 'bottom', 'bottom-right', 'attention', 'entropy', 'focus'],
  rotate: ['90', '180', '270'],
  background: ['white', 'black', 'transparent', 'blur'],
  quality: ['auto', 'auto:70', 'auto:90', '60'],
  bytes: ['50k', '100k', '500k'],
  radius: ['8', '24', '10p', '50p'],
  pad: ['20', '10p'],
};
/** With what a slider begins, and where it ends, where the contract allows much more. */
const SPANS = { width: [16, 2400], height: [16, 2400], radius: [1, 400] };

export const LOOKS = ['grayscale', 'sepia', 'look:noir', 'look:vintage', 'look:vivid', 'look:cool', 'look:warm', 'look:bleach',
  'look:cinema', 'look:dream', 'invert', 'normalize', 'equalize', 'clahe', 'edges', 'emboss', 'posterize:4', 'threshold', 'vignette',
  'duotone:14213d:fca311', 'tint:0b62c4:40', 'pixelate:12', 'noise:20', 'median:3', 'unsharp:2:1'];
/** Filters of one number: from, to, step, and the value at which nothing changes. */
export const TUNES = {
  brightness: [-100, 100, 1, 0], contrast: [-100, 100, 1, 0], saturation: [-100, 100, 1, 0], vibrance: [-100, 100, 1, 0],
  highlights: [-100, 100, 1, 0], shadows: [-100, 100, 1, 0], temperature: [-100, 100, 1, 0], hue: [-180, 180, 1, 0],
  exposure: [-5, 5, 0.1, 0], gamma: [0.1, 4, 0.1, 1], blur: [0, 40, 0.5, 0], sharpen: [0, 10, 0.1, 0],
};

export const choices = (name, path) => (path === '/asset' && CHOICES[name]) || (name === 'filter' ? [...LOOKS, ...Object.keys(TUNES).map(tune => tune + ':')] : []);

let texts;
const descriptions = () => (texts ??= fetch('/pages/descriptions.json').then(response => response.json(), () => ({})));

/** The description as paragraphs and lists, with code in it. */
function described(text) {
  const made = element('div', { className: 'described small' });
  let list;
  for (const block of text.replace(/\n {2,}/g, ' ').split('\n')) {
    const isItem = block.startsWith('- ');
    if (!block) { list = undefined; continue; }
    const into = element(isItem ? 'li' : 'p');
    into.append(...marked(isItem ? block.slice(2) : block));
    if (isItem) {
      if (!list) made.append(list = element('ul'));
      list.append(into);
    } else if (list || made.lastChild?.tagName !== 'P') {
      list = undefined;
      made.append(into);
    } else {
      made.lastChild.append(' ', ...into.childNodes);
    }
  }
  return made;
}

/** `page` has `values(name)` and `change(name, values)`. */
export class Controls {
  #controls = new Map();

  constructor(page, table, prefix) {
    this.page = page;
    this.prefix = prefix;
    this.box = element('div', { className: 'controls' });
    const groups = grouped(table);
    let isFirst = true;
    for (const [name, members] of groups) {
      const group = element('details', { open: isFirst || name === 'Size' || name === 'Fields' }, element('summary', { textContent: name }));
      group.append(element('div', { className: 'group' }, ...members.map(one => this.#make(one))));
      this.box.append(group);
      isFirst = false;
    }
  }

  /** Sets every control to what the address says. */
  show() {
    for (const { show } of this.#controls.values()) show();
  }

  /** What the server says of a value, at the control that has it. */
  showFaults(faults) {
    for (const [name, { box, fault, field, alias }] of this.#controls) {
      const said = faults.find(one => one.parameter === name || one.parameter === alias);
      fault.hidden = !said;
      fault.replaceChildren(...(said ? marked(said.detail) : []));
      box.classList.toggle('wrong', Boolean(said));
      field.setAttribute('aria-invalid', Boolean(said));
    }
  }

  /** Shows, and has the keyboard, where the parameter is set. */
  reveal(name) {
    const found = this.#controls.get(name);
    if (!found) return;
    found.box.closest('details').open = true;
    found.box.scrollIntoView({ block: 'center' });
    found.field.focus();
  }

  #make(one) {
    const { page } = this, id = `${this.prefix}-${one.name}`;
    const help = element('div', { id: `${id}-help`, className: 'help', hidden: true });
    const more = element('button', { type: 'button', className: 'more quiet', textContent: '?', 'aria-label': `What ${one.name} does`, 'aria-expanded': 'false', 'aria-controls': help.id });
    more.onclick = async () => {
      help.hidden = !help.hidden;
      more.setAttribute('aria-expanded', !help.hidden);
      if (help.hidden || help.firstChild) return;
      help.append(described((await descriptions())[page.path]?.[one.name] ?? ''), ...one.examples.map(([value, words]) => {
        const use = element('button', { type: 'button', className: 'chip', textContent: value, title: words });
        use.onclick = () => page.change(one.name, [value]);
        return use;
      }));
    };
    const label = element('label', { for: id, textContent: one.name, title: one.alias ? `also ${one.alias}` : '' });
    const range = one.kind === 'number' || one.kind === 'length' ? `${one.min} – ${one.max}` : '';
    const told = [range, one.default && `default ${one.default}`].filter(Boolean).join(', ');
    const clear = element('button', { type: 'button', className: 'clear quiet', textContent: '×', 'aria-label': `Leave ${one.name} out`, hidden: true });
    clear.onclick = () => page.change(one.name, []);
    const { fields, field, show } = this.#fields(one, id);
    field.setAttribute('aria-describedby', `${id}-told ${id}-fault`);
    const fault = element('p', { id: `${id}-fault`, className: 'small wrong-words', hidden: true });
    const box = element('div', { className: `control ${one.kind}` },
      element('div', { className: 'head' }, label, element('span', { id: `${id}-told`, className: 'told-range small muted', textContent: told }), clear, more),
      ...fields, fault, help);
    this.#controls.set(one.name, {
      box, field, fault, alias: one.alias,
      show: () => {
        const values = page.values(one.name);
        box.classList.toggle('set', values.length > 0);
        clear.hidden = values.length === 0;
        show(values);
      },
    });
    return box;
  }

  #fields(one, id) {
    const { page } = this, set = value => page.change(one.name, value === '' ? [] : [value]);
    const isTyped = field => document.activeElement === field;
    if (one.kind === 'flag') {
      const field = element('input', { type: 'checkbox', id });
      field.onchange = () => set(field.checked ? '1' : '');
      return { field, fields: [field], show: ([value]) => { field.checked = value === '1'; } };
    }
    if (one.kind === 'choice') {
      const field = element('select', { id }, element('option', { value: '', textContent: one.default ? `${one.default} (default)` : '—' }),
        ...one.values.filter(value => value !== one.default).map(value => element('option', { value, textContent: value })));
      field.onchange = () => set(field.value);
      return { field, fields: [field], show: ([value]) => { field.value = value === one.default ? '' : value ?? ''; } };
    }
    if (one.kind === 'list') {
      const field = element('textarea', { id, rows: 2, placeholder: one.examples[0]?.[0] ?? '', spellcheck: false });
      field.oninput = () => page.change(one.name, field.value.split('\n').map(line => line.trim()).filter(Boolean));
      return { field, fields: [field], show: values => { if (!isTyped(field)) field.value = values.join('\n'); } };
    }
    const field = element('input', { type: 'text', id, spellcheck: false, autocomplete: 'off', placeholder: one.default ?? one.examples[0]?.[0] ?? '' });
    if (one.kind === 'number') field.inputMode = 'decimal';
    field.oninput = () => set(field.value.trim());
    const fields = [field], shows = [];
    const [low, high] = SPANS[one.name] ?? [one.min, one.max];
    if (low !== undefined && (high - low <= 3000 || !one.isWhole)) {
      const slider = element('input', { type: 'range', min: low, max: high, step: one.isWhole ? 1 : high - low > 50 ? 0.01 : 0.05, 'aria-label': `${one.name}, as a slider` });
      slider.oninput = () => set(String(Number(slider.value)));
      fields.unshift(slider);
      shows.push(([value]) => { if (!isTyped(slider)) slider.value = Number.parseFloat(value ?? one.default ?? low); });
    }
    if (one.name === 'background') {
      const swatch = element('input', { type: 'color', 'aria-label': 'background, as a swatch' });
      swatch.oninput = () => set(swatch.value.slice(1));
      fields.unshift(swatch);
      shows.push(([value]) => { if (/^#?[\da-f]{6}$/i.test(value ?? '')) swatch.value = '#' + value.replace('#', '').toLowerCase(); });
    }
    const row = element('div', { className: 'row' }, ...fields);
    const chips = element('div', { className: one.name === 'gravity' ? 'chips compass' : 'chips', role: 'group', 'aria-label': `Values of ${one.name}` });
    for (const value of (this.prefix === 'asset' && CHOICES[one.name]) || []) {
      const chip = element('button', { type: 'button', className: 'chip', textContent: value, 'aria-pressed': 'false' });
      chip.onclick = () => set(chip.getAttribute('aria-pressed') === 'true' ? '' : value);
      chips.append(chip);
      shows.push(([given]) => chip.setAttribute('aria-pressed', given === value));
    }
    const more = chips.children.length ? [chips] : [];
    if (one.name === 'filter' && this.prefix === 'asset') {
      let looks;
      const holder = element('div');
      // Its script comes when the group is opened.
      this.box.addEventListener('toggle', async ({ target }) => {
        if (looks || !target.contains(holder)) return;
        const { Looks } = await import('./playground-looks.js');
        looks ??= new Looks(page);
        holder.replaceWith(looks.box);
        looks.show(page.values('filter'));
      }, true);
      more.push(holder);
      shows.push(values => looks?.show(values));
    }
    return {
      field, fields: [row, ...more],
      show: values => {
        if (!isTyped(field)) field.value = values[0] ?? '';
        for (const show of shows) show(values);
      },
    };
  }
}

function grouped(table) {
  const groups = new Map();
  for (const one of table) groups.set(one.group, [...(groups.get(one.group) ?? []), one]);
  return groups;
}
