import { expect, test } from 'vitest';

import { createMetrics, type Depths } from './measurements.ts';

const DEPTHS: Depths = {
  deliveries: { pending: 1, queued: 2, deferred: 0, sent: 3, failed: 4 },
  overdueEhf: 5,
  differentEhf: 6,
  missingRates: 7,
  queues: [{ name: 'deliver', waiting: 8, active: 1, oldestSeconds: 2 }],
};

test('a count that cannot be read is absent, since 0 would end an alert', async () => {
  let depths: Depths | null = DEPTHS;
  const metrics = createMetrics(async () => depths);
  const ours = async () =>
    (await metrics.read()).split('\n').filter((line) => /^faktur_(?:ehf|late|deliv)/.test(line));
  const counted = await ours();
  expect(counted).toHaveLength(8);
  expect(counted).toContain('faktur_ehf_overdue 5');
  depths = null;
  expect(await ours()).toEqual([]);
  depths = DEPTHS;
  expect(await ours()).toEqual(counted);
});
