import { expect, test } from 'vitest';

import type { Endpoint } from '../api/endpoint.ts';
import * as reminder from './reminder.endpoints.ts';

test('every reminder call belongs to the feature and needs a session', () => {
  const endpoints: readonly Endpoint[] = Object.values(reminder);
  for (const { feature, access } of endpoints) {
    expect([feature, access]).toEqual(['reminders', undefined]);
  }
});
