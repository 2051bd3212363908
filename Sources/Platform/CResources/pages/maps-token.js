// The page at /maps of a server that lists for its token alone: asks for the token, and becomes the page that it opens.

import { enter } from './playground-token.js';

await enter(document.getElementById('maps'), {
  path: '/maps',
  words: 'Show the maps',
  take: (main, page) => document.body.replaceChildren(...page.body.children),
});
// Where tiles want signatures there is no map to pan.
if (document.querySelector('.styles img')) await import('./maps.js');
