import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { buffer, text } from 'node:stream/consumers';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';

import { AppError, type ErrorCode } from '../../errors.ts';
import { Turns, unavailable } from '../db/turns.ts';
import type { Logger } from '../log/log.ts';
import { NO_PICTURE, pictureTypeOf, TOO_MANY_PIXELS, type PictureUse } from './picture-use.ts';

/** Makes uploaded pictures anew. */
export type PictureMaker = ReturnType<typeof createPictureMaker>;

interface Options {
  readonly log: Pick<Logger, 'warn'>;
  readonly program?: URL;
  /** Time limit of a picture (milliseconds). */
  readonly timeout?: number;
}

const PROGRAM = new URL('picture.process.ts', import.meta.url);
/** Each takes up to 150 MB. */
const PROCESSES = 2;
/** Its process gives way to all others, so a picture of a second takes this long on a busy machine. */
const TIMEOUT = 30_000;
/** Longest wait for a turn (milliseconds). */
const PATIENCE = 15_000;
const MOST_WAITING = 2;

type Program = ChildProcessByStdio<Writable, Readable, Readable>;

const REFUSALS: Readonly<Record<PictureUse, { unreadable: ErrorCode; tooManyPixels: ErrorCode }>> =
  {
    logo: { unreadable: 'logo_unreadable', tooManyPixels: 'logo_too_many_pixels' },
    attachment: {
      unreadable: 'attachment_unreadable',
      tooManyPixels: 'attachment_too_many_pixels',
    },
  };

/** Makes pictures anew in separate processes, one at a time per company. */
export function createPictureMaker(
  use: PictureUse,
  { log, program = PROGRAM, timeout = TIMEOUT }: Options,
) {
  const turns = new Turns<number>({
    places: PROCESSES,
    most: () => 1,
    mostWaiting: MOST_WAITING,
  });
  const { unreadable, tooManyPixels } = REFUSALS[use];

  const make = async (picture: Uint8Array): Promise<Buffer> => {
    const child = start(program, use, timeout);
    const { content, code, signal, words } = await run(child, picture);
    if (code === 0 && content.length > 0) return content;
    if (code === TOO_MANY_PIXELS) throw new AppError(tooManyPixels);
    if (code !== NO_PICTURE) log.warn({ code, signal, words }, 'a picture ended its process');
    // The time limit ended it, which a busy machine reaches with any picture.
    if (child.killed) throw unavailable();
    throw new AppError(unreadable, { cause: new Error(words || `ended by ${signal}`) });
  };

  return {
    /**
     * The picture, upright, in sRGB and without metadata.
     *
     * @param companyId the owner; companies take turns
     * @throws AppError logo_unreadable, logo_too_many_pixels and the like; unavailable when no place gets free, or it is not
     * made, in time
     */
    make: async (picture: Uint8Array, companyId: number): Promise<Buffer> => {
      // Other files get no process.
      if (pictureTypeOf(picture) === null) throw new AppError(unreadable);
      return turns.run(companyId, async () => make(picture), { patience: PATIENCE });
    },
  };
}

/** Starts the process with an empty environment, so that a compromised decoder finds no secrets. */
function start(program: URL, use: PictureUse, timeout: number): Program {
  return spawn(process.execPath, [fileURLToPath(program), use], {
    env: {},
    stdio: ['pipe', 'pipe', 'pipe'],
    timeout,
    killSignal: 'SIGKILL',
  });
}

async function run(child: Program, picture: Uint8Array) {
  const ended = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>(
    (resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code, signal) => resolve({ code, signal }));
    },
  );
  // A process that stops reading reports why, or dies.
  child.stdin.on('error', () => undefined);
  child.stdin.end(picture);
  const [content, words, end] = await Promise.all([
    buffer(child.stdout),
    text(child.stderr),
    ended,
  ]);
  return { content, words, ...end };
}
