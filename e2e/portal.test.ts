import { readFile } from 'node:fs/promises';

import { read, utils } from '@e965/xlsx';
import { expect, test } from 'vitest';

import { addDays, todayInOslo } from '../domain/date.ts';
import { formatKroner } from '../domain/money.ts';
import { STRIPES } from '../server/testing/logos.ts';
import { readWithPoppler, removeFolder, temporaryFolder } from '../server/testing/poppler.ts';
import { DESKTOP, PHONE, visit } from './support/browser.ts';
import { stage, WITH_ALL } from './support/faktur.ts';
import { inspect } from './support/inspect.ts';
import {
  addCustomer,
  addDraft,
  call,
  completeProfile,
  createAccount,
  register,
} from './support/person.ts';

const here = stage(WITH_ALL);
const ADDRESS = 'kari@kunde.fjordlys.no';

// PORT-7, PORT-11, PORT-12, PORT-15, PORT-16
test('a customer opens the link of a mail on a phone, and sees all of its invoices after a code', async () => {
  const owner = await visit(here.browser, here.faktur.url, { viewport: DESKTOP });
  await createAccount(owner.page, here.faktur, 'lenke@portal.fjordlys.no');
  await completeProfile(owner.page);
  const headers = { 'content-type': 'image/png' };
  await owner.page.request.put('/api/users/logo/', { data: STRIPES, headers });
  const { customer_number: kari } = await addCustomer(owner.page, 'Kari Nordmann', {
    email: ADDRESS,
    address1: 'Fjordveien 1',
    postal_code: '5003',
    city: 'Bergen',
  });
  const overdue = await addDraft(owner.page, kari, { issue_date: addDays(todayInOslo(), -40) });
  const first = await register(owner.page, overdue);
  const draft = await addDraft(owner.page, kari, { delivery_type: 'EMAIL' });
  const number = await register(owner.page, draft);
  const mail = await here.faktur.mailbox.take(ADDRESS);
  const link = /Se fakturaen på nett: (\S+)/.exec(mail.text ?? '')?.[1] ?? '';

  const { page, complaints } = await visit(here.browser, here.faktur.url, { viewport: PHONE });
  await page.goto(new URL(link).pathname);
  await page.getByRole('heading', { name: `Faktura ${number}`, level: 1 }).waitFor();
  await page.getByText('1\u00A0250,00\u00A0kr').first().waitFor();
  await page.getByRole('heading', { name: 'Slik betaler du' }).waitFor();
  const logo = page.locator('img');
  expect(await logo.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBeGreaterThan(0);
  await inspect(page, 'portal-unpaid');

  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: `Faktura-${number}.pdf` }).click(),
  ]);
  expect(file.suggestedFilename()).toBe(`Faktura-${number}.pdf`);

  await page.getByRole('button', { name: 'Se alle fakturaene dine' }).click();
  await page.getByText('k…@kunde.fjordlys.no').waitFor();
  await page.getByLabel('Kode').fill('AAAAAA');
  await page.getByRole('button', { name: 'Vis fakturaene' }).click();
  await page.getByRole('alert').getByText('Koden er feil').waitFor();
  await inspect(page, 'portal-code');
  await page.getByLabel('Kode').fill(await here.faktur.mailbox.takeCode(ADDRESS));
  await page.getByRole('button', { name: 'Vis fakturaene' }).click();
  await page.getByRole('heading', { name: 'Alle fakturaene dine' }).waitFor();
  await inspect(page, 'portal-confirmed');
  await page.getByRole('link', { name: `Faktura ${first}` }).click();
  await page.getByText('Forfalt', { exact: true }).waitFor();
  await inspect(page, 'portal-overdue');
  await page.getByRole('link', { name: 'Tilbake til alle fakturaene' }).click();
  await page.getByRole('heading', { name: `Faktura ${number}`, level: 1 }).waitFor();

  // Part paid, paid, credited.
  const pay = async (amount: number) =>
    call(owner.page, 'POST', '/api/payments/', {
      invoice_uuid: draft.uuid,
      amount,
      date: todayInOslo(),
    });
  await pay(250);
  await page.reload();
  await page.getByText('Delvis betalt', { exact: true }).first().waitFor();
  await inspect(page, 'portal-part-paid');
  await pay(1000);
  await page.reload();
  await page.getByText('Du trenger ikke å betale noe.').waitFor();
  await inspect(page, 'portal-paid');
  await call(owner.page, 'DELETE', `/api/invoices/${overdue.uuid}/`);
  await page.getByRole('link', { name: `Faktura ${first}` }).click();
  await page.getByText('Kreditert', { exact: true }).waitFor();
  await inspect(page, 'portal-credited');

  // The owner makes the link anew: the old one ends at once, in this browser too.
  await owner.page.goto(`/invoices/${draft.uuid}/`);
  await owner.page.getByRole('button', { name: 'Kopier lenke til kunden' }).waitFor();
  await owner.page.getByRole('button', { name: 'Lag ny lenke' }).click();
  const question = owner.page.getByRole('alertdialog', { name: 'Lage ny lenke?' });
  await question.getByText('Den gamle lenken slutter å virke.').waitFor();
  await question.getByRole('button', { name: 'Lag ny lenke' }).click();
  await owner.page.getByText('Ny lenke er laget!').waitFor();
  await inspect(owner.page, 'invoice-with-link');
  await page.goto(new URL(link).pathname);
  await page.getByRole('heading', { name: 'Lenken virker ikke' }).waitFor();
  await inspect(page, 'portal-gone');

  await owner.page.goto('/profile/');
  await owner.page.getByLabel('Kunden kan se alle fakturaene sine med en kode på e-post').uncheck();
  await owner.page.getByText('Valgene er lagret!').waitFor();
  await owner.page.getByLabel('Kundene får en lenke til fakturaen').uncheck();
  await expect
    .poll(async () => call(owner.page, 'GET', '/api/users/portal-settings/'))
    .toEqual({ enabled: false, show_all: false });
  await inspect(owner.page, 'profile-with-portal');
  expect([...complaints, ...owner.complaints]).toEqual([]);
});

