import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { buffer, text } from 'node:stream/consumers';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';

import { AppError } from '../errors.ts';
import type { Logger } from '../platform/log/log.ts';
import { Turns } from '../platform/db/turns.ts';
import { NO_PICTURE, TOO_MANY_PIXELS } from './company.errors.ts';

/** Makes logos of uploaded pictures. */
export type LogoMaker = ReturnType<typeof createLogoMaker>;

interface Options {
  readonly log: Pick<Logger, 'warn'>;
  readonly program?: URL;
  /** Time limit of a picture (milliseconds). */
  readonly timeout?: number;
}

const PROGRAM = new URL('logo-image.process.ts', import.meta.url);
/** Each takes up to 150 MB. */
const PROCESSES = 2;
const TIMEOUT = 10_000;
/** Longest wait for a turn (milliseconds). */
const PATIENCE = 15_000;
const MOST_WAITING = 2;

type Program = ChildProcessByStdio<Writable, Readable, Readable>;

/** Creates logos in separate processes, one at a time per company. */
export function createLogoMaker({ log, program = PROGRAM, timeout = TIMEOUT }: Options) {
  const turns = new Turns<number>({
    places: PROCESSES,
    most: () => 1,
    mostWaiting: MOST_WAITING,
  });
  return {
    /**
     * A PNG of at most 720 × 240 pixels, upright and without metadata.
     *
     * @param companyId the owner; companies take turns
     * @throws AppError logo_unreadable, logo_too_many_pixels, unavailable when no place gets free in time
     */
    make: async (picture: Uint8Array, companyId: number): Promise<Buffer> => {
      if (!isPicture(picture)) throw new AppError('logo_unreadable');
      return turns.run(companyId, async () => makeLogo(start(program, timeout), picture, log), {
        patience: PATIENCE,
      });
    },
  };
}

/** The first bytes of PNG (ISO/IEC 15948 § 5.2) and JPEG (ISO/IEC 10918-1 B.1). Other files get no process. */
const SIGNATURES = [
  [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
  [0xff, 0xd8, 0xff],
] as const;

function isPicture(bytes: Uint8Array): boolean {
  return SIGNATURES.some((signature) => signature.every((byte, at) => bytes[at] === byte));
}

/** Starts the process with an empty environment, so that a compromised decoder finds no secrets. */
function start(program: URL, timeout: number): Program {
  return spawn(process.execPath, [fileURLToPath(program)], {
    env: {},
    stdio: ['pipe', 'pipe', 'pipe'],
    timeout,
    killSignal: 'SIGKILL',
  });
}

async function makeLogo(child: Program, picture: Uint8Array, log: Options['log']): Promise<Buffer> {
  const ended = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>(
    (resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code, signal) => resolve({ code, signal }));
    },
  );
  // A process that stops reading reports why, or dies.
  child.stdin.on('error', () => undefined);
  child.stdin.end(picture);
  const [logo, words, { code, signal }] = await Promise.all([
    buffer(child.stdout),
    text(child.stderr),
    ended,
  ]);
  if (code === 0 && logo.length > 0) return logo;
  if (code === TOO_MANY_PIXELS) throw new AppError('logo_too_many_pixels');
  if (code !== NO_PICTURE) log.warn({ code, signal, words }, 'a picture ended its process');
  throw new AppError('logo_unreadable', { cause: new Error(words || `ended by ${signal}`) });
}
