import { expect, test } from 'vitest';

import { describeInParts, Streamed } from './streamed.ts';

/** The items of a list as a reader gets them, and the sizes of the parts read. */
async function read(items: readonly number[], isThere = (_item: number) => true) {
  const parts: number[] = [];
  const list = await describeInParts(items, 10, async (part, start) => {
    expect(part[0]).toBe(items[start]);
    parts.push(part.length);
    return part.filter(isThere);
  });
  const readAtOnce = parts.length;
  const text =
    list instanceof Streamed ? (await Array.fromAsync(list.chunks)).join('') : JSON.stringify(list);
  return { items: JSON.parse(text) as number[], parts, readAtOnce };
}

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

test.each([
  [0, []],
  [9, [9]],
  [10, [10]],
  [11, [10, 1]],
  [20, [10, 10]],
  [25, [10, 10, 5]],
])('a list of %i is whole, and read in parts', async (count, parts) => {
  const items = upTo(count);
  expect(await read(items)).toEqual({ items, parts, readAtOnce: Math.min(parts.length, 1) });
});

test('items deleted before their part is read do not end the list', async () => {
  const items = upTo(50);
  const isThere = (item: number) => item > 20 && (item <= 30 || item > 45);
  expect(await read(items, isThere)).toMatchObject({ items: items.filter(isThere), readAtOnce: 3 });
  expect(await read(items, () => false)).toMatchObject({ items: [], readAtOnce: 5 });
});
