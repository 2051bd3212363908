// The pictures of the library, some at a time, and new ones by drop.

import { element, problem } from './common.js';
import { encoded } from './playground-query.js';

const COUNT = 60;

const NAME = 'veduta-token';
let token = '';
try { token = sessionStorage.getItem(NAME) ?? ''; } catch { /* Without storage, a token lives as long as the page. */ }

/** The token of this tab. */
export const kept = () => token;
export function keep(text) {
  token = text;
  try { sessionStorage.setItem(NAME, text); } catch { /* As above. */ }
}
// scripts/serve prints such an address. What is behind # is sent to no server, and it leaves the history too.
const [, given] = /^#token=([\w-]+)$/.exec(location.hash) ?? [];
if (given) {
  keep(given);
  history.replaceState(null, '', location.pathname);
}

/** `page` has `token`, `authorization`, `choose(id)`, `say(words)` and `ids`. */
export class Library {
  #next;

  constructor(page) {
    this.page = page;
    this.list = element('ul', { className: 'thumbs', 'aria-label': 'Pictures of the library' });
    this.more = element('button', { type: 'button', textContent: 'More', hidden: true });
    this.more.onclick = () => this.load();
    this.file = element('input', { type: 'file', accept: 'image/*,application/pdf', className: 'unseen', id: 'file', tabIndex: -1 });
    this.file.onchange = () => this.upload(this.file.files[0]);
    this.token = element('input', { type: 'password', id: 'token', value: token, autocomplete: 'off', placeholder: 'Token', 'aria-describedby': 'token-told' });
    this.token.oninput = () => { keep(this.token.value); page.tokenChanged(); };
    const choose = element('button', { type: 'button', className: 'drop', textContent: 'Drop a picture, or choose one' });
    choose.onclick = () => this.file.click();
    this.said = element('p', { className: 'small', role: 'status' });
    this.box = element('section', { className: 'library', 'aria-label': 'Library' }, this.list, this.more,
      element('details', { className: 'bring' }, element('summary', { className: 'small', textContent: 'Add a picture' }), choose, element('label', { for: 'file', className: 'unseen', textContent: 'A picture to upload' }), this.file,
        element('label', { for: 'token', className: 'unseen', textContent: 'Token of the server' }), this.token,
        element('p', { id: 'token-told', className: 'small muted', textContent: 'Uploads and focal points need the token of the server. It is kept until this tab is closed.' }), this.said));
    addEventListener('dragover', event => { event.preventDefault(); document.body.classList.add('dropping'); });
    addEventListener('dragleave', event => { if (!event.relatedTarget) document.body.classList.remove('dropping'); });
    addEventListener('drop', event => {
      event.preventDefault();
      document.body.classList.remove('dropping');
      this.upload(event.dataTransfer.files[0]);
    });
  }

  async load() {
    const response = await fetch(this.#next ?? `/assets?limit=${COUNT}`, { headers: this.page.authorization });
    if (!response.ok) return this.#refused(response);
    const { items, next } = await response.json();
    this.#next = next;
    this.more.hidden = !next;
    for (const { id } of items) this.#add(id);
  }

  async #refused(response) {
    const { title, detail } = await problem(response);
    this.said.textContent = `${title}: ${detail}`;
    this.box.querySelector('.bring').open = true;
  }

  #add(id, isFirst = false) {
    const { page } = this;
    if (page.ids.includes(id)) return;
    page.ids.push(id);
    const picture = element('img', { src: `/asset?id=${encoded(id)}&width=144&height=108&fit=cover`, alt: '', loading: 'lazy', width: 144, height: 108 });
    const name = id.split('/').pop();
    const button = element('button', { type: 'button', title: id, 'aria-pressed': 'false' }, picture, element('span', { className: 'small', textContent: name.length > 24 ? name.slice(0, 22) + '…' : name }));
    button.dataset.id = id;
    button.onclick = () => page.choose(id);
    const item = element('li', {}, button);
    if (isFirst) this.list.prepend(item); else this.list.append(item);
    this.show();
  }

  show() {
    const [id] = this.page.values('id');
    for (const button of this.list.querySelectorAll('button')) button.setAttribute('aria-pressed', button.dataset.id === id);
  }

  async upload(file) {
    if (!file) return;
    const { page } = this;
    // A file may be dropped on the map, too.
    if (this.box.hidden) page.tabs[0].button.click();
    if (!page.token) {
      this.said.textContent = 'Uploading needs the token that the server was started with.';
      this.box.querySelector('.bring').open = true;
      this.token.focus();
      return;
    }
    this.box.querySelector('.bring').open = true;
    this.said.textContent = `Uploading ${file.name}…`;
    // Of one that is refused early the browser may tell only that it was not sent.
    const response = await fetch('/assets', { method: 'POST', body: file, headers: page.authorization }).catch(() => undefined);
    if (!response) { this.said.textContent = `${file.name} was not sent.`; return; }
    if (!response.ok) return this.#refused(response);
    const { id } = await response.json();
    this.said.textContent = `${file.name} is stored.`;
    this.#add(id, true);
    page.choose(id);
  }
}
