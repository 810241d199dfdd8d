/**
 * Does something with each of several things that have nothing to do with each other, one after the other: what fails
 * leaves the others. Throws when all were tried what was thrown meanwhile.
 */
export async function tryEach<Item>(
  items: Iterable<Item>,
  run: (item: Item) => Promise<void>,
): Promise<void> {
  const faults: unknown[] = [];
  for (const item of items) {
    try {
      await run(item);
    } catch (error) {
      faults.push(error);
    }
  }
  if (faults.length > 1) throw new AggregateError(faults, `${faults.length} of them failed`);
  for (const fault of faults) throw fault;
}
