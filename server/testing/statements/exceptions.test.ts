import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { ROOT } from '../process.ts';
import { EXCEPTIONS } from './exceptions.ts';

test('every exception is of a place that is still there', () => {
  const gone = Object.keys(EXCEPTIONS).filter((place) => {
    const [file = '', name] = place.split(' ');
    const path = join(ROOT, file);
    if (!existsSync(path)) return true;
    const text = readFileSync(path, 'utf8');
    return name !== undefined && !new RegExp(`\\b(?:function|const) ${name}\\b`).test(text);
  });
  expect(gone).toEqual([]);
});
