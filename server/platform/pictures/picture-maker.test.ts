import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';

import { drawPng, pngOf, STRIPES } from '../../testing/logos.ts';
import { removeFolder, temporaryFolder } from '../../testing/poppler.ts';
import { createPictureMaker } from './picture-maker.ts';

const log = { warn: vi.fn<() => void>() };
const maker = createPictureMaker('logo', { log });
let folder = '';

beforeAll(() => {
  folder = temporaryFolder();
});
afterAll(() => removeFolder(folder));

/** A maker whose process runs another program. */
function makerOf(program: string, timeout = 500) {
  const file = join(folder, `${crypto.randomUUID()}.mjs`);
  writeFileSync(file, program);
  return createPictureMaker('logo', { log, program: pathToFileURL(file), timeout });
}

/** A program that gives this for a picture, after a while. */
function answering(output: string): string {
  return `
    import { setTimeout as sleep } from 'node:timers/promises';
    import { answerTasks } from ${JSON.stringify(new URL('../tasks/answer-tasks.ts', import.meta.url).href)};
    answerTasks(async () => {
      await sleep(300);
      return ${output};
    });`;
}

/** A picture with a red upper half and a blue lower half. */
const HALVES = sharp({ create: { width: 90, height: 60, channels: 3, background: '#f00' } })
  .composite([
    {
      input: { create: { width: 90, height: 30, channels: 3, background: '#00f' } },
      gravity: 'south',
    },
  ])
  .png();

async function pixelAt(png: Buffer, left: number, top: number): Promise<number[]> {
  const one = sharp(png).extract({ left, top, width: 1, height: 1 });
  return [...(await one.removeAlpha().raw().toBuffer())];
}

describe('a logo', () => {
  test('is a PNG, no larger than the box on paper needs, and never enlarged', async () => {
    const small = await maker.make(STRIPES, 1);
    expect(await sharp(small).metadata()).toMatchObject({ format: 'png', width: 120, height: 40 });
    const large = await HALVES.clone().resize(3000, 2000).jpeg().toBuffer();
    const { format, width, height } = await sharp(await maker.make(large, 1)).metadata();
    expect({ format, width, height }).toEqual({ format: 'png', width: 360, height: 240 });
  });

  test('stands upright, and says nothing of where and with what it was taken', async () => {
    const gps = { GPSLatitudeRef: 'N', GPSLatitude: '59/1 54/1 0/1' };
    // Lying on its side, as a telephone stores it.
    const photo = await sharp(await HALVES.toBuffer())
      .rotate(90)
      .withExif({ IFD0: { Model: 'Hemmelig telefon' }, IFD3: gps })
      .withMetadata({ orientation: 8 })
      .jpeg()
      .toBuffer();
    expect(photo.includes('Hemmelig telefon')).toBe(true);
    const logo = await maker.make(photo, 1);
    expect(logo.includes('Hemmelig')).toBe(false);
    const { width, height, exif, icc, xmp, orientation } = await sharp(logo).metadata();
    expect([width, height, exif, icc, xmp]).toEqual([90, 60, undefined, undefined, undefined]);
    expect(orientation ?? 1).toBe(1);
    const [red, , blue] = await pixelAt(logo, 45, 5);
    expect(red).toBeGreaterThan(200);
    expect(blue).toBeLessThan(60);
  });

  // DOC-25
  test('has the colours that a printer’s JPEG has', async () => {
    const print = await HALVES.clone().toColourspace('cmyk').jpeg().toBuffer();
    expect((await sharp(print).metadata()).space).toBe('cmyk');
    const logo = await maker.make(print, 1);
    expect((await sharp(logo).metadata()).space).toBe('srgb');
    const [red = 0, green = 255, blue = 255] = await pixelAt(logo, 45, 5);
    expect(red).toBeGreaterThan(Math.max(green, blue) + 100);
  });

  test('keeps transparency', async () => {
    const glass = drawPng({ width: 10, height: 10 }, () => [0, 0, 0, 0]);
    expect((await sharp(await maker.make(glass, 1)).metadata()).hasAlpha).toBe(true);
  });
});

