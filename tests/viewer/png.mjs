// Just enough PNG to compare screenshots: 8 bits a channel, RGB or RGBA, not interlaced.
import { deflateSync, inflateSync } from 'node:zlib';

function paeth(a, b, c) {
  const p = a + b - c;
  const [pa, pb, pc] = [Math.abs(p - a), Math.abs(p - b), Math.abs(p - c)];
  return pa <= pb && pa <= pc ? a : pb <= pc ? b : c;
}

export function decode(file) {
  const width = file.readUInt32BE(16);
  const height = file.readUInt32BE(20);
  const channels = { 2: 3, 6: 4 }[file[25]];
  if (file[24] !== 8 || channels === undefined || file[28] !== 0) throw new Error('a PNG of a kind not read here');
  const parts = [];
  for (let at = 8; at < file.length;) {
    const length = file.readUInt32BE(at);
    if (file.toString('latin1', at + 4, at + 8) === 'IDAT') parts.push(file.subarray(at + 8, at + 8 + length));
    at += 12 + length;
  }
  const raw = inflateSync(Buffer.concat(parts));
  const stride = width * channels;
  const pixels = Buffer.alloc(stride * height);
  for (let y = 0; y < height; y++) {
    const filter = raw[y * (stride + 1)];
    const [from, to] = [y * (stride + 1) + 1, y * stride];
    for (let x = 0; x < stride; x++) {
      const a = filter !== 2 && x >= channels ? pixels[to + x - channels] : 0;
      const b = filter > 1 && y > 0 ? pixels[to - stride + x] : 0;
      const c = filter === 4 && x >= channels && y > 0 ? pixels[to - stride + x - channels] : 0;
      const add = filter === 0 ? 0 : filter === 1 ? a : filter === 2 ? b : filter === 3 ? (a + b) >> 1 : paeth(a, b, c);
      pixels[to + x] = raw[from + x] + add;
    }
  }
  return { width, height, channels, pixels };
}

const step = 6; // differences of a few levels are no motion

/** Share of the pixels that differ between two screenshots of one size. */
export function difference(first, second) {
  if (first.equals(second)) return 0;
  const [a, b] = [decode(first), decode(second)];
  if (a.width !== b.width || a.height !== b.height || a.channels !== b.channels) return 1;
  let differ = 0;
  for (let i = 0; i < a.pixels.length; i += a.channels) {
    for (let k = 0; k < 3; k++) {
      if (Math.abs(a.pixels[i + k] - b.pixels[i + k]) > step) {
        differ++;
        break;
      }
    }
  }
  return differ / (a.width * a.height);
}

/** Mean brightness, 0 to 255. */
export function brightness(file) {
  const { pixels, channels } = decode(file);
  let sum = 0;
  for (let i = 0; i < pixels.length; i += channels) sum += pixels[i] + pixels[i + 1] + pixels[i + 2];
  return sum / (3 * pixels.length / channels);
}

/** Means of squares of `size` pixels: what is left when strokes of letters are not told apart. */
export function coarse(file, size = 8) {
  const { width, height, channels, pixels } = decode(file);
  const [columns, rows] = [Math.floor(width / size), Math.floor(height / size)];
  const out = Buffer.alloc(3 * columns * rows);
  for (let j = 0; j < rows; j++) {
    for (let i = 0; i < columns; i++) {
      for (let c = 0; c < 3; c++) {
        let sum = 0;
        for (let y = 0; y < size; y++) for (let x = 0; x < size; x++) sum += pixels[((j * size + y) * width + i * size + x) * channels + c];
        out[3 * (j * columns + i) + c] = Math.round(sum / size ** 2);
      }
    }
  }
  return { width: columns, height: rows, channels: 3, pixels: out };
}

function crc(bytes) {
  let c = ~0;
  for (const byte of bytes) {
    c ^= byte;
    for (let k = 0; k < 8; k++) c = c & 1 ? c >>> 1 ^ 0xedb88320 : c >>> 1;
  }
  return ~c >>> 0;
}

function chunk(kind, data) {
  const body = Buffer.concat([Buffer.from(kind, 'latin1'), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc(body));
  return Buffer.concat([length, body, check]);
}

/** A picture of three channels as a file. */
export function encode({ width, height, pixels }) {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 2, 0, 0, 0], 8);
  const raw = Buffer.alloc(height * (3 * width + 1));
  for (let y = 0; y < height; y++) pixels.copy(raw, y * (3 * width + 1) + 1, 3 * y * width, 3 * (y + 1) * width);
  return Buffer.concat([Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]), chunk('IHDR', head), chunk('IDAT', deflateSync(raw, { level: 9 })), chunk('IEND', Buffer.alloc(0))]);
}
