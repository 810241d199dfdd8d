import { toSnakeKey, toWireText } from '../../../domain/api/case.ts';

/** An API list, an object with one, or a file, that is written while it is read, since it may be long. */
export class Streamed<T> {
  /** Phantom type; has no value at run time. */
  declare readonly value: T;
  readonly chunks: AsyncIterable<string | Uint8Array>;
  /** Whether it existed before the call that would have made it. */
  readonly isOld: boolean;

  constructor(chunks: AsyncIterable<string | Uint8Array>, isOld = false) {
    this.chunks = chunks;
    this.isOld = isOld;
  }
}

/** An object with one list that is written while it is read. */
export function streamWith<T extends object, Name extends keyof T & string>(
  rest: Omit<T, Name>,
  name: Name,
  { chunks }: Streamed<T[Name]>,
): Streamed<T> {
  const unclosed = toWireText(rest).slice(0, -1);
  const opening = `${unclosed},${JSON.stringify(toSnakeKey(name))}:`;
  async function* write(): AsyncGenerator<string | Uint8Array> {
    yield opening;
    yield* chunks;
    yield '}';
  }
  return new Streamed(write());
}

/**
 * A list that is read in parts. The first part is read before the answer starts, so its errors become an error
 * answer. Later errors break the answer off, which no reader takes for complete.
 */
export function streamList<T>(
  first: readonly T[],
  readNext: (last: T) => Promise<readonly T[]>,
): Streamed<T[]> {
  return new Streamed(writeParts(first, readNext));
}

/**
 * A list of items described in parts, since descriptions may be long: the first part now, the others during the
 * answer.
 *
 * @param describe returns the answer for some of the items, the first of which is at `start`
 */
export async function describeInParts<Item, T>(
  items: readonly Item[],
  size: number,
  describe: (part: readonly Item[], start: number) => Promise<T[]>,
): Promise<T[] | Streamed<T[]>> {
  let next = 0;
  const readNext = async () => {
    let described: T[] = [];
    while (described.length === 0 && next < items.length) {
      const start = next;
      next += size;
      described = await describe(items.slice(start, next), start);
    }
    return described;
  };
  const first = await readNext();
  return next >= items.length ? first : streamList(first, readNext);
}

async function* writeParts<T>(
  first: readonly T[],
  readNext: (last: T) => Promise<readonly T[]>,
): AsyncGenerator<string> {
  let part = first;
  let opening = '[';
  for (let last = part.at(-1); last !== undefined; last = part.at(-1)) {
    yield opening + toWireText(part).slice(1, -1);
    opening = ',';
    part = await readNext(last);
  }
  yield opening === '[' ? '[]' : ']';
}
