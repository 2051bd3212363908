// Builds URLs of images, maps, avatars and polls of this server, in the spelling that its signatures cover.
//
//     import { asset, map, srcset, overlay } from "https://images.example.com/veduta.js";
//     img.src = asset("lagoon.jpg", { width: 800, height: 600, fit: "cover" });
//     img.srcset = srcset("lagoon.jpg", { width: 4, height: 3, fit: "cover" }, { widths: [320, 640, 1280] });
//     img.src = map({ fit: "overlays", marker: [overlay({ color: "red", label: "A" }, [[59.94, 30.31]])] });
//     img.src = avatar({ person: [parts({ id: "anna.jpg", name: "Anna Bell" }), "Bo Li"], layout: "pair" });
//     img.src = poll({ question: "Lunch?", option: [parts({ votes: 12, label: "Pizza" }), "Sushi"] });
//
// Names and values are those of /openapi.yaml. A name that is none throws; values are checked by the server.

const ASSET = /*ASSET*/[];
const MAP = /*MAP*/[];
const AVATAR = /*AVATAR*/[];
const POLL = /*POLL*/[];
const REPEATED = new Set(/*REPEATED*/[]);

/** Where this module came from. */
const home = new URL(import.meta.url).origin;

/** Percent-encodes as RFC 3986, but for `/ : ,`. */
const encoded = (text) =>
  encodeURIComponent(text)
    .replace(/[!'()*]/g, (mark) => "%" + mark.charCodeAt(0).toString(16).toUpperCase())
    .replace(/%2F|%3A|%2C/g, decodeURIComponent);

/** Numbers have at most nine decimals and no exponent. */
const written = (value) => {
  if (Array.isArray(value)) return value.map(written).join(",");
  if (typeof value === "number") return value.toFixed(9).replace(/\.?0+$/, "").replace(/^-0$/, "0");
  if (typeof value === "boolean") return value ? "1" : "0";
  return String(value);
};

/** A part of a text with bars between its parts. */
const escaped = (text) => text.replace(/[\\|]/g, "\\$&");

function query(names, parameters, path) {
  for (const name of Object.keys(parameters)) {
    if (!names.includes(name)) throw new RangeError(`${name} is no parameter of ${path}`);
  }
  // Overlays lie over each other in the order in which they are given.
  const first = names.findIndex((name) => REPEATED.has(name));
  const place = (name) => (REPEATED.has(name) ? first : names.indexOf(name));
  const items = Object.entries(parameters)
    .filter(([, value]) => value !== undefined && value !== null && value !== "")
    .sort(([a], [b]) => place(a) - place(b))
    .flatMap(([name, value]) => {
      const values = REPEATED.has(name) && Array.isArray(value) ? value : [value];
      return values.map((one) => `${name}=${encoded(written(one))}`);
    });
  return items.join("&");
}

const url = (path, text, { base = home, signature = "" } = {}) =>
  `${base}${path}?${[text, signature].filter(Boolean).join("&")}`;

/** The URL of an image. `signature` in the options is that of a signed set, made where the key is. */
export const asset = (id, parameters = {}, options = {}) =>
  url("/asset", query(ASSET, { ...parameters, id }, "/asset"), options);

/** The URL of a map. */
export const map = (parameters, options = {}) => url("/map", query(MAP, parameters, "/map"), options);

const primes = Array.from({ length: 310 }, (_, i) => i + 2).filter((n, i, all) => all.slice(0, i).every((m) => n % m));
const rounds = primes.map((prime) => (Math.cbrt(prime) * 2 ** 32) | 0);

/** SHA-256 in hexadecimal digits; `crypto.subtle` has it only asynchronously, and only in secure pages. */
function digest(text) {
  const bytes = new TextEncoder().encode(text);
  const block = new DataView(new ArrayBuffer((((bytes.length + 8) >> 6) + 1) << 6));
  bytes.forEach((byte, i) => block.setUint8(i, byte));
  block.setUint8(bytes.length, 0x80);
  block.setUint32(block.byteLength - 4, bytes.length * 8);
  const turn = (word, n) => (word >>> n) | (word << (32 - n));
  const state = primes.slice(0, 8).map((prime) => (Math.sqrt(prime) * 2 ** 32) | 0);
  for (let start = 0; start < block.byteLength; start += 64) {
    const words = [];
    let [a, b, c, d, e, f, g, h] = state;
    for (let i = 0; i < 64; i++) {
      if (i < 16) {
        words[i] = block.getInt32(start + 4 * i);
      } else {
        const [x, y] = [words[i - 15], words[i - 2]];
        const before = turn(x, 7) ^ turn(x, 18) ^ (x >>> 3);
        words[i] = (words[i - 16] + before + words[i - 7] + (turn(y, 17) ^ turn(y, 19) ^ (y >>> 10))) | 0;
      }
      const first = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + rounds[i] + words[i]) | 0;
      const second = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
    }
    [a, b, c, d, e, f, g, h].forEach((word, i) => (state[i] = (state[i] + word) | 0));
  }
  return state.map((word) => (word >>> 0).toString(16).padStart(8, "0")).join("");
}

/** What people are sorted by where their order is stable. */
function place(person) {
  const found = {};
  for (const part of written(person).match(/(?:\\[^]|[^|\\])+/g) ?? []) {
    const text = part.replace(/^ +/, "").replace(/\\([^])/g, "$1");
    const [, name, value] = /^(id|name|seed|color):([^]*)$/.exec(text) ?? [text, "name", text];
    found[name] = value;
  }
  const { id = "", name = "", seed = "", color = "" } = found;
  return digest(found.seed ?? found.id ?? name) + [name.normalize("NFC"), id, seed, color].join("\n");
}

/** The people of `ids` and `names`, which belong together by position, as the server writes them. */
function joined(ids, names) {
  const [first, second] = [ids, names].map((list) => written(list ?? "").split(","));
  return Array.from({ length: Math.max(first.length, second.length) }, (_, i) => {
    const id = first[i] ?? "";
    const shown = (second[i] ?? "").replace(/[\p{Cc}\p{Z}]+/gu, " ").trim();
    const name = /[^\p{C}\p{Z}\p{Mn}\p{Me}]/u.test(shown) ? shown : "";
    const texts = [id && `id:${id}`, /^(id|name|seed|color):/.test(name) ? `name:${name}` : name];
    return { id, name, text: texts.filter(Boolean).map(escaped).join("|") };
  });
}

/** People in the order of the server where it is to be stable. */
function sorted(people, order) {
  if (order !== "stable") return people;
  const keyed = people.map((person) => [place(person?.text ?? person), person]);
  return keyed.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)).map(([, one]) => one);
}

