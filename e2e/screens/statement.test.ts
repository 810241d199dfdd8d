import { expect, test } from 'vitest';

import {
  deliverStatement,
  listStatementDeliveries,
} from '../../domain/portal/statement.endpoints.ts';
import { updateCustomer } from '../../domain/customer/customer.endpoints.ts';
import type { StatementDelivery } from '../../domain/portal/statement.schema.ts';
import { listAssignments } from '../../domain/recurring/recurring.endpoints.ts';
import { answerQuotes } from '../support/quote-answers.ts';
import { inspect } from '../support/inspect.ts';
import { screens } from '../support/screens.ts';

const here = screens();
const NOW = new Date('2026-11-30T10:00:00Z');

function deliveryTo(address: string, state: Partial<StatementDelivery> = {}): StatementDelivery {
  const { status = 'SENT', failureReason: reason = null } = state;
  return {
    uuid: crypto.randomUUID(),
    recipient: address,
    recipients: [{ address, status, reason }],
    status,
    sentTime: status === 'SENT' ? NOW.toISOString() : null,
    failureReason: reason,
    ...state,
  };
}

async function open(email: string | null, deliveries: StatementDelivery[] = []) {
  const screen = await here.open('/customers/1/', {
    features: 'all',
    alone: true,
    customers: [{ name: 'Nordnes Kaffebar', email }],
    prepare: async (opened) => {
      const { page, api } = opened;
      answerQuotes(opened, []);
      await page.clock.setFixedTime(NOW);
      api.answer(listAssignments, () => []);
      api.answer(listStatementDeliveries, () => deliveries);
      api.answer(deliverStatement, () => {
        const sent = deliveryTo('post@nordnes.no');
        deliveries.unshift(sent);
        return sent;
      });
    },
  });
  await screen.page.getByRole('heading', { name: 'Kontoutskrift' }).waitFor();
  return screen;
}

// PORT-41
test('the card shows and mails the statement of a period, and says what became of it', async () => {
  const failed = { status: 'FAILED', failureReason: 'Postkassen finnes ikke' } as const;
  const { page, api, complaints } = await open('post@nordnes.no', [
    deliveryTo('gammel@nordnes.no', failed),
  ]);
  const pdf = page.getByRole('link', { name: 'Vis PDF' });
  const address = (dates: string) => `/customers/1/statement/pdf/?${dates}`;
  expect(await pdf.getAttribute('href')).toBe(address('from=2026-01-01&to=2026-11-30'));
  await page.getByText('Sendes til post@nordnes.no.').waitFor();
  await page.getByText('Postkassen finnes ikke').waitFor();
  await inspect(page, 'statement-card');
  const period = page.getByLabel('Periode');
  await period.selectOption('I fjor');
  expect(await pdf.getAttribute('href')).toBe(address('from=2025-01-01&to=2025-12-31'));
  await period.selectOption('Siste 12 måneder');
  expect(await pdf.getAttribute('href')).toBe(address('from=2025-12-01&to=2026-11-30'));
  await period.selectOption('Fra–til');
  await page.getByLabel('Til', { exact: true }).fill('01.12.2026');
  await page.getByText('Velg i dag, eller tidligere.').waitFor();
  await inspect(page, 'statement-card-dates');
  const send = page.getByRole('button', { name: 'Send kontoutskrift' });
  expect(await pdf.count()).toBe(0);
  await page.getByLabel('Til', { exact: true }).fill('31.10.2026');
  await send.focus();
  await page.keyboard.press('Enter');
  await page.getByText('Kontoutskrift sendt!').waitFor();
  const [asked] = api.asked(deliverStatement);
  expect(asked?.body).toMatchObject({ from: '2025-12-01', to: '2026-10-31' });
  await page.getByRole('list', { name: 'Sendte kontoutskrifter' }).getByText('Sendt').waitFor();
  expect(complaints).toEqual([]);
});

// PORT-41
test('an address that failed is corrected in the dialog that sends to it', async () => {
  const failed = { status: 'FAILED', failureReason: 'Postkassen finnes ikke' } as const;
  const { page, api, complaints } = await open('post@nordnes.no', [
    deliveryTo('post@nordnes.no', failed),
  ]);
  await page.getByRole('button', { name: 'Send kontoutskrift' }).click();
  const dialog = page.getByRole('dialog', { name: 'Send kontoutskrift' });
  await dialog.getByText('Kom ikke fram til post@nordnes.no.').waitFor();
  await inspect(page, 'statement-new-address');
  await dialog.getByLabel('Ny adresse').fill('regnskap@nordnes.no');
  await dialog.getByRole('button', { name: 'Lagre hos kunden og send' }).click();
  await page.getByText('Kontoutskrift sendt!').waitFor();
  await page.getByText('Sendes til regnskap@nordnes.no.').waitFor();
  expect(api.asked(updateCustomer)).toMatchObject([{ body: { email: 'regnskap@nordnes.no' } }]);
  expect(api.asked(deliverStatement)).toMatchObject([{ body: { to: '2026-11-30' } }]);
  expect(complaints).toEqual([]);
});

// PORT-41
test('without an address nothing is sent', async () => {
  const { page, complaints } = await open(null);
  await page.getByText('Kunden mangler e-postadresse.').waitFor();
  const send = page.getByRole('button', { name: 'Send kontoutskrift' });
  expect(await send.getAttribute('aria-disabled')).toBe('true');
  expect(complaints).toEqual([]);
});
