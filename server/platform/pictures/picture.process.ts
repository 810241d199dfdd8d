// Makes an uploaded picture anew in a separate process, so that a decoder that hangs, crashes or fills the memory
// harms nothing else. It reads the picture from stdin and writes the new one to stdout. The argument says what for.

import { buffer } from 'node:stream/consumers';

import sharp, { type Sharp } from 'sharp';

import { lowerPriorityOfProcess } from '../limits/priority.ts';
import { NO_PICTURE, PICTURE_USES, TOO_MANY_PIXELS, type PictureUse } from './picture-use.ts';

lowerPriorityOfProcess();
// libvips reads many formats; only an attacker sends another than these two.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: ['VipsForeignLoadPng', 'VipsForeignLoadJpeg'] });
sharp.concurrency(1);
sharp.cache(false);

const use = PICTURE_USES[process.argv[2] as PictureUse];
const picture = await buffer(process.stdin);
try {
  // Reads only the header, so that a picture with a billion pixels is never unpacked.
  const { width, height, format } = await sharp(picture, { limitInputPixels: false }).metadata();
  if (width * height > use.pixels) process.exitCode = TOO_MANY_PIXELS;
  else process.stdout.end(await make(format));
} catch (error) {
  process.stderr.write(error instanceof Error ? error.message : String(error));
  process.exitCode = NO_PICTURE;
}

/** Only pixels in sRGB, without metadata. */
async function make(format: string): Promise<Buffer> {
  const upright = sharp(picture, { limitInputPixels: use.pixels, failOn: 'error' })
    .autoOrient()
    .resize({ width: use.width, height: use.height, fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb');
  return encoded(upright, format).toBuffer();
}

function encoded(upright: Sharp, format: string): Sharp {
  return format === 'png' || use.isAlwaysPng
    ? upright.png({ compressionLevel: 9 })
    : upright.jpeg({ quality: 85 });
}
