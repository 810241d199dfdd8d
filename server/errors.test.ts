import { glob } from 'node:fs/promises';
import { join } from 'node:path';

import { expect, test } from 'vitest';

test('a code of a refusal stands in one list, so that none takes the words of another', async () => {
  const codes: string[] = [];
  for await (const file of glob('../domain/**/*.errors.ts', { cwd: import.meta.dirname })) {
    const lists = (await import(join(import.meta.dirname, file))) as Record<string, object>;
    codes.push(...Object.values(lists).flatMap(Object.keys));
  }
  expect(codes.length).toBeGreaterThan(100);
  expect(codes.filter((code, index) => codes.indexOf(code) < index)).toEqual([]);
});