/**
 * With `person` in place of `ids` and `names`, unless nothing is known of one of the people, or a name is longer than
 * `person` takes.
 */
function spelled({ person, ids, names, ...rest }) {
  if (Array.isArray(person)) return { ...rest, ids, names, person: sorted(person, rest.order) };
  if (person || !(ids || names)) return { ...rest, ids, names, person };
  const people = sorted(joined(ids, names), rest.order);
  if (people.every(({ name, text }) => text && name.length <= 100)) {
    return { ...rest, person: people.map(({ text }) => text) };
  }
  const list = (part) => people.map((one) => one[part]).join(",");
  return { ...rest, names: list("name") || names, ids: people.some(({ id }) => id) ? list("id") : undefined };
}

/** The URL of the picture of a person or a group. The canonical text has `names` before `ids`. */
export const avatar = (parameters, options = {}) =>
  url("/avatar", query(["names", ...AVATAR], spelled(parameters), "/avatar"), options);

/** The URL of a poll. */
export const poll = (parameters, options = {}) => url("/poll", query(POLL, parameters, "/poll"), options);

/**
 * The value of a `srcset` attribute: an image for each of `widths` in CSS pixels, whose heights keep the ratio of width and
 * height, or for each of `densities`.
 */
export function srcset(id, parameters, { widths, densities, ...options }) {
  if (densities) {
    return densities.map((scale) => `${asset(id, { ...parameters, scale }, options)} ${written(scale)}x`).join(", ");
  }
  const ratio = parameters.width && parameters.height ? parameters.height / parameters.width : undefined;
  return widths
    .map((width) => {
      const size = ratio ? { width, height: Math.max(1, Math.round(width * ratio)) } : { width };
      return `${asset(id, { ...parameters, ...size }, options)} ${width}w`;
    })
    .join(", ");
}

/** The text of a marker, path or polygon: options by name, and places `[latitude, longitude]`; of a circle with its radius. */
export const overlay = (options, places) => [parts(options), ...places.map(written)].filter(Boolean).join("|");

/** The text of a person of `avatar` or an option of `poll`, by its values with their names. */
export const parts = (values) =>
  Object.entries(values)
    .map(([name, value]) => `${name}:${escaped(written(value))}`)
    .join("|");
