import type { Page } from 'playwright-core';

import type { Feature } from '../../domain/api/endpoint.ts';
import { treatmentOfRate, type VatRate } from '../../domain/vat-treatment.ts';
import { call } from './person.ts';

// The specification's journeys are played with every feature off and with every feature on. Here is what a user then
// does or sees otherwise.

/** Whether a feature is on, according to the session. */
async function isOn(page: Page, feature: Feature): Promise<boolean> {
  const path = '/api/users/session/';
  return (await call<{ features: Feature[] }>(page, 'GET', path)).features.includes(feature);
}

/**
 * Call it after 'Sett til betalt' of one invoice was pressed. With `payments` it confirms the dialog that then opens.
 * It waits for the message.
 */
export async function finishPaying(page: Page): Promise<void> {
  const message = page.getByRole('log');
  if (!(await isOn(page, 'payments'))) {
    await message.getByText('Faktura oppdatert!').last().waitFor();
    return;
  }
  const dialog = page.getByRole('dialog', { name: 'Registrer betaling' });
  // By keyboard: a second click at the same place would be taken for a double tap.
  await dialog.getByRole('button', { name: 'Registrer betaling' }).press('Enter');
  await message.getByText('Betaling registrert!').last().waitFor();
  await dialog.waitFor({ state: 'hidden' });
}

/** Takes back that an invoice in the list was marked as paid. With `payments` the message offers no 'Angre'. */
export async function undoPaying(page: Page, number: number): Promise<void> {
  if (!(await isOn(page, 'payments'))) {
    await page.getByRole('log').getByRole('button', { name: 'Angre' }).click();
    await page.getByText('Endringen er angret').waitFor();
    return;
  }
  await page.goto(`/invoices/${number}/`);
  await page.getByRole('button', { name: 'Ikke betalt' }).click();
  await page.getByRole('button', { name: 'Sett til betalt' }).waitFor();
  await page.goBack();
}

/** The pages beside the profile: the names of the links there, and the headings that they lead to. */
export async function profilePages(page: Page): Promise<readonly (readonly [string, string])[]> {
  const has = async (feature: Feature, ...one: [string, string]) =>
    (await isOn(page, feature)) ? [one] : [];
  return [
    ...(await has('reminders', 'Purringer', 'Purringer')),
    ...(await has('export', 'Kontoer for eksport', 'Kontoer for eksport')),
    ...(await has('payments', 'Avtaler (KID og EHF)', 'Avtaler')),
    ...(await has('members', 'Medlemmer', 'Medlemmer')),
    ...(await has('integrations', 'Integrasjoner', 'Integrasjoner')),
  ];
}

/** The value of the field 'Mva.' for a rate: with `vat` the treatment that a rate alone stands for. */
export async function vatValue(page: Page, rate: VatRate, isRegistered = true): Promise<string> {
  return (await isOn(page, 'vat')) ? treatmentOfRate(rate, isRegistered) : String(rate);
}
