// A ThumbHash, in base64, as a `data:` picture: a first idea of a page in some 25 bytes.

const side = 32;

export function thumbHashURL(text) {
  let bytes;
  try { bytes = Uint8Array.from(atob(text), c => c.charCodeAt(0)); } catch { return null; }
  if (bytes.length < 5) return null;
  const head = bytes[0] | bytes[1] << 8 | bytes[2] << 16;
  const tail = bytes[3] | bytes[4] << 8;
  const hasAlpha = head >> 23 & 1, isWide = tail >> 15 & 1;
  const mean = [(head & 63) / 63, (head >> 6 & 63) / 31.5 - 1, (head >> 12 & 63) / 31.5 - 1];
  const scales = [(head >> 18 & 31) / 31, (tail >> 3 & 63) / 63, (tail >> 9 & 63) / 63];
  const columns = Math.max(3, isWide ? (hasAlpha ? 5 : 7) : tail & 7);
  const rows = Math.max(3, isWide ? tail & 7 : (hasAlpha ? 5 : 7));
  let nibble = hasAlpha ? 12 : 10;
  const next = () => { const byte = bytes[nibble >> 1] ?? 0; return (nibble++ & 1 ? byte >> 4 : byte & 15) / 7.5 - 1; };
  // The factors of the cosines of one channel, without the mean.
  const channel = (nx, ny, scale) => {
    const factors = [];
    for (let y = 0; y < ny; y++)
      for (let x = y ? 0 : 1; x * ny < nx * (ny - y); x++) factors.push([x, y, next() * scale]);
    return factors;
  };
  const parts = [channel(columns, rows, scales[0]), channel(3, 3, scales[1] * 1.25), channel(3, 3, scales[2] * 1.25)];
  const ratio = columns / rows;
  const width = Math.max(1, Math.round(ratio > 1 ? side : side * ratio));
  const height = Math.max(1, Math.round(ratio > 1 ? side / ratio : side));
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [width, height];
  const context = canvas.getContext('2d'), picture = context.createImageData(width, height);
  const table = (count, length) => Array.from({ length: count }, (_, k) =>
    Array.from({ length }, (_, i) => Math.cos(Math.PI / length * (i + 0.5) * k)));
  const fx = table(8, width), fy = table(8, height);
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++, at += 4) {
      const [l, p, q] = parts.map((factors, k) =>
        factors.reduce((sum, [cx, cy, factor]) => sum + factor * fx[cx][x] * fy[cy][y] * 2, 0) + mean[k]);
      const b = l - 2 / 3 * p, r = (3 * l - b + q) / 2;
      picture.data.set([255 * r, 255 * (r - q), 255 * b, 255], at);
    }
  }
  context.putImageData(picture, 0, 0);
  return canvas.toDataURL();
}
