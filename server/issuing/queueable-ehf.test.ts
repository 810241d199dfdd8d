import { afterAll, beforeAll, expect, test } from 'vitest';

import { approveAgreement } from '../delivery/carriers/ehf/ehf-agreement.service.ts';
import { companyIdOf } from '../testing/company.ts';
import { completeProfile, line } from '../testing/factories.ts';
import { startEhfWorld, type EhfWorld } from '../testing/peppol/ehf-world.ts';

let world: EhfWorld<unknown>;

beforeAll(async () => {
  world = await startEhfWorld('phoss-ap', undefined, { FEATURES: '' });
});
afterAll(async () => world.close());

async function queueable(): Promise<unknown> {
  return (await world.client.get('/api/invoices/')).body.summary.queueable;
}

async function registerAll(): Promise<{ registered: number; skipped: string[] }> {
  const { body } = await world.client.post('/api/invoices/queue/');
  const skipped = body.skipped.map(({ message }: { message: string }) => message);
  return { registered: body.registered.length, skipped };
}

/** Saves the profile, and has its EHF agreement approved again. */
async function become(changes: object): Promise<void> {
  await completeProfile(world.client, changes);
  await world.client.post('/api/users/ehf-agreement/');
  const { db } = world.testApp.context;
  await approveAgreement(db, await companyIdOf(db, 'ehf@example.no'), null);
}

test('drafts for EHF that the seller cannot send are not counted, since they stay drafts', async () => {
  const withoutVat = { invoice_lines: [line('Frakt', 10, 0)] };
  // The VAT rate matters, even when the VAT is 0.
  const withVat = { invoice_lines: [line('Frakt', 10, 0), line('Prøve', 0, 25)] };
  for (const changes of [withoutVat, withoutVat, withVat]) await world.draft(undefined, changes);
  expect(await queueable()).toEqual({ drafts: 3, emails: 0, gross_amount: 30 });

  await become({ org_number: '123456780' });
  expect(await queueable()).toEqual({ drafts: 0, emails: 0, gross_amount: 0 });
  const invalid = "No EHF can be made: the seller's organisation number is not valid";
  expect(await registerAll()).toEqual({ registered: 0, skipped: [invalid, invalid, invalid] });

  await become({ vat_registered: false });
  expect(await queueable()).toEqual({ drafts: 2, emails: 0, gross_amount: 20 });
  const charging =
    'No EHF can be made: the invoice charges VAT although the seller is not VAT-registered';
  expect(await registerAll()).toEqual({ registered: 2, skipped: [charging] });
  expect(await queueable()).toEqual({ drafts: 0, emails: 0, gross_amount: 0 });

  await become({});
  expect(await queueable()).toEqual({ drafts: 1, emails: 0, gross_amount: 10 });
});
