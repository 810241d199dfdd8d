import { expect, test } from 'vitest';

import { visit } from './support/browser.ts';
import { inspect } from './support/inspect.ts';
import { stage } from './support/faktur.ts';
import {
  addCustomer,
  addDraft,
  completeProfile,
  register,
  createAccount,
} from './support/person.ts';

const here = stage(() => ({ NEW_COMPANY_MAILS_PER_DAY: '1' }));

test('an invoice over the daily mail limit of a new account shows until when and why it waits', async () => {
  const { faktur, browser } = here;
  const { page, complaints } = await visit(browser, faktur.url);
  await createAccount(page, faktur, 'kari@fjordlys.no');
  await completeProfile(page);
  const customer = await addCustomer(page, 'Nordnes Kaffebar', { email: 'faktura@nordnes.no' });
  for (const draft of [1, 2]) {
    const made = await addDraft(page, customer.customer_number, { delivery_type: 'EMAIL' });
    await register(page, made);
    await page.goto(`/invoices/${made.uuid}/`);
    if (draft === 1) await faktur.mailbox.take('faktura@nordnes.no');
  }
  await page
    .getByText(
      /^Venter til \d\d\.\d\d\.\d{4}, 00:00\. En ny konto sender høyst 1 fakturaer på e-post i døgnet\.$/,
    )
    .waitFor();
  await inspect(page, 'invoice-deferred');
  expect(complaints).toEqual([]);
});
