// Addresses as they are typed: every item knows where it stands in the text.

export const encoded = text =>
  encodeURIComponent(text)
    .replace(/[!'()*]/g, mark => '%' + mark.charCodeAt(0).toString(16).toUpperCase())
    .replace(/%2F|%3A|%2C/g, decodeURIComponent);

function decoded(text) {
  try {
    return decodeURIComponent(text.replace(/\+/g, ' '));
  } catch {
    return text;
  }
}

/** `{ path, items: [{ name, value, start, middle, end }] }`: an item stands from `start` to `end`, its value from `middle`. */
export function parsed(text) {
  const mark = text.indexOf('?');
  const path = mark < 0 ? text : text.slice(0, mark);
  const items = [];
  let start = mark + 1;
  while (mark >= 0 && start <= text.length) {
    const next = text.indexOf('&', start), end = next < 0 ? text.length : next;
    const raw = text.slice(start, end), equals = raw.indexOf('=');
    const middle = equals < 0 ? end : start + equals + 1;
    if (raw) {
      const name = decoded(equals < 0 ? raw : raw.slice(0, equals));
      items.push({ name, value: decoded(text.slice(middle, end)), start, middle, end });
    }
    start = end + 1;
  }
  return { path, items };
}

export const written = (path, items) =>
  path + '?' + items.map(({ name, value }) => `${encoded(name)}=${encoded(value)}`).join('&');

/** The text with `values` of the parameter `name`, an alias of which may stand there; without it where there are none. */
export function changed(text, name, values, alias) {
  const { path, items } = parsed(text);
  const isIt = item => item.name === name || item.name === alias;
  const place = items.findIndex(isIt), rest = items.filter(item => !isIt(item));
  const added = values.filter(value => value !== '').map(value => ({ name, value }));
  const at = place < 0 ? rest.length : items.slice(0, place).filter(item => !isIt(item)).length;
  return written(path, [...rest.slice(0, at), ...added, ...rest.slice(at)]);
}

/** How many letters must change; 3 for more. */
function distance(one, other) {
  if (Math.abs(one.length - other.length) > 2) return 3;
  let row = [...other].map((_, index) => index + 1);
  row.unshift(0);
  for (let i = 1; i <= one.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= other.length; j += 1) {
      next.push(Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + (one[i - 1] === other[j - 1] ? 0 : 1)));
    }
    row = next;
  }
  return row[other.length];
}

/** The nearest of `names`, if it is near. */
export function nearest(text, names) {
  const found = names.map(name => [distance(text, name), name]).sort((a, b) => a[0] - b[0])[0];
  return found && found[0] > 0 && found[0] < 3 ? found[1] : undefined;
}
