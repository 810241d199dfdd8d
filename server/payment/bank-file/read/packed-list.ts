import { deflateRawSync, inflateRawSync } from 'node:zlib';

/** Items per packed part. With larger parts the memory used for packing is not released. */
const PART = 200;

/** A list that takes little memory: full parts are kept as compressed JSON. */
export class PackedList<T> {
  readonly #packed: Buffer<ArrayBuffer>[] = [];
  #open: T[] = [];

  get length(): number {
    return this.#packed.length * PART + this.#open.length;
  }

  push(item: T): void {
    this.#open.push(item);
    if (this.#open.length < PART) return;
    this.#packed.push(pack(this.#open));
    this.#open = [];
  }

  *[Symbol.iterator](): Generator<T, void> {
    for (const part of this.#packed) yield* unpack<T>(part);
    yield* this.#open;
  }

  /** All items, in parts for `unpack`. */
  toParts(): Buffer<ArrayBuffer>[] {
    return this.#open.length === 0 ? [...this.#packed] : [...this.#packed, pack(this.#open)];
  }
}

function pack(items: readonly unknown[]): Buffer<ArrayBuffer> {
  const packed = deflateRawSync(JSON.stringify(items), { level: 1 });
  // Copied, because zlib's buffer is six times as long.
  const exact = Buffer.from(new ArrayBuffer(packed.length));
  packed.copy(exact);
  return exact;
}

/** The items of a part. */
export function unpack<T>(part: Uint8Array): T[] {
  return JSON.parse(inflateRawSync(part).toString()) as T[];
}
