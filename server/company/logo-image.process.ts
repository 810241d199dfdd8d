// Makes a logo of a stranger's picture, in a process of its own: whatever a decoder does over it (hangs, falls,
// fills the memory) it does to nobody else. The picture comes on stdin, the logo goes to stdout.

import os from 'node:os';
import { buffer } from 'node:stream/consumers';

import sharp from 'sharp';

import { NO_PICTURE, TOO_MANY_PIXELS } from './logo-image-ends.ts';

/** A telephone's have 12 million; 16 million that come interlaced fill 150 MB. */
const PIXELS_MAX = 16_000_000;
/** The box on paper, 60 × 20 mm, at 305 dots an inch. */
const WIDTH_MAX = 720;
const HEIGHT_MAX = 240;
/** Steps of priority that leave most of the time to calls of people at a screen. */
const NICER = 10;

os.setPriority(Math.min(19, os.getPriority() + NICER));
// libvips reads many formats, and may read these two: only an attacker sends another.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: ['VipsForeignLoadPng', 'VipsForeignLoadJpeg'] });
sharp.concurrency(1);
sharp.cache(false);

const picture = await buffer(process.stdin);
try {
  // Reads the header alone: a picture that says it has a billion pixels is never unpacked.
  const { width, height } = await sharp(picture, { limitInputPixels: false }).metadata();
  if (width * height > PIXELS_MAX) process.exitCode = TOO_MANY_PIXELS;
  else process.stdout.end(await makeLogo());
} catch (error) {
  process.stderr.write(error instanceof Error ? error.message : String(error));
  process.exitCode = NO_PICTURE;
}

/** Pixels alone, in the colours of screens: no place, camera or profile goes along. */
async function makeLogo(): Promise<Buffer> {
  return sharp(picture, { limitInputPixels: PIXELS_MAX, failOn: 'error' })
    .autoOrient()
    .resize({ width: WIDTH_MAX, height: HEIGHT_MAX, fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb')
    .png({ compressionLevel: 9 })
    .toBuffer();
}
