import { expect, test } from 'vitest';

import type { Endpoint } from '../api/endpoint.ts';
import * as reminder from './reminder.endpoints.ts';

test('every call of reminders is of the feature, and for the company of the caller', () => {
  const endpoints: readonly Endpoint[] = Object.values(reminder);
  for (const { feature, access } of endpoints) {
    expect([feature, access]).toEqual(['reminders', 'session']);
  }
});
