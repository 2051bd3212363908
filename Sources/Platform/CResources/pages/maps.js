// The page at /maps: a map to pan, in the styles of the list below it.

import { copyButton, element, settled } from './common.js';
import { Slippy } from './slippy.js';

const main = document.getElementById('maps');
// Of the page's own address, where the server wants signatures.
const signature = main.dataset.signature ?? '';
const items = [...main.querySelectorAll('.styles li')];
const query = new URL(main.dataset.start, location.href).searchParams;
const [zoomText, lat, lon] = location.hash.slice(1).split('/');
const start = location.hash ? { center: { lat: Number(lat), lon: Number(lon) }, zoom: Number(zoomText) }
  : { center: { lat: Number(query.get('latitude')), lon: Number(query.get('longitude')) }, zoom: Math.max(2, Number(query.get('zoom') ?? 2)) };
const isKnown = Number.isFinite(start.zoom) && Math.abs(start.center.lat) <= 90 && Math.abs(start.center.lon) <= 180;
if (!isKnown) Object.assign(start, { center: { lat: 20, lon: 10 }, zoom: 2 });

const names = items.map(item => item.dataset.style);
let style = names[0] === 'light' && names.includes('dark') && matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : names[0];
const place = element('p', { className: 'small muted', role: 'status' });
const picture = element('a', { className: 'small', textContent: 'Open as a picture' });
const map = new Slippy({
  address: (z, x, y) => `/tiles/${encodeURIComponent(style)}/${z}/${x}/${y}${devicePixelRatio > 1 ? '@2x' : ''}.png${signature}`,
  ...start, label: 'Map', changed: told,
});

// Browsers count how often it changes.
const keep = settled(150, hash => history.replaceState(null, '', hash));

/** The hash is that of other web maps: zoom/latitude/longitude. */
function told() {
  const { center, zoom } = map, text = [zoom.toFixed(2), center.lat.toFixed(4), center.lon.toFixed(4)];
  keep('#' + text.join('/'));
  place.textContent = `${text[1]}, ${text[2]} · zoom ${text[0]}`;
  picture.href = `/#/map?latitude=${text[1]}&longitude=${text[2]}&zoom=${Number(text[0])}&width=800&height=500&style=${encodeURIComponent(style)}`;
}

const buttons = items.map(item => {
  const button = element('button', { type: 'button', className: 'show', 'aria-label': `Show ${item.dataset.style}` });
  button.append(item.querySelector('img'));
  button.onclick = () => {
    style = item.dataset.style;
    show();
    map.refresh();
    scrollTo({ top: 0, behavior: 'smooth' });
  };
  item.prepend(button);
  return button;
});

function show() {
  items.forEach((item, index) => buttons[index].setAttribute('aria-pressed', item.dataset.style === style));
  map.attribute(style, signature);
  told();
}

main.prepend(map.box, element('div', { className: 'place' }, place, ...(signature ? [] : [picture, copyButton(() => picture.href, 'Copy URL')])));
for (const code of main.querySelectorAll('pre')) {
  code.textContent = code.textContent.replace(/'\/(tiles|styles)/g, `'${location.origin}/$1`);
  code.after(copyButton(() => code.textContent));
}
show();
globalThis.vedutaMaps = map;
