import { crc32, deflateSync } from 'node:zlib';

import type { Answer, TestClient } from './client.ts';

/** A PNG of the given size. The function gives red, green, blue and alpha of each pixel. */
export function drawPng(
  { width, height }: { readonly width: number; readonly height: number },
  colour: (x: number, y: number) => readonly [number, number, number, number],
): Buffer {
  const rows = Array.from({ length: height }, (_row, y) =>
    Buffer.from([0, ...Array.from({ length: width }, (_pixel, x) => colour(x, y)).flat()]),
  );
  return pngOf({ width, height, colourType: 6 }, Buffer.concat(rows));
}

/** A PNG of these rows, each preceded by its filter byte; 8 bits per channel. */
export function pngOf(
  { width, height, colourType }: Readonly<Record<'width' | 'height' | 'colourType', number>>,
  rows: Uint8Array,
): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, colourType], 8);
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
  const end = chunk('IEND', Buffer.alloc(0));
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', deflateSync(rows)), end]);
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type), data]);
  const whole = Buffer.alloc(named.length + 8);
  whole.writeUInt32BE(data.length, 0);
  whole.set(named, 4);
  whole.writeUInt32BE(crc32(named), named.length + 4);
  return whole;
}

/** Two different pictures. The second is partly transparent. */
export const STRIPES = drawPng({ width: 120, height: 40 }, (x) =>
  x % 20 < 10 ? [179, 84, 30, 255] : [29, 47, 77, 255],
);
export const DISC = drawPng({ width: 60, height: 60 }, (x, y) => [
  20,
  110,
  80,
  Math.hypot(x - 30, y - 30) < 28 ? 255 : 0,
]);

/** Uploads a picture as the caller's logo. */
export async function saveLogo(
  client: TestClient,
  picture: Buffer,
  type = 'image/png',
): Promise<Answer> {
  return client.send({
    method: 'PUT',
    url: '/api/users/logo/',
    payload: picture,
    headers: { 'content-type': type },
  });
}
