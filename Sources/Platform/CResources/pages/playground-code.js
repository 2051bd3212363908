// The address as code: for curl, in Swift, and for a picture element.

import { parsed, written } from './playground-query.js';

const quoted = text => `'${text.replace(/'/g, `'\\''`)}'`;
const swiftText = text => JSON.stringify(text);
const SINGLE = new Set(['id', 'width', 'height', 'fit', 'gravity', 'scale', 'format', 'quality']);

/** Code for the builders of VedutaClient. */
export function swift(text) {
  const { path, items } = parsed(text);
  const one = name => items.find(item => item.name === name)?.value;
  const address = `URL(string: ${swiftText(new URL(text, location.href).href)})!`;
  const type = { '/asset': 'AssetURL', '/map': 'MapURL', '/avatar': 'AvatarURL', '/poll': 'PollURL' }[path];
  const names = items.map(item => item.name);
  if (!type) return `let url = ${address}`;
  if (path !== '/asset' || new Set(names).size < names.length) return `let url = try ${type}(parsing: ${address})`;
  const isNumber = value => /^\d+$/.test(value ?? '');
  let code = `let url = AssetURL(${swiftText(one('id') ?? '')})`;
  const rest = items.filter(item => !SINGLE.has(item.name));
  const add = (name, isKnown, call) => {
    const value = one(name);
    if (value === undefined) return;
    if (isKnown) code += `\n    ${call}`; else rest.push({ name, value });
  };
  const sizes = ['width', 'height'].filter(name => isNumber(one(name)));
  if (sizes.length) code += `\n    .size(${sizes.map(name => `${name}: ${one(name)}`).join(', ')})`;
  for (const name of ['width', 'height']) add(name, isNumber(one(name)), '');
  code = code.replace(/\n {4}(?=\n|$)/g, '');
  add('scale', !Number.isNaN(Number(one('scale'))), `.scale(${one('scale')})`);
  add('fit', true, `.fit(.${one('fit')})`);
  const named = { attention: 'attention', entropy: 'entropy', smart: 'smart', focus: 'storedFocus' }[one('gravity')];
  add('gravity', named, `.gravity(.${named})`);
  add('format', one('format') !== 'json' && one('format') !== 'auto', `.format(.${one('format')})`);
  const auto = /^auto:(\d+)$/.exec(one('quality') ?? '');
  add('quality', isNumber(one('quality')) || auto, auto ? `.quality(.auto(${auto[1]}))` : `.quality(.score(${one('quality')}))`);
  for (const { name, value } of rest) code += `\n    .parameter(${swiftText(name)}, ${swiftText(value)})`;
  return code;
}

export function curl(text, type = '') {
  const { path, items } = parsed(text), name = (items.find(item => item.name === 'id')?.value ?? path).split('/').pop().replace(/\.[^.]*$/, '');
  const format = items.find(item => item.name === 'format')?.value ?? type.replace('image/', '');
  const ending = { jpeg: 'jpg', '': 'jpg', auto: 'jpg' }[format] ?? format;
  const accept = items.some(item => item.name === 'format') ? '' : ` -H ${quoted('Accept: ' + (type || 'image/jpeg'))}`;
  return `curl -o ${quoted(`${name}.${ending}`)}${accept} ${quoted(new URL(text, location.href).href)}`;
}

/** What `/srcset` takes of an address of `/asset`. */
export function srcset(text) {
  const { items } = parsed(text), one = name => Number(items.find(item => item.name === name)?.value);
  const given = items.filter(({ name }) => !['width', 'height', 'format', 'dpi', 'bytes', 'explain', 'download', 'pages'].includes(name));
  const width = Math.min(2000, one('width') || 800), height = one('height');
  const widths = [...new Set([width / 2, width, width * 1.5, width * 2].map(value => Math.min(8192, Math.round(value))))];
  const ratio = height && one('width') ? [{ name: 'width', value: String(one('width')) }, { name: 'height', value: String(height) }] : [];
  return written('/srcset', [...given, ...ratio, { name: 'widths', value: widths.join(',') }, { name: 'html', value: '1' }]);
}

/** Run where the key is. */
export const sign = text => `veduta sign ${quoted(text)} --expires-in 86400`;
