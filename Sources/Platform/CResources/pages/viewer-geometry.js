// Where things stand in the two strips of the viewer: numbers in, numbers out. Lengths are CSS pixels.

import { clamp } from './common.js';

/** The film strip at rest: pages are `width` by `height`, `gap` apart; `room` is added on both sides of the page in the middle. */
export const FILM = { width: 40, height: 56, gap: 4, room: 10, ratioLimit: 5 };
/** Between pages of the big strip, and the share of the width by which pictures lag behind their pages. */
export const BIG = { gap: 44, lag: 0.3 };
export const RATE_MS = 150;
export const CHANGE_MS = 250;

export const pitch = FILM.width + FILM.gap;
export const easeInOut = t => (t < 0.5 ? 2 * t * t : 1 - 2 * (1 - t) * (1 - t));

/** How much the page is the one in the middle: 1 there, 0 from a whole cell away. */
export const expansion = (offset, ownOffset) => Math.max(0, 1 - Math.abs(offset - ownOffset) / pitch);

export const filmWidth = (ratio, e, rate) =>
  FILM.width + (FILM.height * Math.min(ratio, FILM.ratioLimit) - FILM.width) * e * rate;

/** Pages that are wholly or partly inside `width`, and one more on each side, as [first, end). */
export const filmWindow = (offset, width, count) => {
  const half = width / 2 + pitch / 2;
  return [clamp(Math.ceil((offset - half) / pitch), 0, count), clamp(Math.floor((offset + half) / pitch) + 1, 0, count)];
};

/**
 * The cells of `indices` in the film strip, as {index, x, width}; x is the left side from the start of the strip's content,
 * whose padding of (width − FILM.width) / 2 lets the first and the last page stand in the middle.
 *
 * `change` is a page that comes or goes: {index, share}, of which `share` is there.
 */
export function filmLayout({ offset, width, rate, ratioOf, indices, count, change = null }) {
  const padding = (width - FILM.width) / 2;
  const gone = change ? 1 - change.share : 0;
  const own = index => (index - (change && index > change.index ? gone : 0)) * pitch;
  const share = index => (change?.index === index ? change.share : 1);
  const cell = index => {
    const e = expansion(offset, own(index)) * share(index);
    return { index, e, width: filmWidth(ratioOf(index), e, rate) * share(index) };
  };
  // What is wider, and the room around it, moves its neighbours by half on each side.
  const extra = ({ index, e, width }) => width - FILM.width * share(index) + 2 * FILM.room * e * rate;
  const middle = clamp(Math.round(offset / pitch), 0, count - 1);
  const wide = [];
  for (let index = Math.max(0, middle - 2); index <= Math.min(count - 1, middle + 2); index++) {
    const it = cell(index);
    if (it.e > 0) wide.push([index, extra(it)]);
  }
  return indices.map(index => {
    const it = cell(index);
    let center = padding + own(index) + FILM.width / 2;
    for (const [other, size] of wide) center += Math.sign(index - other) * size / 2;
    return { index, x: center - it.width / 2, width: it.width };
  });
}

export const filmLength = (width, count) => width - FILM.width + count * FILM.width + (count - 1) * FILM.gap;

/** Shifts of the page at `index` of the big strip and of the picture in it. */
export function bigLayout(index, scroll, width) {
  const p = (index * width - scroll) / width;
  return Math.abs(p) >= 1 ? { p, cell: 0, picture: 0 } : { p, cell: BIG.gap * p, picture: -BIG.lag * width * p };
}

/** The largest rectangle with `ratio` in the middle of a box; never larger than `most` pixels wide. */
export function fitted(ratio, width, height, most = Infinity) {
  const w = Math.min(width, height * ratio, most);
  return { x: (width - w) / 2, y: (height - w / ratio) / 2, width: w, height: w / ratio };
}

/** Screens of the big strip: one page each, or side by side with the first page alone. */
export const screens = {
  of: (page, paired) => (paired ? Math.ceil(page / 2) : page),
  first: (screen, paired) => (paired ? Math.max(0, 2 * screen - 1) : screen),
  count: (pages, paired) => (paired ? Math.floor(pages / 2) + 1 : pages),
};

/** `value`, a place between whole numbers, as `map` has whole numbers. */
export function between(value, map) {
  const whole = Math.floor(value);
  return map(whole) + (map(whole + 1) - map(whole)) * (value - whole);
}
