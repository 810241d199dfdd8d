import { expect, test } from 'vitest';

import type { Endpoint } from '../api/endpoint.ts';
import * as bankFile from './bank-file.endpoints.ts';

test('every bank file call belongs to the feature and needs a session', () => {
  const endpoints: readonly Endpoint[] = Object.values(bankFile);
  for (const { feature, access } of endpoints) {
    expect([feature, access]).toEqual(['payments', undefined]);
  }
});
