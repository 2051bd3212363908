// What the viewer knows: the pages in order, their facts as they come, and where their pictures are.

import { assetPath, clamp, problem } from './common.js';

/** The browser holds no box that is longer. */
export const PAGE_LIMIT = 5000;
const LIST = 25, FACTS_AT_ONCE = 3;

const encoded = text => encodeURIComponent(text).replace(/%(2F|3A|2C)/g, decodeURIComponent);
export const query = values =>
  Object.entries(values).filter(([, value]) => value !== '' && value != null).map(([name, value]) => `${name}=${encoded(value)}`).join('&');

export class Model {
  pages = [];
  active = 0;
  isPaired = false;
  #asked = new Set();
  #running = 0;
  #queue = [];

  /** `main` is the page as the server made it; `changed(index)` hears of new facts, `refused(answer)` of problems. */
  constructor(main, changed, refused) {
    [this.changed, this.refused] = [changed, refused];
    this.isDocument = main.dataset.kind === 'document';
    this.isDrawing = 'drawing' in main.dataset;
    this.id = main.dataset.id ?? '';
    const listed = [...main.querySelectorAll('.pages > li')].map(({ dataset }) => ({
      id: dataset.id, page: this.isDocument ? Number(dataset.page) : null, turned: 0, look: '',
      width: Number(dataset.width) || 0, height: Number(dataset.height) || 0, hash: dataset.hash ?? '', label: dataset.label ?? '' }));
    if (!this.isDocument) {
      this.pages = listed;
    } else {
      this.isCounted = 'count' in main.dataset;
      this.total = Number(main.dataset.count) || 1;
      this.#fill(this.total);
      for (const page of listed) if (page.page <= this.count) this.pages[page.page - 1] = page;
    }
  }

  #fill(total) {
    this.total = total;
    for (let page = this.count + 1; page <= Math.min(total, PAGE_LIMIT); page++)
      this.pages.push({ id: this.id, page, turned: 0, look: '', width: 0, height: 0, hash: '', label: '' });
  }

  get count() { return this.pages.length; }
  get title() { return this.isDocument ? this.id.split('/').pop() : `${this.count} images`; }

  name(index) {
    const { id, label } = this.pages[index], file = id.split('/').pop();
    if (!this.isDocument) return `Image ${index + 1} of ${this.count}: ${file}`;
    return this.count === 1 ? file : `Page ${index + 1} of ${this.count} of ${file}${label ? `, labelled ${label}` : ''}`;
  }

  /** Width by height as it is shown. Of unknown pages that of the first known one. */
  ratio(index) {
    const page = this.pages[index];
    const known = page?.width ? page : this.pages.find(other => other.width);
    if (!known) return 0.75;
    const ratio = known.width / known.height;
    return page?.turned % 180 ? 1 / ratio : ratio;
  }

  /** In pixels of the original, as it is shown; nil where it is not known. */
  size(index) {
    const { width, height, turned, isGuess } = this.pages[index];
    if (!width || isGuess) return null;
    return turned % 180 ? { width: height, height: width } : { width, height };
  }

  /** Whether the look of a page has a vignette, which belongs to the whole page. */
  isShaded(index) { return /noir|vintage|cinema/.test(this.pages[index].look); }

  /** A picture has come whose page had no facts. */
  learn(index, ratio) {
    const page = this.pages[index];
    if (!page || page.width || !ratio) return;
    const upright = page.turned % 180 ? 1 / ratio : ratio;
    Object.assign(page, { width: 1000 * upright, height: 1000, isGuess: true });
    this.changed(index);
  }

  /** Where the picture of a page is, with `values` such as {width: 300}. */
  address(index, values = {}) {
    const { id, page, turned, look } = this.pages[index];
    const number = this.isDocument && (this.total > 1 || page > 1) ? page : null;
    return `/asset?${query({ id, page: number, rotate: turned || null, filter: look, ...values })}`;
  }

  /** Asks for the facts of the pages around `index`; each only once, three lists at once at most. */
  need(index) {
    for (const near of [index, index + 2, index - 2]) {
      const at = clamp(near, 0, this.count - 1), page = this.pages[at];
      if (!page || (page.width && !page.isGuess)) continue;
      const after = this.isDocument ? Math.floor(at / LIST) * LIST : at;
      this.#ask(after, this.isDocument ? LIST : 1);
    }
  }

  #ask(after, limit) {
    if (this.#asked.has(after)) return;
    this.#asked.add(after);
    this.#queue.push([after, limit]);
    this.#next();
  }

  async #next() {
    if (this.#running >= FACTS_AT_ONCE || !this.#queue.length) return;
    this.#running++;
    const [after, limit] = this.#queue.pop();
    try {
      const path = assetPath(this.pages[after].id);
      if (this.isDocument && !this.isCounted) {
        const about = await this.#get(path);
        if (about) { this.isCounted = true; this.#fill(about.pages); this.changed(null); }
      }
      const facts = await this.#get(this.isDocument ? `${path}/pages?after=${after}&limit=${limit}` : path);
      const list = this.isDocument ? facts ?? [] : facts ? [facts] : [];
      list.forEach((fact, k) => {
        const page = this.pages[this.isDocument ? fact.page - 1 : after + k];
        if (!page) return;
        if (fact.points) this.isDrawing = this.isDocument;
        const { width, height, thumbHash, label } = fact;
        Object.assign(page, { width, height, hash: thumbHash ?? '', label: label ?? '', isGuess: false });
      });
      if (list.length) this.changed(null);
      // The server ends a list early where its pages take long.
      const missing = limit - list.length, end = after + list.length;
      if (this.isDocument && list.length && missing > 0 && end < Math.min(this.count, after + limit)) this.#ask(end, missing);
    } catch { /* Without facts it goes on with what pictures tell. */ }
    this.#running--;
    this.#next();
  }

  async #get(url) {
    const answer = await fetch(url, { headers: { Accept: 'application/json' } });
    if (answer.ok) return answer.json();
    this.refused({ ...await problem(answer), status: answer.status });
    return null;
  }

  // For documents that can be changed.
  insert(index, page) { this.pages.splice(index, 0, page); }
  remove(index) { return this.pages.splice(index, 1)[0]; }
}
