// Makes an uploaded picture anew in a separate process, so that a decoder that hangs, crashes or fills the memory
// harms nothing else. The argument says what for.

import sharp, { type Sharp } from 'sharp';

import { lowerPriorityOfProcess } from '../limits/priority.ts';
import { answerTasks } from '../tasks/answer-tasks.ts';
import { PICTURE_USES, type NewPicture, type PictureUse } from './picture-use.ts';

lowerPriorityOfProcess();
// libvips reads many formats; only an attacker sends another than these two.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: ['VipsForeignLoadPng', 'VipsForeignLoadJpeg'] });
sharp.concurrency(1);
sharp.cache(false);

const use = PICTURE_USES[process.argv[2] as PictureUse];

answerTasks<NewPicture>(async (picture: Uint8Array) => {
  // Reads only the header, so that a picture with a billion pixels is never unpacked.
  const { width, height, format } = await sharp(picture, { limitInputPixels: false }).metadata();
  return width * height > use.pixels ? null : make(picture, format);
});

/** Only pixels in sRGB, without metadata. */
async function make(picture: Uint8Array, format: string): Promise<Buffer> {
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
