/** The code in the subject of a login mail; undefined for any other. */
export function loginCodeIn(subject = ''): string | undefined {
  // Without look-alikes, as the product makes them.
  return /^([A-HJ-NP-Z2-9]{6}) er koden/.exec(subject)?.[1];
}
