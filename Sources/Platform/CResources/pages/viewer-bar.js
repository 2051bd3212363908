// The bar over the pages: where one is, and what can be done with the page.

import { copy as put, element } from './common.js';

const looks = ['', 'grayscale', 'sepia', 'look:noir', 'look:vintage', 'look:vivid', 'look:cool', 'look:warm', 'look:bleach', 'look:cinema', 'look:dream', 'invert'];
const lookName = look => (look ? look.replace('look:', '').replace('grayscale', 'grey').replace(/^./, c => c.toUpperCase()) : 'Original');

const icons = {
  before: 'M15 5l-7 7 7 7', after: 'M9 5l7 7-7 7', turn: 'M20 12a8 8 0 1 1-2.5-5.8M20 3v4.5h-4.5', smaller: 'M6 12h12',
  larger: 'M6 12h12M12 6v12', pair: 'M4 5h7.25v14H4zM12.75 5H20v14h-7.25z', copy: 'M9 9h10v10H9zM15 9V5H5v10h4',
};

function icon(name) {
  const space = 'http://www.w3.org/2000/svg';
  const drawing = document.createElementNS(space, 'svg'), path = document.createElementNS(space, 'path');
  drawing.setAttribute('viewBox', '0 0 24 24');
  drawing.setAttribute('aria-hidden', 'true');
  path.setAttribute('d', icons[name]);
  drawing.append(path);
  return drawing;
}

function button(name, words, action) {
  const made = element('button', { type: 'button', className: `quiet ${name}`, title: words, onclick: action }, icon(name));
  made.setAttribute('aria-label', words);
  return made;
}

export function makeBar(viewer) {
  const { model } = viewer;
  const title = element('h1', { textContent: model.title, title: model.title });
  const place = element('p', { className: 'place' });
  const before = button('before', 'Page before (←)', () => viewer.step(-1));
  const after = button('after', 'Next page (→)', () => viewer.step(1));
  const smaller = button('smaller', 'Zoom out (−)', () => viewer.zoom.by(1 / 1.5));
  const larger = button('larger', 'Zoom in (+)', () => viewer.zoom.by(1.5));
  const pair = button('pair', 'Pages side by side', () => viewer.pair(!model.isPaired));
  const turn = button('turn', 'Turn the page', () => viewer.change({ turned: (model.pages[model.active].turned + 90) % 360 }));
  const look = element('select', { title: 'Look of the page', onchange: () => viewer.change({ look: look.value }) },
    ...looks.map(value => element('option', { value, textContent: lookName(value) })));
  look.setAttribute('aria-label', 'Look of the page');
  const copy = element('button', { type: 'button', className: 'copy', title: 'Copy the URL of the page as it is shown' },
    icon('copy'), element('span', { textContent: 'Copy URL' }));
  copy.onclick = async () => {
    const { index = model.active, crop } = viewer.zoom.part ?? {};
    const url = new URL(model.address(index, { crop, width: 1600, height: 1600, fit: 'inside' }), location.href).href;
    const isCopied = await put(url);
    copy.lastChild.textContent = isCopied ? 'Copied' : 'Not copied';
    viewer.say(isCopied ? 'The URL is copied' : url);
    setTimeout(() => { copy.lastChild.textContent = 'Copy URL'; }, 1600);
  };
  const tools = element('div', { className: 'tools' }, smaller, larger, pair, turn, look, copy);
  const bar = element('header', { className: 'bar' }, title, element('div', { className: 'steps' }, before, place, after), tools);
  for (const made of [pair, before, place, after]) made.hidden = model.count < 2;

  return {
    element: bar,
    update() {
      const { active, count, pages, isPaired } = model, isOpen = viewer.zoom?.isOpen;
      for (const made of [pair, before, place, after]) made.hidden = count < 2;
      title.textContent = model.isDocument ? model.title : pages[active]?.id.split('/').pop() ?? '';
      place.textContent = `${active + 1} / ${count}`;
      before.disabled = active === 0;
      after.disabled = active === count - 1;
      smaller.disabled = !isOpen;
      pair.setAttribute('aria-pressed', isPaired);
      look.value = pages[active]?.look ?? '';
    },
  };
}
