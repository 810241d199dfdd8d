import { expect, test } from 'vitest';

import { haveMoved, rowsOf } from './NextPage.tsx';

const page = (preceding: string | null, ...uuids: string[]) => ({
  preceding,
  results: uuids.map((uuid) => ({ uuid })),
});

test('pages fit together when each follows on the last row of the one before', () => {
  expect(haveMoved([])).toBe(false);
  expect(haveMoved([page(null)])).toBe(false);
  expect(haveMoved([page(null, 'a', 'b'), page('b', 'c', 'd'), page('d', 'e')])).toBe(false);
});

// WEB-20
test('a row that went before the border was read hides another, and one that came is there twice', () => {
  // 'a' was deleted, and 'c' is now the last row of the first page.
  expect(haveMoved([page(null, 'a', 'b'), page('c', 'd')])).toBe(true);
  const twice = [page(null, 'a', 'b'), page('a', 'b', 'c')];
  expect(haveMoved(twice)).toBe(true);
  expect(rowsOf(twice).map(({ uuid }) => uuid)).toEqual(['a', 'b', 'c']);
  // 'a' was registered, and another draft took its place.
  expect(haveMoved([page(null, 'a', 'b'), page('b', 'c', 'a')])).toBe(true);
  // Most rows were deleted.
  expect(haveMoved([page(null, 'a', 'b'), page(null)])).toBe(true);
});

test('lists without that row tell of one that is there twice', () => {
  const run = (periodFrom: string) => ({ periodFrom });
  const pages = [[run('2026-03-01'), run('2026-02-01')], [run('2026-02-01')]];
  expect(haveMoved(pages)).toBe(true);
  expect(rowsOf(pages)).toHaveLength(2);
  expect(haveMoved([[run('2026-03-01')], [run('2026-02-01')]])).toBe(false);
});