describe('a file that is no picture', () => {
  test.each([
    ['nothing', async () => Buffer.alloc(0)],
    ['words', async () => Buffer.from('PNG')],
    ['a drawing', async () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['another format', async () => HALVES.clone().webp().toBuffer()],
    ['a beginning of a PNG', async () => STRIPES.subarray(0, 80)],
    ['half a JPEG', async () => (await HALVES.clone().jpeg().toBuffer()).subarray(0, 400)],
    ['a PNG whose bytes are something else', async () => scrambled(STRIPES)],
  ])('is refused: %s', async (_name, picture) => {
    await expect(maker.make(await picture(), 1)).rejects.toMatchObject({ code: 'logo_unreadable' });
  });

  // DOC-25, PRO-9
  test('is not unpacked when it says that it is enormous', async () => {
    // 400 million pixels in a few hundred kB, and two billion in a header alone.
    const row = 20_000 + 1;
    const bomb = pngOf({ width: 20_000, height: 20_000, colourType: 0 }, Buffer.alloc(row * 2000));
    const header = pngOf({ width: 50_000, height: 50_000, colourType: 0 }, Buffer.alloc(1));
    for (const picture of [bomb, header]) {
      await expect(maker.make(picture, 1)).rejects.toMatchObject({ code: 'logo_too_many_pixels' });
    }
    // A logo may have 16 million pixels, an attachment 25. These have a header alone, which only the larger is judged by.
    for (const [use, side] of [
      ['logo', 4000],
      ['attachment', 5000],
    ] as const) {
      const pictures = createPictureMaker(use, { log });
      for (const [width, reason] of [
        [side, 'unreadable'],
        [side + 1, 'too_many_pixels'],
      ] as const) {
        const picture = pngOf({ width, height: side, colourType: 0 }, Buffer.alloc(1));
        await expect(pictures.make(picture, 1)).rejects.toMatchObject({ code: `${use}_${reason}` });
      }
    }
  });
});

describe('the process that makes it', () => {
  test('is ended when it takes too long, or falls, and the next is made all the same', async () => {
    for (const program of ['process.abort()', 'process.exit(0)']) {
      const broken = makerOf(program, 60_000);
      await expect(broken.make(STRIPES, 1)).rejects.toMatchObject({ code: 'logo_unreadable' });
    }
    // A busy machine takes this long for a sound picture too.
    const slow = makerOf('setInterval(() => {}, 1000)');
    await expect(slow.make(STRIPES, 1)).rejects.toMatchObject({ code: 'unavailable' });
    expect(log.warn).toHaveBeenCalled();
    expect((await maker.make(STRIPES, 1)).length).toBeGreaterThan(50);
  });

  test('gets nothing of the environment', async () => {
    const environment = makerOf(answering('Buffer.from(JSON.stringify(process.env))'), 10_000);
    vi.stubEnv('SECRET_KEY', 'x');
    expect(JSON.parse((await environment.make(STRIPES, 1)).toString())).not.toHaveProperty(
      'SECRET_KEY',
    );
    vi.unstubAllEnvs();
  });

  test('runs twice at once at most, and of one company once: a neighbour goes before its second', async () => {
    const slow = makerOf(answering('Buffer.from([7])'), 10_000);
    const ended: string[] = [];
    const make = async (name: string, companyId: number) => {
      await slow.make(STRIPES, companyId);
      ended.push(name);
    };
    await Promise.all([make('ours', 1), make('ours again', 1), make('theirs', 2)]);
    expect(ended).toHaveLength(3);
    expect(ended.at(-1)).toBe('ours again');
    await Promise.all([1, 2, 3].map(async () => slow.make(STRIPES, 1)));
    const waiting = [1, 2, 3, 4].map(async () => slow.make(STRIPES, 1));
    const outcomes = await Promise.allSettled(waiting);
    expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(1);
  });
});

function scrambled(png: Buffer): Buffer {
  const bytes = Buffer.from(png);
  bytes.fill(7, 60, 120);
  return bytes;
}
