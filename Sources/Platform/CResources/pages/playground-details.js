// How a picture was made, step by step, and what it would weigh in other formats.

import { bytes, element, milliseconds } from './common.js';
import { changed } from './playground-query.js';

const FORMATS = ['avif', 'webp', 'jpeg', 'png', 'jxl'];

/** `page` has `text`, `path`, `accept` and `change(name, values)`; `box` is what it fills. */
export class Details {
  constructor(page, box) {
    this.page = page;
    this.steps = element('div', { className: 'steps small' });
    this.compare = element('button', { type: 'button', textContent: 'Compare formats' });
    this.compare.onclick = () => this.#compare();
    this.table = element('div', { className: 'compared' });
    box.append(this.steps, this.compare, this.table);
  }

  async #explained(text) {
    const response = await fetch(changed(text, 'explain', ['1']), { headers: { Accept: this.page.accept } });
    return response.ok ? response.json() : undefined;
  }

  async update() {
    const { page, steps, compare } = this, { text } = page;
    compare.hidden = page.path !== '/asset';
    const isMap = page.path === '/map', said = isMap ? undefined : await this.#explained(text);
    if (text !== page.text) return;
    if (!said?.steps) {
      steps.textContent = isMap ? 'Maps are not explained.' : 'The server does not explain this one.';
      return;
    }
    const longest = Math.max(...said.steps.map(step => step.milliseconds), 0.001);
    steps.replaceChildren(...said.steps.map(step => {
      const bar = element('meter', { min: 0, max: longest, value: step.milliseconds, 'aria-label': step.name });
      return element('div', { className: 'step' }, element('span', { textContent: step.name }),
        element('span', { className: 'muted', textContent: step.width ? `${step.width} × ${step.height}` : '' }), bar, element('span', { textContent: milliseconds(step.milliseconds) }));
    }), element('p', { className: 'muted', textContent: (said.source ? `${said.source.format.toUpperCase()} of ${said.source.width} × ${said.source.height}; ${said.format.reason}; ` : '') + `canonical: ${said.canonical}` }));
  }

  /** The same picture in each format, made and thrown away. */
  async #compare() {
    const { page, table, compare } = this, { text } = page;
    compare.disabled = true;
    const rows = element('tbody');
    table.replaceChildren(element('table', { className: 'small' },
      element('thead', {}, element('tr', {}, ...['Format', 'Bytes', 'Quality', 'Score', 'Time'].map(words => element('th', { textContent: words, scope: 'col' })))), rows));
    for (const format of FORMATS) {
      const said = await this.#explained(changed(changed(text, 'format', [format]), 'pages', []));
      if (text !== page.text) break;
      if (!said?.result) continue;
      const use = element('button', { type: 'button', className: 'quiet', textContent: format.toUpperCase() });
      use.onclick = () => page.change('format', [format]);
      const { result } = said, { quality, score } = said.format;
      const cells = [bytes(result.bytes), quality ?? '—', score === null ? '—' : score.toFixed(1), milliseconds(result.openMilliseconds + result.decodeMilliseconds + result.encodeMilliseconds)];
      rows.append(element('tr', {}, element('th', { scope: 'row' }, use), ...cells.map(cell => element('td', { textContent: cell }))));
    }
    compare.disabled = false;
  }
}
