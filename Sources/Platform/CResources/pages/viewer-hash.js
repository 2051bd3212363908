// A ThumbHash, in base64, as a `data:` picture: a first idea of a page in some 25 bytes.

/** Of the longest side in pixels, and of what stands before them in the file in bytes. */
const side = 32, HEAD = 54;

/** Those of eight frequencies along `length` pixels. */
const tables = new Map();
function cosines(length) {
  if (!tables.has(length)) tables.set(length, Array.from({ length: 8 }, (_, k) =>
    Float32Array.from({ length }, (_, i) => Math.cos(Math.PI / length * (i + 0.5) * k))));
  return tables.get(length);
}

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
  const ratio = columns / rows;
  const width = Math.max(1, Math.round(ratio > 1 ? side : side * ratio));
  const height = Math.max(1, Math.round(ratio > 1 ? side / ratio : side));
  const fx = cosines(width), fy = cosines(height);
  // One channel, from the factors of its cosines: first along a row, as all rows have the same, then down.
  const channel = (nx, ny, scale, mean) => {
    const plane = new Float32Array(width * height).fill(mean);
    for (let cy = 0; cy < ny; cy++) {
      const row = new Float32Array(width);
      for (let cx = cy ? 0 : 1; cx * ny < nx * (ny - cy); cx++) {
        const factor = next() * scale * 2;
        for (let x = 0; x < width; x++) row[x] += factor * fx[cx][x];
      }
      for (let y = 0, at = 0; y < height; y++) for (let x = 0; x < width; x++) plane[at++] += row[x] * fy[cy][y];
    }
    return plane;
  };
  const l = channel(columns, rows, scales[0], mean[0]), p = channel(3, 3, scales[1] * 1.25, mean[1]), q = channel(3, 3, scales[2] * 1.25, mean[2]);
  // A bitmap file needs no canvas, which takes as long as a frame for the pages of one film strip.
  const stride = width * 3 + 3 & ~3, file = new Uint8Array(HEAD + stride * height), fields = new DataView(file.buffer);
  fields.setUint16(0, 0x424d);
  for (const [at, value] of [[2, file.length], [10, HEAD], [14, 40], [18, width], [22, height], [26, 1 | 24 << 16]]) fields.setUint32(at, value, true);
  const pixels = new Uint8ClampedArray(file.buffer, HEAD);
  for (let y = 0, from = 0; y < height; y++) {
    for (let x = 0, at = (height - 1 - y) * stride; x < width; x++, from++) {
      const b = l[from] - 2 / 3 * p[from], r = (3 * l[from] - b + q[from]) / 2;
      pixels[at++] = 255 * b;
      pixels[at++] = 255 * (r - q[from]);
      pixels[at++] = 255 * r;
    }
  }
  return `data:image/bmp;base64,${btoa(String.fromCharCode(...file))}`;
}
