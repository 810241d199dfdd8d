import { expect, test } from 'vitest';

import type { Endpoint } from '../api/endpoint.ts';
import * as bankFile from './bank-file.endpoints.ts';

test('every call of bank files is of the feature, and for the company of the caller', () => {
  const endpoints: readonly Endpoint[] = Object.values(bankFile);
  for (const { feature, access } of endpoints) {
    expect([feature, access]).toEqual(['payments', 'session']);
  }
});
