import path from 'node:path';

import { expect, test } from 'vitest';

import { weighScreens } from '../scripts/check-bundle.ts';

const BUILT = path.resolve(import.meta.dirname, '../dist/web');

test.each(weighScreens(BUILT))('$screen loads no more than $limit kB', ({ weight, limit }) => {
  expect(weight).toBeLessThanOrEqual(limit);
});
