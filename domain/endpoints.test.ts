import { expect, test } from 'vitest';

import type { Feature } from './api/endpoint.ts';
import { API_ENDPOINTS } from './endpoints.ts';

/** The addresses of each feature; the first that fits counts. */
const ADDRESSES: readonly (readonly [Feature | readonly Feature[], RegExp])[] = [
  ['recurring', /^\/api\/invoices\/recurring\//],
  [
    'reminders',
    /^\/api\/(reminders|users\/reminder-settings|invoices\/{\w+}\/(reminders|dispute))\//,
  ],
  ['attachments', /^\/api\/invoices\/{\w+}\/attachments\//],
  ['credit', /^\/api\/invoices\/{\w+}\/credit\//],
  ['einvoice', /^\/api\/(users\/einvoice-settings|invoices\/{\w+}\/einvoice|customers\/ehf)\//],
  ['portal', /^\/api\/(portal|users\/portal-settings|invoices\/{\w+}\/link)\//],
  ['portal', /^\/api\/customers\/{\w+}\/statement\//],
  [['ehf', 'einvoice'], /^\/api\/customers\/{\w+}\/ehf\//],
  ['ehf', /^\/api\/users\/ehf-agreement\//],
  ['payments', /^\/api\/(payments|users\/kid-agreement)\//],
  ['products', /^\/api\/products\//],
  ['quotes', /^\/api\/(quotes|offers)\//],
  ['export', /^\/api\/(exports|users\/export-settings)\//],
  ['overview', /^\/api\/(overview|shared)\//],
  ['members', /^\/api\/(members|users\/company)\//],
  ['closing', /^\/api\/(company\/closing|users\/account)\//],
  ['integrations', /^\/api\/(tokens|webhooks)\//],
  ['passkeys', /^\/api\/users\/(passkeys|login\/passkey|prove\/options)\//],
  ['security', /^\/api\/users\/(sessions|prove)\//],
];

// FEAT-3
test('every call belongs to the feature of its address', () => {
  const featureAt = (path: string) => ADDRESSES.find(([, address]) => address.test(path))?.[0];
  const belongs = API_ENDPOINTS.map(({ id, feature }) => [id, feature]);
  expect(belongs).toEqual(API_ENDPOINTS.map(({ id, path }) => [id, featureAt(path)]));
});
