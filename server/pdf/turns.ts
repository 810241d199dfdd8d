/** Waits in lines, one for each owner, from which one is taken at a time in turn. */
export class Turns<Item> {
  readonly #lines = new Map<number, Item[]>();

  get isEmpty(): boolean {
    return this.#lines.size === 0;
  }

  /** How many of an owner wait. */
  count(owner: number): number {
    return this.#lines.get(owner)?.length ?? 0;
  }

  /** Behind those of its owner. */
  add(owner: number, item: Item): void {
    this.#lines.set(owner, [...(this.#lines.get(owner) ?? []), item]);
  }

  /** Before those of its owner, whose turn stays where it is. */
  addFirst(owner: number, item: Item): void {
    this.#lines.set(owner, [item, ...(this.#lines.get(owner) ?? [])]);
  }

  remove(owner: number, item: Item): void {
    const rest = (this.#lines.get(owner) ?? []).filter((other) => other !== item);
    if (rest.length > 0) this.#lines.set(owner, rest);
    else this.#lines.delete(owner);
  }

  /** The first of whose turn it is, who goes behind the others; undefined when nobody waits. */
  take(): Item | undefined {
    for (const [owner, [item, ...rest]] of this.#lines) {
      this.#lines.delete(owner);
      if (rest.length > 0) this.#lines.set(owner, rest);
      return item;
    }
    return undefined;
  }
}
