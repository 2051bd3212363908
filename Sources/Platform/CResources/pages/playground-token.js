// Pages of a server that lists for its token alone: asks for the token before anything else.

import { element, problem } from './common.js';
import { keep, kept } from './playground-library.js';

/** What the playground reads in `main`. */
const playground = {
  path: '/',
  words: 'Show the playground',
  take(main, page) {
    const shown = page.getElementById('playground');
    main.dataset.styles = shown.dataset.styles;
    main.replaceChildren(...[...shown.querySelectorAll('figure a')].map(one => element('a', { href: one.getAttribute('href') })));
  },
};

/** Takes what the server shows with the token. Returns '' or why it shows nothing. */
async function open(main, { path, take }, token) {
  // A field of HTTP holds nothing else.
  if (!/^[\x21-\x7e]+$/.test(token)) return 'The server does not accept this token.';
  try {
    const response = await fetch(path, { headers: { Accept: 'text/html', Authorization: `Bearer ${token}` } });
    if (response.status === 401) return 'The server does not accept this token.';
    if (!response.ok) {
      const { title, detail } = await problem(response);
      return `${title}. ${detail}`;
    }
    take(main, new DOMParser().parseFromString(await response.text(), 'text/html'));
    keep(token);
    return '';
  } catch {
    return 'The server does not answer. Is it running?';
  }
}

/** Returns when the server has accepted a token, that of this tab or one that is entered, and `main` has what it opens. */
export async function enter(main, wanted = playground) {
  let why = kept() && await open(main, wanted, kept());
  if (kept() && !why) return;
  const field = element('input', { type: 'password', id: 'token', autocomplete: 'off', required: true, 'aria-describedby': 'token-told' });
  const said = element('p', { className: 'small', role: 'alert', textContent: why });
  // The field has no name, so that no address ever has its value.
  const form = element('form', { className: 'page' },
    element('h2', { textContent: 'A token is needed' }), element('p', { id: 'token-told', textContent: 'This server shows its list to those with its token. It is kept until this tab is closed.' }),
    element('p', { className: 'row' }, element('label', { for: 'token', textContent: 'Token of the server' }), field, element('button', { textContent: wanted.words })), said);
  main.replaceChildren(form);
  field.focus();
  await new Promise(resolve => {
    form.onsubmit = async event => {
      event.preventDefault();
      why = await open(main, wanted, field.value.trim());
      if (!why) return resolve();
      said.textContent = why;
      field.select();
    };
  });
}
