import { AppError, type ErrorCode } from '../../errors.ts';
import { Turns, unavailable } from '../db/turns.ts';
import type { Logger } from '../log/log.ts';
import { RunnerEnded, TaskFailed, withRunner } from '../tasks/task-runner.ts';
import { pictureTypeOf, type NewPicture, type PictureUse } from './picture-use.ts';

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
  { log, program: file = PROGRAM, timeout = TIMEOUT }: Options,
) {
  const turns = new Turns<number>({
    places: PROCESSES,
    most: () => 1,
    mostWaiting: MOST_WAITING,
  });
  const { unreadable, tooManyPixels } = REFUSALS[use];

  // With an empty environment, so that a compromised decoder finds no secrets.
  const program = { file, args: [use], env: {} };

  const make = async (picture: Uint8Array): Promise<Buffer> => {
    const made = await withRunner<Uint8Array, NewPicture, NewPicture>(program, async (process) =>
      process.ask(picture, timeout),
    ).catch((error: unknown) => {
      if (!(error instanceof TaskFailed)) throw error;
      const hasEnded = error instanceof RunnerEnded;
      if (hasEnded) log.warn({ err: error }, 'a picture ended its process');
      // The time limit ended it, which a busy machine reaches with any picture.
      if (hasEnded && error.how === 'SILENT') throw unavailable();
      throw new AppError(unreadable, { cause: error });
    });
    if (made === null) throw new AppError(tooManyPixels);
    return made;
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
