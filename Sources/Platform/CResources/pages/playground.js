// The playground at /: every parameter as a control, one line with the address, and what it makes.

import { assetPath, bytes, element, milliseconds, problem, settled } from './common.js';
import { Controls, choices } from './playground-controls.js';
import { Export } from './playground-export.js';
import { Library } from './playground-library.js';
import { Line } from './playground-line.js';
import { changed, encoded, parsed } from './playground-query.js';
import { Stage } from './playground-stage.js';

/** What can be made, as its button says it. */
const KINDS = { '/asset': 'Pictures', '/map': 'Maps', '/avatar': 'Avatars', '/poll': 'Polls', '/card': 'Cards' };

class Playground {
  text = ''; mediaType = ''; ids = []; facts; controls = {}; #stop; #factsOf; #texts = {}; #tables; #more; #firsts = {};

  constructor(main, tables) {
    this.#tables = tables;
    // The page without a script has something of each kind that this server can show.
    for (const path in KINDS) this.#firsts[path] = main.querySelector(`a[href^="${path}?"]`)?.getAttribute('href') ?? path + '?';
    this.#firsts['/map'] = this.#firsts['/map'].replace(/\?$/, '?latitude=20&longitude=10&zoom=1').replace(/zoom=[012]$/, 'zoom=3') + '&width=800&height=500';
    this.styles = (main.dataset.styles ?? 'light').split(',');
    this.line = new Line(this);
    this.stage = new Stage(this);
    this.library = new Library(this);
    this.exports = new Export(this);
    this.details = this.#makeDetails();
    this.tabs = Object.entries(KINDS).map(([path, words]) => {
      const button = element('button', { type: 'button', textContent: words, 'aria-pressed': 'false' });
      button.onclick = () => this.set(this.#texts[path] ?? this.#first(path));
      return { path, button };
    });
    this.middle = element('div', { className: 'middle' }, this.stage.box, this.exports.box, this.details.box);
    this.side = element('aside', { 'aria-label': 'Parameters' });
    this.#control('/asset');
    const bar = element('div', { className: 'top' },
      element('div', { className: 'segments', role: 'group', 'aria-label': 'What to make' }, ...this.tabs.map(({ button }) => button)), this.line.box);
    main.replaceChildren(bar, this.library.box, this.middle, this.side);
    main.classList.add('running');
    this.request = settled(220, () => this.#request());
    addEventListener('hashchange', () => { if (location.hash.slice(1) !== this.text) this.set(this.#hash() ?? this.text); });
  }

  async start() {
    const loaded = this.library.load();
    const given = this.#hash();
    if (!given) await loaded;
    this.set(given ?? this.#first('/asset'));
  }

  #hash() {
    const text = location.hash.slice(1);
    return /^\/(asset|map|avatar|poll|card)\?/.test(text) ? text : undefined;
  }

  /** Where there are no pictures, the map. */
  #first(path) {
    if (path !== '/asset') return this.#firsts[path];
    return this.ids.length ? `/asset?id=${encoded(this.ids.find(id => /\.jpe?g$/i.test(id)) ?? this.ids[0])}&width=800` : this.#firsts['/map'];
  }

  #control(path) {
    this.controls[path] = new Controls(this, this.#tables[path], path.slice(1));
    this.side.append(this.controls[path].box);
  }

  /** The controls of another kind come when it is chosen. */
  async #bring(path) {
    this.#more ??= fetch('/pages/parameters-more.json').then(answer => answer.json()).catch(() => { this.#more = undefined; });
    Object.assign(this.#tables, await this.#more);
    if (!this.#tables[path] || this.controls[path]) return;
    this.#control(path);
    this.#show();
    this.controls[path].showFaults(this.line.faults);
  }

  // MARK: The address

  /** As browsers say it of images. */
  accept = 'image/avif,image/webp,image/*;q=0.8,*/*;q=0.5';

  get path() { return Object.keys(KINDS).find(path => this.text.startsWith(path)) ?? '/asset'; }
  get table() { return this.#tables[this.path] ?? []; }
  get token() { return this.library.token.value; }
  /** Other letters no field of HTTP may hold. */
  get authorization() { return /^[!-~]+$/.test(this.token) ? { Authorization: `Bearer ${this.token}` } : {}; }
  choices(name) { return name === 'style' ? this.styles : choices(name, this.path); }

  values(name) {
    const alias = this.table.find(one => one.name === name)?.alias;
    return parsed(this.text).items.filter(item => item.name === name || item.name === alias).map(item => item.value);
  }

  /** An address as it is being typed. */
  type(text) { this.set(text, true); }

  set(text, isTyped = false) {
    if (!isTyped) text = text.trim().replace(/^https?:\/\/[^/]+/, '');
    this.text = text;
    this.#texts[this.path] = text;
    history.replaceState(null, '', '#' + text);
    this.#show();
    this.request();
  }

  change(name, values) { this.changeAll({ [name]: values }); }

  changeAll(all) {
    let { text } = this;
    for (const [name, values] of Object.entries(all)) text = changed(text, name, values, this.table.find(one => one.name === name)?.alias);
    if (text !== this.text) this.set(text);
  }

  choose(id) { this.set(this.path === '/asset' ? changed(this.text, 'id', [id]) : `/asset?id=${encoded(id)}&width=800`); }

  /** Those of the server, at the words and at the controls. */
  showFaults(faults) {
    this.line.showFaults(faults);
    this.controls[this.path]?.showFaults(faults);
  }

  reveal(name) { this.controls[this.path]?.reveal(name); }

  #show() {
    const { path } = this, isMap = path === '/map', isPicture = path === '/asset';
    document.body.dataset.path = path;
    for (const one of this.tabs) one.button.setAttribute('aria-pressed', one.path === path);
    for (const [of, one] of Object.entries(this.controls)) one.box.hidden = of !== path;
    this.line.show(this.text);
    if (this.controls[path]) this.controls[path].show(); else this.#bring(path);
    if (this.map) this.map.box.hidden = this.map.list.hidden = !isMap;
    this.library.box.hidden = this.stage.tools.hidden = this.stage.viewer.hidden = !isPicture;
    if (isMap) this.#showMap();
    if (!isPicture && this.stage.mode !== 'result') this.stage.setMode('result');
    this.library.show();
    this.stage.viewer.href = '/view?id=' + encoded(this.values('id')[0] ?? '');
    this.exports.show();
    this.#learn();
  }

  /** Its scripts come when they are needed. */
  async #showMap() {
    const { MapPane } = await import('./playground-map.js');
    if (!this.map) {
      this.map = new MapPane(this);
      this.middle.prepend(this.map.box);
      this.library.box.after(this.map.list);
    }
    this.map.box.hidden = this.map.list.hidden = this.path !== '/map';
    if (this.path === '/map') this.map.update();
  }

  /** Facts about the picture, for crops and focal points. */
  async #learn(isAgain = false) {
    const id = this.path === '/asset' ? this.values('id')[0] : undefined;
    if (id !== this.#factsOf || isAgain) {
      this.#factsOf = id;
      if (!isAgain) this.facts = undefined;
      const response = id ? await fetch(assetPath(id), { headers: this.authorization, cache: isAgain ? 'reload' : 'default' }).catch(() => undefined) : undefined;
      if (this.#factsOf !== id) return;
      this.facts = response?.ok ? await response.json() : undefined;
    }
    this.stage.update();
  }

  // MARK: Focal points

  tokenChanged() { if (this.stage.mode === 'focus') this.stage.setMode('focus'); }

  /** `undefined` removes it. */
  async storeFocus(point) {
    const headers = this.authorization;
    const response = await fetch(assetPath(this.values('id')[0] ?? '') + '/focus', point
      ? { method: 'PUT', headers: { ...headers, 'Content-Type': 'application/json' }, body: JSON.stringify(point) } : { method: 'DELETE', headers });
    if (!response.ok) {
      const { title, detail } = await problem(response);
      this.stage.refuse(title, detail);
      return;
    }
    await this.#learn(true);
    this.useFocus(point ? 'focus' : 'attention');
    this.request();
  }

  /** A gravity that can be seen: something must be cut off. */
  useFocus(gravity) {
    const all = { gravity: [gravity] }, isRegion = /^(\d+x\d+|[\d.]+:[\d.]+|square)/.test(this.values('crop')[0] ?? '');
    if (!isRegion) {
      if (!this.values('width').length) all.width = ['600'];
      if (!this.values('height').length) all.height = ['600'];
      all.fit = ['cover'];
    }
    this.changeAll(all);
  }

  // MARK: Answers

  async #request() {
    const { text } = this;
    this.#stop?.abort();
    const stop = this.#stop = new AbortController();
    this.stage.wait();
    try {
      const response = await fetch(text, { headers: { Accept: this.accept }, signal: stop.signal });
      if (!response.ok) {
        const said = await problem(response);
        if (stop.signal.aborted) return;
        this.showFaults(said.parameters ?? []);
        return this.stage.refuse(said.title, said.parameters ? 'See the address above.' : said.detail);
      }
      const content = await response.blob();
      if (stop.signal.aborted) return;
      this.showFaults([]);
      await this.#came(response, content);
      if (this.details.box.open) this.#explain();
    } catch (error) {
      if (error.name === 'AbortError') return;
      this.stage.refuse('The server does not answer', 'Is it running? The address is sent again with the next change.');
    }
  }

  async #came(response, content) {
    const [type] = (response.headers.get('Content-Type') ?? '').split(';');
    if (!type.startsWith('image/')) {
      const said = await content.text();
      let shown = said;
      try { shown = JSON.stringify(JSON.parse(said), null, 2); } catch { /* Some other text. */ }
      return this.stage.showText(shown, [type, bytes(content.size)]);
    }
    if (this.mediaType !== type) { this.mediaType = type; this.exports.show(); }
    const quality = response.headers.get('Veduta-Quality'), frames = response.headers.get('Veduta-Frames');
    const took = [...(response.headers.get('Server-Timing') ?? '').matchAll(/dur=([\d.]+)/g)].reduce((sum, [, value]) => sum + Number(value), 0);
    const isHit = /;\s*hit/.test(response.headers.get('Cache-Status') ?? '');
    const url = URL.createObjectURL(content);
    const size = await createImageBitmap(content).then(({ width, height }) => `${width} × ${height}`, () => undefined);
    const [number, ...more] = (quality ?? '').split(';'), score = more.find(part => part.startsWith('score='))?.slice(6);
    this.stage.show(url, [size, type.replace('image/', '').replace('+xml', '').toUpperCase(), bytes(content.size), number && `quality ${number}`, score && `score ${score}`,
      frames && `${frames.split(';')[0]} frames`, isHit ? 'from the cache' : took > 0 && `made in ${milliseconds(took)}`].filter(Boolean));
  }

  /** Its script comes when it is opened. */
  #makeDetails() {
    const box = element('details', { className: 'details' }, element('summary', { textContent: 'How it was made' }));
    box.ontoggle = () => { if (box.open) this.#explain(); };
    return { box };
  }

  async #explain() {
    const { Details } = await import('./playground-details.js');
    this.details.shown ??= new Details(this, this.details.box);
    this.details.shown.update();
  }
}

const main = document.getElementById('playground');
if ('closed' in main.dataset) await (await import('./playground-token.js')).enter(main);
const response = await fetch('/pages/parameters.json');
if (response.ok) {
  const playground = new Playground(main, await response.json());
  globalThis.vedutaPlayground = playground;
  await playground.start();
}
