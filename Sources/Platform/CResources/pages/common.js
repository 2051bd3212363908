// What the scripts of several pages do.

/** An element. Properties whose names have a dash, and `role` and `for`, are attributes. */
export function element(name, properties = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (key.includes('-') || key === 'role' || key === 'for') made.setAttribute(key, value);
    else made[key] = value;
  }
  made.append(...children);
  return made;
}

/** The path of an asset. The slash before a last part that would make it the path of something of another asset stays escaped. */
export const assetPath = id => '/assets/' + id.split('/').map(encodeURIComponent).join('/').replace(/\/(original|pages|focus)$/, '%2F$1');

/** Text in which words between backticks are code. */
export const marked = text => text.split('`').map((part, index) => (index % 2 ? element('code', { textContent: part }) : part));

export const bytes = count => (count < 1000 ? `${count} bytes` : count < 1e6 ? `${(count / 1000).toFixed(1)} kB` : `${(count / 1e6).toFixed(2)} MB`);
export const milliseconds = value => (value < 10 ? `${value.toFixed(1)} ms` : value < 1000 ? `${Math.round(value)} ms` : `${(value / 1000).toFixed(1)} s`);

/** Puts text where it can be pasted; without the permission through a field that is selected. */
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const field = element('textarea', { value: text, className: 'unseen' });
    document.body.append(field);
    field.select();
    const isCopied = document.execCommand('copy');
    field.remove();
    return isCopied;
  }
}

/** A button that copies what `text` gives, and says so for a moment. */
export function copyButton(text, words = 'Copy') {
  const button = element('button', { type: 'button', textContent: words });
  button.onclick = async () => {
    button.textContent = await copy(text()) ? 'Copied' : 'Not copied';
    setTimeout(() => { button.textContent = words; }, 1600);
  };
  return button;
}

export const clamp = (value, low, high) => Math.min(high, Math.max(low, value));

/** Calls `action` when nothing has happened for `milliseconds`. */
export function settled(milliseconds, action) {
  let timer = 0;
  return (...values) => {
    clearTimeout(timer);
    timer = setTimeout(action, milliseconds, ...values);
  };
}

/** What a server's refusal says, as an object; never throws. */
export async function problem(response) {
  try {
    return await response.json();
  } catch {
    return { title: `The server answers ${response.status}`, detail: '' };
  }
}
