const FIRST_CAPACITY = 1024;

/**
 * How often each digest has come. A Map of half a million takes sixty megabytes; this takes sixteen, by the
 * first 64 bits of each, which two of so many have in common once in a hundred million files.
 */
export class DigestCounts {
  #capacity = FIRST_CAPACITY;
  /** Two of each place: the digest's. */
  #words = new Uint32Array(2 * FIRST_CAPACITY);
  #counts = new Uint32Array(FIRST_CAPACITY);
  #size = 0;

  /** Counts a digest, and says how often it has come. */
  add(digest: Buffer): number {
    if (this.#size * 3 >= this.#capacity * 2) this.#grow();
    const [high, low] = [digest.readUInt32LE(0), digest.readUInt32LE(4)];
    const place = this.#placeOf(high, low);
    this.#words[2 * place] = high;
    this.#words[2 * place + 1] = low;
    const count = (this.#counts[place] ?? 0) + 1;
    this.#counts[place] = count;
    if (count === 1) this.#size += 1;
    return count;
  }

  /** Where it is, or where there is room for it: the next place from its own. */
  #placeOf(high: number, low: number): number {
    for (let place = high % this.#capacity; ; place = (place + 1) % this.#capacity) {
      if (this.#counts[place] === 0) return place;
      if (this.#words[2 * place] === high && this.#words[2 * place + 1] === low) return place;
    }
  }

  #grow(): void {
    const [words, counts] = [this.#words, this.#counts];
    this.#capacity *= 2;
    this.#words = new Uint32Array(2 * this.#capacity);
    this.#counts = new Uint32Array(this.#capacity);
    for (const [from, count] of counts.entries()) {
      if (count === 0) continue;
      const [high = 0, low = 0] = words.subarray(2 * from);
      const place = this.#placeOf(high, low);
      this.#words.set([high, low], 2 * place);
      this.#counts[place] = count;
    }
  }
}
