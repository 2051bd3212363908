// The pictures of the strips: their sizes, the ThumbHash in their place, and those that are fetched before they are shown.

import { thumbHashURL } from './viewer-hash.js';

const pixels = Math.max(1, Math.min(3, devicePixelRatio || 1));
/** CSS pixels as device pixels, in steps: windows of about the same size share their pictures. */
export const stepped = length => Math.min(4096, Math.ceil(length * pixels / 64) * 64);

/** A picture that is not there has no sign of it in its place; the page says why. */
export const blank = 'data:image/gif;base64,R0lGODlhAQABAAAAACw=';

const backgrounds = new Map();
function background(hash) {
  if (!backgrounds.has(hash)) {
    if (backgrounds.size > 500) backgrounds.clear();
    const url = thumbHashURL(hash);
    backgrounds.set(hash, url ? `url("${url}")` : '');
  }
  return backgrounds.get(hash);
}

/** Has the ThumbHash of `page` behind `image`, once it is known; without a page, for good, nothing. `cell` keeps what is there. */
export function showHash(cell, image, page) {
  if (cell.hash === null) return;
  const hash = page && (page.turned ? '' : page.hash);
  if (cell.hash === hash) return;
  cell.hash = hash;
  image.style.backgroundImage = hash ? background(hash) : '';
}

// The latest pictures, so that the browser keeps them decoded.
const fetched = new Map();

/** Resolves when the picture is decoded. */
export function fetchPicture(url, priority = 'auto') {
  const known = fetched.get(url);
  if (known) return known;
  const picture = new Image();
  picture.fetchPriority = priority;
  picture.src = url;
  const loaded = picture.decode().then(() => picture);
  loaded.catch(() => fetched.delete(url));
  fetched.set(url, loaded);
  if (fetched.size > 16) fetched.delete(fetched.keys().next().value);
  return loaded;
}
