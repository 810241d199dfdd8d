/**
 * Runs something for each of several independent items in sequence. A failure does not stop the others; it is thrown
 * after all were tried.
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
