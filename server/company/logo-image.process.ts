// Converts an uploaded picture to a logo in a separate process, so that a decoder that hangs, crashes or fills the memory
// harms nothing else. It reads the picture from stdin and writes the logo to stdout.

import os from 'node:os';
import { buffer } from 'node:stream/consumers';

import sharp from 'sharp';

import { NO_PICTURE, TOO_MANY_PIXELS } from './company.errors.ts';

/** Pictures of phones have 12 million pixels; 16 million interlaced ones fill 150 MB. */
const PIXELS_MAX = 16_000_000;
/** The box on paper, 60 × 20 mm, at 305 dots an inch. */
const WIDTH_MAX = 720;
const HEIGHT_MAX = 240;
/** Steps of priority that leave most processor time to requests. */
const NICER = 10;

os.setPriority(Math.min(19, os.getPriority() + NICER));
// libvips reads many formats; only an attacker sends another than these two.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: ['VipsForeignLoadPng', 'VipsForeignLoadJpeg'] });
sharp.concurrency(1);
sharp.cache(false);

const picture = await buffer(process.stdin);
try {
  // Reads only the header, so that a picture with a billion pixels is never unpacked.
  const { width, height } = await sharp(picture, { limitInputPixels: false }).metadata();
  if (width * height > PIXELS_MAX) process.exitCode = TOO_MANY_PIXELS;
  else process.stdout.end(await makeLogo());
} catch (error) {
  process.stderr.write(error instanceof Error ? error.message : String(error));
  process.exitCode = NO_PICTURE;
}

/** Only pixels in sRGB, without metadata. */
async function makeLogo(): Promise<Buffer> {
  return sharp(picture, { limitInputPixels: PIXELS_MAX, failOn: 'error' })
    .autoOrient()
    .resize({ width: WIDTH_MAX, height: HEIGHT_MAX, fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb')
    .png({ compressionLevel: 9 })
    .toBuffer();
}
