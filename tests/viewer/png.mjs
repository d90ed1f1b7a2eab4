// Just enough PNG to compare screenshots: 8 bits a channel, RGB or RGBA, not interlaced.
import { inflateSync } from 'node:zlib';

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
    for (let x = 0; x < stride; x++) {
      const a = x >= channels ? pixels[y * stride + x - channels] : 0;
      const b = y > 0 ? pixels[(y - 1) * stride + x] : 0;
      const c = x >= channels && y > 0 ? pixels[(y - 1) * stride + x - channels] : 0;
      const add = [0, a, b, (a + b) >> 1, paeth(a, b, c)][filter];
      pixels[y * stride + x] = raw[y * (stride + 1) + 1 + x] + add;
    }
  }
  return { width, height, channels, pixels };
}

const step = 6; // differences of a few levels are no motion

/** Share of the pixels that differ between two screenshots of one size. */
export function difference(first, second) {
  const [a, b] = [decode(first), decode(second)];
  if (a.width !== b.width || a.height !== b.height || a.channels !== b.channels) return 1;
  let differ = 0;
  for (let i = 0; i < a.pixels.length; i += a.channels) {
    if ([0, 1, 2].some((k) => Math.abs(a.pixels[i + k] - b.pixels[i + k]) > step)) differ++;
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
