// The address to take along: as it is, for curl, as a picture element, in Swift, and signed.

import { copyButton, element, problem } from './common.js';

const KINDS = { url: 'URL', curl: 'curl', picture: '<picture>', swift: 'Swift', signed: 'Signed' };

/** `page` has `text` and `mediaType`. */
export class Export {
  #kind = 'url'; #stop;

  constructor(page) {
    this.page = page;
    this.code = element('pre', { className: 'code small', tabIndex: 0, 'aria-label': 'Code' });
    this.buttons = Object.entries(KINDS).map(([kind, words]) => {
      const button = element('button', { type: 'button', textContent: words, 'aria-pressed': kind === 'url' });
      button.onclick = () => { this.#kind = kind; this.show(); };
      return { kind, button };
    });
    this.note = element('p', { className: 'small muted' });
    this.copy = copyButton(() => this.code.textContent);
    this.copy.className = 'primary';
    this.box = element('section', { className: 'export', 'aria-label': 'Take it along' },
      element('div', { className: 'head' }, element('div', { className: 'segments', role: 'group', 'aria-label': 'As what' }, ...this.buttons.map(({ button }) => button)), this.copy),
      this.code, this.note);
  }

  async show() {
    const { page } = this, kind = this.#kind, { text } = page;
    for (const one of this.buttons) {
      one.button.setAttribute('aria-pressed', one.kind === kind);
      one.button.hidden = one.kind === 'picture' && !text.startsWith('/asset');
    }
    this.#stop?.abort();
    this.note.textContent = '';
    if (kind === 'url') {
      this.code.textContent = new URL(text, location.href).href;
      return;
    }
    const { curl, sign, srcset, swift } = await import('./playground-code.js');
    if (kind !== this.#kind || text !== page.text) return;
    if (kind === 'picture') {
      if (text.startsWith('/asset')) return this.#picture(srcset(text));
      this.code.textContent = 'Only pictures of the library have a <picture>: use the URL.';
      return;
    }
    this.code.textContent = { curl: () => curl(text, page.mediaType), swift: () => swift(text), signed: () => sign(text) }[kind]();
    if (kind === 'signed') this.note.textContent = 'Run it where the key is (VEDUTA_KEYS): it prints the signed address. Pages never have the key.';
    if (kind === 'swift') this.note.textContent = 'With VedutaClient, the package product of this project.';
  }

  async #picture(address) {
    this.code.textContent = '';
    this.#stop = new AbortController();
    try {
      const response = await fetch(address, { signal: this.#stop.signal });
      if (!response.ok) {
        const { title, detail } = await problem(response);
        this.note.textContent = `${title}: ${detail}`;
        return;
      }
      const html = await response.text();
      const found = /<picture[\s\S]*<\/picture>/.exec(html)?.[0] ?? html;
      this.code.textContent = found.replace(/(["\s])\/asset\?/g, (_, before) => `${before}${location.origin}/asset?`);
      this.note.textContent = 'From /srcset: the true sizes of each image, in formats that browsers choose from.';
    } catch (error) {
      if (error.name !== 'AbortError') this.note.textContent = String(error);
    }
  }
}