// PORT-30, PORT-38, PORT-41
test('an owner mails a statement, and the accountant finds its rows in the workbook', async () => {
  const { page, complaints } = await visit(here.browser, here.faktur.url);
  await createAccount(page, here.faktur, 'utskrift@portal.fjordlys.no');
  await completeProfile(page);
  const address = 'ola@kunde.fjordlys.no';
  const { customer_number: ola } = await addCustomer(page, 'Ola Nordmann', { email: address });
  const paid = await addDraft(page, ola);
  await register(page, paid);
  const credited = await addDraft(page, ola);
  await register(page, credited);
  await call(page, 'POST', '/api/payments/', {
    invoice_uuid: paid.uuid,
    amount: 250.5,
    date: todayInOslo(),
  });
  await call(page, 'DELETE', `/api/invoices/${credited.uuid}/`);

  await page.goto(`/customers/${ola}/`);
  await page.getByRole('heading', { name: 'Kontoutskrift' }).waitFor();
  await page.getByText(`Sendes til ${address}.`).waitFor();
  await page.getByRole('button', { name: 'Send kontoutskrift' }).click();
  await page.getByText('Kontoutskrift sendt!').waitFor();
  const mail = await here.faktur.mailbox.take(address, ({ subject }) =>
    subject.startsWith('Kontoutskrift fra '),
  );
  const [attachment] = mail.attachments;
  expect(attachment?.filename).toBe(`Kontoutskrift-${ola}-${todayInOslo()}.pdf`);
  const folder = temporaryFolder();
  const pdf = readWithPoppler(folder, Buffer.from(attachment?.content as ArrayBuffer));
  const printed = pdf.text('reading').replaceAll(/\s+/g, ' ');
  removeFolder(folder);

  await page.goto('/invoices/export/');
  await page.getByLabel('Periode').selectOption({ label: 'I år' });
  await page.locator('section[aria-label="Dette blir med"][aria-busy="false"]').waitFor();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Eksporter', exact: true }).click(),
  ]);
  const workbook = read(await readFile(await download.path()));
  const rows = utils.sheet_to_json<Record<string, number | string | undefined>>(
    workbook.Sheets['Kundespesifikasjon'] ?? {},
  );
  const amounts = rows.flatMap((row) =>
    ['Debet', 'Kredit', 'Utgående'].flatMap((column) => {
      const amount = row[column];
      return typeof amount === 'number' && amount !== 0 ? [amount] : [];
    }),
  );
  expect(amounts).toEqual(expect.arrayContaining([1250, 250.5, 999.5]));
  for (const amount of amounts) {
    expect(printed).toContain(formatKroner(amount).replaceAll(/\s/g, ' '));
  }
  expect(complaints).toEqual([]);
});
