import { expect, test } from 'vitest';

import { uploadTypesOf, type Endpoint } from '../api/endpoint.ts';
import * as bankFile from './bank-file.endpoints.ts';

test('every bank file call belongs to the feature and needs a session', () => {
  const endpoints: readonly Endpoint[] = Object.values(bankFile);
  for (const { feature, access } of endpoints) {
    expect([feature, access]).toEqual(['payments', undefined]);
  }
});

test('a file of up to 50 MB is taken as plain bytes (BANK-1)', () => {
  expect(bankFile.uploadBankFile).toMatchObject({ upload: 50_000_000, status: 201 });
  expect(uploadTypesOf(bankFile.uploadBankFile)).toEqual(['application/octet-stream']);
});
