import { toSnakeCase, toSnakeKey } from '../domain/api/case.ts';

/** A list of the API, or an object with one, that is written while it is read, since it may be long. */
export class Streamed<T> {
  /** Says what it is that is written; there is nothing in it. */
  declare readonly value: T;
  readonly chunks: AsyncIterable<string>;
  /** Whether it was there before the call that would have made it. */
  readonly isOld: boolean;

  constructor(chunks: AsyncIterable<string>, isOld = false) {
    this.chunks = chunks;
    this.isOld = isOld;
  }
}

/** An object of which one list is written while it is read. */
export function streamWith<T extends object, Name extends keyof T & string>(
  rest: Omit<T, Name>,
  name: Name,
  { chunks }: Streamed<T[Name]>,
): Streamed<T> {
  const unclosed = JSON.stringify(toSnakeCase(rest)).slice(0, -1);
  const opening = `${unclosed},${JSON.stringify(toSnakeKey(name))}:`;
  return new Streamed(writeAround(opening, chunks, '}'));
}

async function* writeAround(
  opening: string,
  chunks: AsyncIterable<string>,
  closing: string,
): AsyncGenerator<string> {
  yield opening;
  yield* chunks;
  yield closing;
}

/**
 * A list that is read in parts. The first is here, so what goes wrong until then is still answered as
 * an error; afterwards the answer breaks off, which no reader takes for whole.
 */
export function streamList<T>(
  first: readonly T[],
  readNext: (last: T) => Promise<readonly T[]>,
): Streamed<T[]> {
  return new Streamed(writeParts(first, readNext));
}

/**
 * A list of items that are described in parts, since what is said of them may be long: the first part now, the
 * others while they are answered.
 *
 * @param describe what is answered for some of the items, the first of which stands at `start`
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
    yield opening + JSON.stringify(toSnakeCase(part)).slice(1, -1);
    opening = ',';
    part = await readNext(last);
  }
  yield opening === '[' ? '[]' : ']';
}
