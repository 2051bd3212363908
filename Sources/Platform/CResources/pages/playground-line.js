// The line with the address: completion while one types, and faults under the words that are wrong.

import { clamp, element, marked } from './common.js';
import { nearest, parsed, encoded } from './playground-query.js';

const LIMIT = 8;

/** `page` has `text`, `table` (controls of its path), `ids` and `type(text)`. */
export class Line {
  faults = []; #options = []; #active = -1; #range = [0, 0];

  constructor(page) {
    this.page = page;
    this.input = element('input', {
      id: 'address', type: 'text', spellcheck: false, autocomplete: 'off', autocapitalize: 'off', role: 'combobox',
      'aria-autocomplete': 'list', 'aria-expanded': 'false', 'aria-controls': 'completions', 'aria-describedby': 'faults',
      enterKeyHint: 'go', inputMode: 'url',
    });
    this.mirror = element('div', { className: 'mirror', 'aria-hidden': 'true' });
    this.list = element('ul', { id: 'completions', className: 'completions card', role: 'listbox', hidden: true, 'aria-label': 'Completions' });
    this.said = element('ul', { id: 'faults', className: 'faults', 'aria-live': 'polite', 'aria-label': 'Faults' });
    this.box = element('div', { className: 'line' },
      element('label', { for: 'address', className: 'unseen', textContent: 'Address of the picture' }),
      element('div', { className: 'typed' }, this.mirror, this.input, this.list), this.said);
    const { input } = this;
    input.oninput = () => { page.type(input.value); this.#complete(); };
    input.onkeydown = event => this.#key(event);
    input.onscroll = () => { this.mirror.scrollLeft = input.scrollLeft; this.#place(); };
    input.onblur = () => setTimeout(() => this.#close(), 150);
    input.onclick = () => this.#complete();
    addEventListener('resize', () => this.#place());
  }

  /** Shows the address unless it is being typed. */
  show(text) {
    if (this.input.value !== text) this.input.value = text;
    this.#draw();
  }

  /** Those of the server: `[{ parameter, value, detail, suggestion }]`. */
  showFaults(faults) {
    this.faults = faults;
    this.input.setAttribute('aria-invalid', faults.length > 0);
    this.#draw();
    this.said.replaceChildren(...faults.map(fault => this.#told(fault)));
    this.#place();
  }

  /** The items that a fault is about. */
  #item(fault) {
    const { items } = parsed(this.input.value);
    return items.find(item => item.name === fault.parameter && item.value === fault.value)
      ?? items.find(item => item.name === fault.parameter);
  }

  #told(fault) {
    const item = this.#item(fault), made = element('li', { className: 'told' });
    made.append(element('span', {}, ...marked(fault.detail)));
    const control = this.page.table.find(one => one.name === fault.parameter || one.alias === fault.parameter);
    const value = control?.values && item ? nearest(item.value, control.values) : undefined;
    const suggested = fault.suggestion ?? value;
    if (suggested && item) {
      const use = element('button', { type: 'button', className: 'suggestion', textContent: `Use ${suggested}` });
      use.onclick = () => {
        const text = this.input.value;
        const [from, to] = fault.suggestion ? [item.start, item.start + encodedLength(text, item)] : [item.middle, item.end];
        this.input.focus();
        this.page.set(text.slice(0, from) + encoded(suggested) + text.slice(to));
      };
      made.append(use);
    }
    if (control && item) {
      const go = element('button', { type: 'button', className: 'quiet', textContent: 'Show its control' });
      go.onclick = () => this.page.reveal(control.name);
      made.append(go);
    }
    return made;
  }

  /** The text behind the field, in which words have marks. */
  #draw() {
    const text = this.input.value, wrong = this.faults.map(fault => this.#item(fault)).filter(Boolean);
    const parts = [];
    let at = 0;
    for (const item of wrong.sort((a, b) => a.start - b.start)) {
      if (item.start < at) continue;
      parts.push(text.slice(at, item.start), element('mark', { textContent: text.slice(item.start, item.end) }));
      at = item.end;
    }
    this.mirror.replaceChildren(...parts, text.slice(at));
    this.mirror.scrollLeft = this.input.scrollLeft;
  }

  /** Puts each fault under its word, where there is room. */
  #place() {
    const marks = [...this.mirror.querySelectorAll('mark')], left = this.box.getBoundingClientRect().left;
    [...this.said.children].forEach((made, index) => {
      const item = this.#item(this.faults[index] ?? {}), mark = marks.find(one => one.textContent === this.input.value.slice(item?.start, item?.end));
      const room = this.box.clientWidth - made.offsetWidth;
      made.style.marginLeft = mark ? `${clamp(mark.getBoundingClientRect().left - left - 12, 0, Math.max(0, room))}px` : '0';
    });
  }

  // MARK: Completion

  #found() {
    const { input, page } = this, caret = input.selectionStart ?? 0, text = input.value;
    const mark = text.indexOf('?');
    if (mark < 0 || caret <= mark) return [];
    const start = Math.max(mark, text.lastIndexOf('&', caret - 1)) + 1;
    const next = text.indexOf('&', caret), end = next < 0 ? text.length : next;
    const equals = text.indexOf('=', start);
    const given = new Set(parsed(text).items.map(item => item.name));
    if (equals < 0 || equals >= end || caret <= equals) {
      const typed = text.slice(start, caret).toLowerCase();
      this.#range = [start, equals > 0 && equals < end ? equals + 1 : end];
      return page.table.filter(one => one.name.startsWith(typed) && (one.name === typed || one.kind === 'list' || !given.has(one.name)))
        .map(one => ({ text: one.name + '=', hint: [one.min !== undefined && `${one.min} – ${one.max}`, one.examples[0]?.join(': ')].filter(Boolean).join('; ') || one.group }));
    }
    const name = text.slice(start, equals), control = page.table.find(one => one.name === name || one.alias === name);
    const from = name === 'filter' ? Math.max(equals, text.lastIndexOf(',', caret - 1)) + 1 : equals + 1;
    const typed = text.slice(from, caret).toLowerCase();
    this.#range = [from, end];
    const known = name === 'id' ? page.ids.map(id => [encoded(id), ''])
      : [...(control?.values ?? []).map(value => [value, '']), ...page.choices(name).map(value => [value, '']), ...(control?.examples ?? [])];
    return [...new Map(known.map(([value, hint]) => [value, hint]))]
      .filter(([value]) => value.toLowerCase().startsWith(typed) && value !== text.slice(from, end))
      .map(([value, hint]) => ({ text: value, hint }));
  }

  #complete() {
    this.#options = this.#found().slice(0, LIMIT);
    this.#active = -1;
    if (this.#options.length === 0) return this.#close();
    this.list.replaceChildren(...this.#options.map(({ text, hint }, index) => {
      const made = element('li', { id: `completion-${index}`, role: 'option', 'aria-selected': 'false' },
        element('code', { textContent: text }), element('span', { className: 'small muted', textContent: hint }));
      made.onmousedown = event => { event.preventDefault(); this.#take(index); };
      return made;
    }));
    this.list.hidden = false;
    const measure = element('span', { textContent: this.input.value.slice(0, this.#range[0]) });
    this.mirror.append(measure);
    const x = measure.getBoundingClientRect().width - this.input.scrollLeft;
    measure.remove();
    this.list.style.left = `${clamp(x, 0, Math.max(0, this.box.clientWidth - this.list.offsetWidth))}px`;
    this.input.setAttribute('aria-expanded', 'true');
  }

  #close() {
    this.list.hidden = true;
    this.input.setAttribute('aria-expanded', 'false');
    this.input.removeAttribute('aria-activedescendant');
  }

  #take(index) {
    const { text } = this.#options[index], [from, to] = this.#range, whole = this.input.value;
    const caret = from + text.length;
    this.page.set(whole.slice(0, from) + text + whole.slice(to));
    this.input.focus();
    this.input.setSelectionRange(caret, caret);
    if (text.endsWith('=')) this.#complete(); else this.#close();
  }

  #key(event) {
    const isOpen = !this.list.hidden, { length } = this.#options;
    if (event.key === 'Enter') {
      event.preventDefault();
      if (isOpen && this.#active >= 0) this.#take(this.#active); else { this.#close(); this.page.set(this.input.value); }
    } else if (isOpen && (event.key === 'ArrowDown' || event.key === 'ArrowUp')) {
      event.preventDefault();
      this.#active = (this.#active + (event.key === 'ArrowDown' ? 1 : length + (this.#active < 0 ? 0 : -1))) % length;
      [...this.list.children].forEach((made, index) => made.setAttribute('aria-selected', index === this.#active));
      this.list.children[this.#active].scrollIntoView({ block: 'nearest' });
      this.input.setAttribute('aria-activedescendant', `completion-${this.#active}`);
    } else if (isOpen && event.key === 'Escape') {
      event.preventDefault();
      this.#close();
    }
  }
}

/** The length of an item's name as it is written. */
function encodedLength(text, item) {
  const equals = text.indexOf('=', item.start);
  return (equals < 0 || equals > item.end ? item.end : equals) - item.start;
}
