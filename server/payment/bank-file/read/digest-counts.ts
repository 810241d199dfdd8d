const FIRST_CAPACITY = 1024;

/**
 * Counts how often each digest occurs. A Map of half a million takes 60 megabytes; this takes 16, because it keeps
 * only the first 64 bits of each digest. Two of so many share them once in a hundred million files.
 */
export class DigestCounts {
  #capacity = FIRST_CAPACITY;
  /** Two words per place: the first 64 bits of a digest. */
  #words = new Uint32Array(2 * FIRST_CAPACITY);
  #counts = new Uint32Array(FIRST_CAPACITY);
  #size = 0;

  /** Counts a digest, and returns how often it has occurred. */
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

  /** The index of a digest, or of the free place for it (linear probing). */
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
