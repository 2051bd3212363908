// The viewer at /view: a big strip and a film strip of the same pages, of which either leads the other.

import { clamp, element, problem } from './common.js';
import { CHANGE_MS, RATE_MS, between, easeInOut, pitch, screens } from './viewer-geometry.js';
import { dragByMouse, listenToKeys } from './viewer-input.js';
import { Model, PAGE_LIMIT } from './viewer-model.js';
import { BigStrip, FilmStrip } from './viewer-strips.js';
import { makeBar } from './viewer-bar.js';
import { Zoom } from './viewer-zoom.js';

/** Without an event of scrolling for so long, a strip stands. */
const STILL_MS = 120, MOVE_MS = 280;
const still = matchMedia('(prefers-reduced-motion: reduce)');

class Viewer {
  #leader = null; #stillTimer = 0; #moves = new Map(); #fingers = new Set(); #drawn = 0; #hashTimer = 0; #hold = 0;

  constructor(main) {
    this.model = new Model(main, index => this.#learned(index), said => this.#refused(said));
    const { model } = this;
    this.film = new FilmStrip(model, () => this.#scrolled(this.film));
    this.big = new BigStrip(model, () => this.#scrolled(this.big), (index, url) => this.#failed(url));
    this.notice = element('p', { className: 'notice note fault', hidden: true });
    this.notice.setAttribute('role', 'alert');
    this.spoken = element('p', { className: 'unseen' });
    this.spoken.setAttribute('role', 'status');
    this.stage = element('div', { className: 'stage' }, this.big.box);
    this.bar = makeBar(this);
    main.replaceChildren(this.bar.element, this.stage, this.film.box, this.notice, this.spoken);
    main.classList.add('running');
    this.zoom = new Zoom(this.stage, {
      get isDrawing() { return model.isDrawing; },
      size: index => model.size(index),
      isShaded: index => model.isShaded(index),
      address: (index, values) => model.address(index, values),
      whole: ({ index, width, height }) => this.big.address(index, width, height),
      shown: index => this.big.box.querySelector(`img[alt="${CSS.escape(model.name(index))}"]`),
    }, x => this.#boxAt(x), () => this.bar.update());
    this.#listen();
    this.#place(this.#pageOfHash() ?? 0);
    this.#settled();
    if (model.total > PAGE_LIMIT) this.say(`The viewer shows the first ${PAGE_LIMIT} of ${model.total} pages.`);
  }

  // MARK: Who leads

  /** `strip` is moved by the user; the other one follows, and is not listened to. */
  #lead(strip) {
    if (this.#leader === strip) return;
    this.#stop();
    this.#leader = strip;
    this.#other(strip).unbind();
    strip.bind();
    this.stage.classList.toggle('led', strip !== this.big);
  }

  #other(strip) { return strip === this.film ? this.big : this.film; }

  #scrolled(strip) {
    if (this.#leader === null) this.#lead(strip);
    if (this.#leader !== strip) return;
    if (strip === this.film) this.#turnRate(0);
    this.#follow();
    this.#waitForStill();
  }

  #waitForStill() {
    clearTimeout(this.#stillTimer);
    this.#stillTimer = setTimeout(() => (this.#fingers.size ? this.#waitForStill() : this.#stand()), STILL_MS);
  }

  /** The other strip goes where the leader is. */
  #follow() {
    const { film, big, model } = this, { isPaired } = model;
    if (this.#leader === film) {
      const page = clamp(film.offset / pitch, 0, model.count - 1);
      big.scrollTo(between(page, at => screens.of(at, isPaired)) * big.width);
      this.#activate(Math.round(page));
    } else {
      const screen = clamp(big.offset / big.width, 0, big.screenCount - 1);
      const page = Math.min(between(screen, at => screens.first(at, isPaired)), model.count - 1);
      film.scrollTo(page * pitch);
      this.#activate(Math.round(page));
    }
    this.#draw();
  }

  /** The leader stands: the film strip stops at the nearest page. */
  #stand() {
    const { film } = this;
    if (this.#leader === film) {
      const from = film.offset, to = Math.round(from / pitch) * pitch;
      this.#turnRate(1);
      film.unbind();
      return this.#move('snap', RATE_MS, t => { film.scrollTo(from + (to - from) * t); this.#follow(); }, () => this.#settled());
    }
    this.#settled();
  }

  /** Nobody leads; both are where the active page is. */
  #settled() {
    this.#leader = null;
    this.#place(this.model.active);
    this.#turnRate(1);
    this.model.need(this.model.active);
    clearTimeout(this.#hashTimer);
    // Not in the frame that has new pages to draw.
    this.#hashTimer = setTimeout(() => {
      this.#tell();
      this.big.prefetch(screens.of(this.model.active, this.model.isPaired));
    });
  }

  /** Puts both strips to a page, unheard. */
  #place(page) {
    const { film, big, model } = this;
    film.unbind();
    big.unbind();
    this.#activate(clamp(page, 0, model.count - 1));
    film.measure();
    big.measure();
    this.stage.classList.add('led');
    film.scrollTo(model.active * pitch);
    big.scrollTo(screens.of(model.active, model.isPaired) * big.width);
    this.#render();
    // The events of what was just scrolled come with the next frame.
    const hold = ++this.#hold;
    requestAnimationFrame(() => requestAnimationFrame(() => {
      if (hold !== this.#hold || this.#leader || this.#moves.has('go')) return;
      this.stage.classList.remove('led');
      film.bind();
      big.bind();
    }));
  }

  // MARK: Moving

  /** Runs `step` with the eased share of `duration` that has passed, then `end`. One of each name runs. */
  #move(name, duration, step, end = () => {}) {
    cancelAnimationFrame(this.#moves.get(name));
    let start = null;
    const tick = now => {
      start ??= now;
      const t = still.matches || !duration ? 1 : Math.min(1, (now - start) / duration);
      if (t < 1) this.#moves.set(name, requestAnimationFrame(tick)); else this.#moves.delete(name);
      step(easeInOut(t));
      if (t === 1) end();
    };
    this.#moves.set(name, requestAnimationFrame(tick));
  }

  #stop() {
    for (const name of ['snap', 'go']) {
      cancelAnimationFrame(this.#moves.get(name));
      this.#moves.delete(name);
    }
    clearTimeout(this.#stillTimer);
  }

  /** The rate at which the page in the middle of the film strip is expanded goes to `target` from where it is. */
  #turnRate(target) {
    const { film } = this;
    if (this.rateTarget === target) return;
    this.rateTarget = target;
    const from = film.rate;
    this.#move('rate', RATE_MS * Math.abs(target - from), t => { film.rate = from + (target - from) * t; this.#draw(); });
  }

  goTo(page) {
    const { model, film, big } = this, to = clamp(page, 0, model.count - 1);
    this.zoom.close();
    this.#stop();
    this.#leader = null;
    const from = film.offset / pitch, { isPaired } = model;
    if (Math.abs(to - from) > 1.5 + isPaired || still.matches) {
      this.model.active = to;
      return this.#settled();
    }
    film.unbind();
    big.unbind();
    this.stage.classList.add('led');
    const screen = big.offset / big.width, toScreen = screens.of(to, isPaired);
    this.#activate(to);
    this.#move('go', MOVE_MS, t => {
      film.scrollTo((from + (to - from) * t) * pitch);
      big.scrollTo((screen + (toScreen - screen) * t) * big.width);
      this.#draw();
    }, () => this.#settled());
  }

