/** A reproducible source of random numbers: the same seed gives the same sequence. */
export interface Random {
  /** A whole number from 0 up to but not including `bound`. */
  below(bound: number): number;
  pick<T>(choices: readonly T[]): T;
}

/** Mulberry32. */
export function createRandom(seed: number): Random {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let value = Math.imul(state ^ (state >>> 15), 1 | state);
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (bound: number) => Math.floor(next() * bound);
  return { below, pick: (choices) => choices[below(choices.length)] as (typeof choices)[number] };
}