  step(by) {
    const { active, isPaired } = this.model;
    if (!isPaired) return this.goTo(active + by);
    this.goTo(screens.first(clamp(screens.of(active, true) + by, 0, this.big.screenCount - 1), true));
  }

  // MARK: Drawing

  #draw() {
    if (!this.#drawn) this.#drawn = requestAnimationFrame(() => this.#render());
  }

  #render() {
    cancelAnimationFrame(this.#drawn);
    this.#drawn = 0;
    this.film.render();
    this.big.render();
    this.film.select(this.model.active);
  }

  #learned(index) {
    if (!this.big) return;
    if (index === null) { this.film.measure(); this.big.measure(); }
    this.#draw();
    this.bar.update();
  }

  #activate(page) {
    if (page === this.model.active && this.isTold) return;
    this.isTold = true;
    this.model.active = page;
    this.notice.hidden = true;
    this.bar.update();
    this.model.need(page);
    clearTimeout(this.#hashTimer);
    this.#hashTimer = setTimeout(() => this.#tell(), 150);
  }

  #tell() {
    const { model } = this, hash = `#page=${model.active + 1}`;
    if (location.hash !== hash && (model.active || location.hash)) history.replaceState(null, '', hash);
    document.title = model.count > 1 ? `${model.active + 1} of ${model.count} – ${model.title}` : model.title;
    if (model.count > 1) this.spoken.textContent = model.name(model.active);
  }

  #pageOfHash() {
    const page = Number(/^#page=(\d{1,6})$/.exec(location.hash)?.[1]);
    return page ? clamp(page, 1, this.model.count) - 1 : null;
  }

  // MARK: Listening

  #listen() {
    const { film, big } = this;
    const lifted = event => { for (const { identifier } of event.changedTouches) this.#fingers.delete(identifier); };
    for (const strip of [film, big]) {
      const begin = () => { if (this.#leader !== strip) this.#lead(strip); else this.#moves.has('snap') && this.#stop(); strip.bind(); };
      strip.box.addEventListener('wheel', event => {
        if (strip === big && (this.zoom.isOpen || Math.abs(event.deltaY) >= Math.abs(event.deltaX))) return;
        begin();
        if (strip === film && Math.abs(event.deltaY) > Math.abs(event.deltaX)) {
          event.preventDefault();
          film.box.scrollLeft += event.deltaY;
        }
        this.#waitForStill();
      }, { passive: strip === big });
      strip.box.addEventListener('touchstart', event => {
        for (const { identifier } of event.changedTouches) this.#fingers.add(identifier);
        // The strip does not hear of it where the page that was touched has left the strip meanwhile.
        for (const kind of ['touchend', 'touchcancel']) event.target.addEventListener(kind, lifted, { passive: true });
        begin();
        this.#waitForStill();
      }, { passive: true });
      dragByMouse(strip.box, {
        press: () => this.#fingers.add('mouse'),
        move: by => {
          begin();
          strip.box.scrollLeft -= by;
          this.#waitForStill();
          this.stage.classList.add('led');
        },
        release: hasMoved => {
          this.#fingers.delete('mouse');
          if (hasMoved && strip === big) this.goTo(this.model.active);
        },
        choose: strip === film ? index => this.goTo(index) : null,
      });
    }
    listenToKeys(this);
    addEventListener('hashchange', () => { const page = this.#pageOfHash(); if (page !== null && page !== this.model.active) this.goTo(page); });
    // A window that turns clamps what is scrolled, so nothing is listened to before.
    const resized = () => {
      this.#stop();
      this.#leader = null;
      this.zoom.close();
      this.#place(this.model.active);
    };
    addEventListener('resize', resized);
    new ResizeObserver(() => { if (this.stage.clientWidth !== big.width || this.stage.clientHeight !== big.height) resized(); }).observe(this.stage);
  }

  // MARK: What the bar does

  /** The page under a place of the stage. */
  #boxAt(x) {
    const boxes = this.big.rectangles(screens.of(this.model.active, this.model.isPaired));
    return boxes.find(box => x < box.x + box.width) ?? boxes[boxes.length - 1];
  }

  change(values) {
    const { active, pages } = this.model;
    this.zoom.close();
    Object.assign(pages[active], values);
    this.film.refresh(active);
    this.big.refresh(active);
    this.#render();
    this.bar.update();
  }

  pair(isPaired) {
    this.zoom.close();
    this.model.isPaired = isPaired;
    this.big.clear();
    this.#settled();
    this.bar.update();
  }

  say(words) { this.spoken.textContent = words; }

  async #failed(url) {
    const answer = await fetch(url).catch(() => null);
    if (!answer) return this.#refused({ status: 0, title: 'The server does not answer', detail: '' });
    if (!answer.ok) this.#refused({ ...await problem(answer), status: answer.status });
  }

  #refused({ status, title, detail }) {
    const isClosed = status === 401 || status === 403;
    this.notice.textContent = `${isClosed ? 'This server refuses the pictures: ' : ''}${title}. ${detail ?? ''}`;
    this.notice.hidden = false;
  }

  // MARK: Documents that change. Nothing calls these yet but the tests: documents cannot be changed on the server.

  /** The page shrinks while the others close up and the new middle grows; then the data change. */
  remove(index) {
    const { model, film } = this;
    if (model.count < 2 || film.change) return Promise.resolve(null);
    const isLast = index === model.count - 1, isActive = index === model.active;
    const next = index < model.active || (isActive && isLast) ? model.active - 1 : model.active;
    const from = film.offset, to = isLast && isActive ? next * pitch : index < model.active ? from - pitch : from;
    return this.#animateChange(index, t => { film.change = { index, share: 1 - t }; film.scrollTo(from + (to - from) * t); },
      () => { const page = model.remove(index); this.#changed(next); return page; });
  }

  insert(index, page) {
    const { model, film } = this;
    if (film.change) return Promise.resolve(null);
    model.insert(index, page);
    const active = index <= model.active ? model.active + 1 : model.active;
    film.change = { index, share: 0 };
    this.#changed(active, true);
    const to = active * pitch, from = index < active ? to - pitch : to;
    return this.#animateChange(index, t => { film.change = { index, share: t }; film.scrollTo(from + (to - from) * t); },
      () => { this.#changed(active); return page; });
  }

  #animateChange(index, step, end) {
    this.#stop();
    this.film.unbind();
    this.big.unbind();
    return new Promise(resolve => this.#move('change', CHANGE_MS, t => {
      step(t);
      this.#render();
    }, () => { this.film.change = null; resolve(end()); }));
  }

  #changed(active, keeps = false) {
    this.model.active = active;
    this.isTold = false;
    this.film.clear();
    this.big.clear();
    if (keeps) { this.film.measure(); this.big.measure(); } else { this.#settled(); }
  }
}

globalThis.vedutaViewer = new Viewer(document.getElementById('viewer'));
