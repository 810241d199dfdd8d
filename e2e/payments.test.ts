import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';

import { todayInOslo } from '../domain/date.ts';
import { ocrFile, type OcrPayment } from '../server/testing/bank-files/ocr-file.ts';
import { DESKTOP, follow, PHONE, visit } from './support/browser.ts';
import { inspect, shiftOnLoad } from './support/inspect.ts';
import { stage, WITH_ALL, type Stage } from './support/faktur.ts';
import {
  addCustomer,
  addDraft,
  call,
  COMPANY,
  completeProfile,
  register,
  createAccount,
} from './support/person.ts';

/** A hostile text from the payer, which must be shown as plain text. */
const TRICK = '<img src=x onerror="window.hacked=1">';

const here = stage(WITH_ALL);

/** As Lighthouse has it: milliseconds, and bytes a second. */
const SLOW_4G = {
  offline: false,
  latency: 150,
  downloadThroughput: 1_638_400 / 8,
  uploadThroughput: 750_000 / 8,
};

interface Owed {
  readonly number: number;
  readonly uuid: string;
  readonly kid: string;
}

/** An invoice of 1 250 kroner to a new customer. */
async function addInvoice(page: Page, name: string): Promise<Owed> {
  const { customer_number: customer } = await addCustomer(page, name);
  const draft = await addDraft(page, customer);
  const number = await register(page, draft);
  const { customer_identification_number: kid } = await call<{
    customer_identification_number: string;
  }>(page, 'GET', `/api/invoices/${number}/`);
  return { number, uuid: draft.uuid, kid };
}

/** An OCR giro file for `setInputFiles`. Each number gives another transmission. */
function bankFile(name: string, number: number, payments: readonly OcrPayment[]) {
  return {
    name,
    mimeType: 'text/plain',
    buffer: ocrFile([{ number, assignments: [{ payments }] }]),
  };
}

async function enter(
  email: string,
  options: Parameters<typeof visit>[2] = {},
  { browser, faktur }: Stage = here,
) {
  const { page, complaints } = await visit(browser, faktur.url, options);
  await createAccount(page, faktur, email);
  await completeProfile(page);
  return { page, complaints };
}

/** Chooses files as the button does. */
async function choose(page: Page, ...files: ReturnType<typeof bankFile>[]): Promise<void> {
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Velg fil' }).click();
  await (await chooser).setFiles(files);
}

/** Drops a file of more than 50 MB beside the field. */
async function dropLarge(page: Page, name: string): Promise<void> {
  await page.evaluate((called) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([new Uint8Array(50_000_001)], called));
    document.body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true }));
  }, name);
}

const dialog = (page: Page) => page.getByRole('dialog');

async function expectStatus(page: Page, number: number, status: string): Promise<void> {
  await expect
    .poll(async () => call<{ status: string }>(page, 'GET', `/api/invoices/${number}/`))
    .toMatchObject({ status });
}

// WEB-27. The session comes last, and with it what is turned on and what the user may do.
test('on a slow line no screen shifts while it loads', async () => {
  const { page, complaints } = await enter('sen@fjordlys.no');
  const { number } = await addInvoice(page, 'Nordnes');
  await addDraft(page, 1);
  const line = await page.context().newCDPSession(page);
  await line.send('Network.enable');
  await line.send('Network.emulateNetworkConditions', SLOW_4G);
  // A route of Playwright's would turn the browser's cache off.
  line.on('Fetch.requestPaused', ({ requestId }) => {
    setTimeout(() => void line.send('Fetch.continueRequest', { requestId }).catch(() => null), 500);
  });
  await line.send('Fetch.enable', { patterns: [{ urlPattern: '*/api/users/session/' }] });
  // First with the code too on the line, then with code from the cache, when only the data is late.
  for (const size of [PHONE, DESKTOP]) {
    await line.send('Network.setCacheDisabled', { cacheDisabled: size === PHONE });
    await page.setViewportSize(size);
    for (const address of ['', 'create/', `${number}/`]
      .map((rest) => `/invoices/${rest}`)
      .concat(
        '/customers/',
        '/customers/groups/create/',
        '/products/',
        '/payments/',
        '/profile/',
        '/profile/agreements/',
      )) {
      expect(await shiftOnLoad(page, address), `${address} at ${size.width}`).toBeLessThan(0.02);
    }
  }
  await line.detach();
  expect(complaints).toEqual([]);
});

test('a file is previewed, booked with one press and undone with one press', async () => {
  const { page, complaints } = await enter('kari@bank.fjordlys.no');
  const [first, second] = [await addInvoice(page, 'Nordnes'), await addInvoice(page, 'Vestland')];
  const file = bankFile('ocr-20-11.txt', 1, [
    { amount: 125_000, kid: first.kid },
    { amount: 50_000, kid: second.kid },
  ]);
  await page.goto('/invoices/');
  await page.getByRole('link', { name: 'Innbetalinger' }).click();
  await page.getByText('Ingen filer ennå').waitFor();
  await inspect(page, 'payments-empty');

  await choose(page, file);
  await page.waitForURL('**/payments/files/*/');
  await page.getByRole('heading', { name: 'ocr-20-11.txt' }).waitFor();
  expect(await page.getByLabel('Brødsmulesti').innerText()).toContain('Innbetalinger');
  await page.getByText(`Faktura ${first.number} blir betalt.`).waitFor();
  await page.getByText(`Faktura ${second.number} blir delvis betalt.`).waitFor();
  // A reload shows the same file.
  await page.reload();

  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await page.getByRole('button', { name: 'Bokfør 2 innbetalinger, 1 750,00 kr' }).dblclick();
  await page.getByText('Bokført automatisk: 2 innbetalinger, 1 750,00 kr').waitFor();
  await page.getByRole('heading', { name: /^Ført/ }).waitFor();
  expect(asked.filter((url) => url.includes('/book/'))).toHaveLength(1);
  await inspect(page, 'bank-file-booked');
  await page
    .getByRole('link', { name: String(first.number) })
    .first()
    .click();
  await page.getByText('Betalt', { exact: true }).first().waitFor();
  await expectStatus(page, second.number, 'REGISTERED');

  // Choosing the same file again opens the earlier one.
  await follow(page, '/payments/');
  await choose(page, file);
  await page.getByText('Filen er lest før. Her er den.').waitFor();
  await page.getByRole('button', { name: 'Angre' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Angre' }).click();
  await page.getByText('Bokføringen er angret.').waitFor();
  await expectStatus(page, first.number, 'REGISTERED');
  expect(complaints).toEqual([]);
});

/** Makes the screen see the file as still in progress, until the returned function is called. */
async function holdAt(page: Page, state: 'BOOKING' | 'UNDOING'): Promise<() => Promise<void>> {
  const file = /\/api\/payments\/files\/[^/]+\/\?entries=false$/;
  await page.route(file, async (route) => {
    const response = await route.fetch();
    const stored = (await response.json()) as object;
    await route.fulfill({ response, json: { ...stored, state, progress: 0.4 } });
  });
  // A pending call is answered first.
  return async () => page.unrouteAll({ behavior: 'wait' });
}

test('a large file is booked in the background, and the screen shows the progress', async () => {
  const { page, complaints } = await enter('stor@fjordlys.no');
  // A job books what is more than 500 (booking.service.ts).
  const payments = Array.from({ length: 600 }, () => ({ amount: 100 }));
  await page.goto('/payments/');
  await choose(page, bankFile('stor.txt', 1, payments));
  const book = page.getByRole('button', { name: /^Bokfør 600 innbetalinger/ });
  await book.waitFor();
  const goOn = await holdAt(page, 'BOOKING');
  await book.click();
  await page.getByRole('progressbar', { name: 'Bokfører' }).waitFor();
  await page.getByText('Bokfører 600 innbetalinger …').waitFor();
  await inspect(page, 'bank-file-booking');
  await goOn();
  // Booking continues after leaving the screen, and the screen shows it on return.
  await page.getByRole('link', { name: 'Innbetalinger' }).first().click();
  await page
    .getByRole('row', { name: /stor\.txt/ })
    .getByText('Bokført')
    .waitFor();
  await page.getByRole('cell', { name: 'stor.txt', exact: true }).click();
  await page.getByText('Ingenting ble ført automatisk.').waitFor();
  const goOnUndoing = await holdAt(page, 'UNDOING');
  await page.getByRole('button', { name: 'Angre' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Angre' }).click();
  await page.getByRole('progressbar', { name: 'Angrer' }).waitFor();
  await goOnUndoing();
  await page.getByText('Bokføringen er angret.').waitFor();
  expect(complaints).toEqual([]);
});

// WIRE-12
test('several files are read one after the other, and a faulty one lists its faulty lines', async () => {
  const { page, complaints } = await enter('ola@bank.fjordlys.no');
  const { kid } = await addInvoice(page, 'Nordnes');
  const good = bankFile('bra.txt', 1, [{ amount: 125_000, kid }]);
  const text = good.buffer.toString('latin1').split('\r\n');
  const cut = text.map((line, index) => (index === 2 ? line.slice(0, 60) : line));
  const bad = { ...good, name: 'feil.txt', buffer: Buffer.from(cut.join('\r\n'), 'latin1') };
  await page.goto('/payments/');
  await page.getByText('Ingen filer ennå').waitFor();
  await choose(page, bad, good);
  const list = page.getByRole('list', { name: 'Filer som leses' });
  await list.getByText('feil.txt ble ikke lest, og ingenting er bokført.').waitFor();
  await list.getByText('Linje 3:').first().waitFor();
  await list.getByRole('link', { name: 'Åpne bra.txt' }).waitFor();
  await inspect(page, 'payments-uploads');

  // A file that is too large is not sent at all.
  await dropLarge(page, 'stor.txt');
  await list.getByText('Filen er for stor.').waitFor();
  await list.getByRole('button', { name: 'Fjern stor.txt' }).click();

  // A file that could not be sent offline can be sent again.
  await list.getByRole('button', { name: 'Fjern feil.txt' }).click();
  await page.context().setOffline(true);
  await choose(page, bankFile('senere.txt', 2, [{ amount: 9_900, kid: '' }]));
  await list.getByText('Får ikke kontakt med Faktur.').waitFor();
  await page.context().setOffline(false);
  await list.getByRole('button', { name: 'Prøv igjen med senere.txt' }).click();
  await page.waitForURL('**/payments/files/*/');
  // A failure disappears once another attempt succeeds.
  const forget = page.getByRole('button', { name: 'Forkast', exact: true });
  await forget.waitFor();
  await page.context().setOffline(true);
  await forget.click();
  await page.getByText('Det er usikkert hvor langt det kom.').waitFor();
  await page.context().setOffline(false);
  await page.getByRole('button', { name: /^Bokfør/ }).click();
  await page.getByText('Ingenting ble ført automatisk.').waitFor();
  expect(await page.getByText('Det er usikkert hvor langt det kom.').count()).toBe(0);
  await page.getByRole('link', { name: 'Innbetalinger' }).first().click();
  await choose(page, bankFile('forkastes.txt', 4, [{ amount: 9_800, kid: '' }]));
  await forget.click();
  await page.getByText('Filen er forkastet.').waitFor();
  expect(await page.getByRole('cell', { name: 'forkastes.txt', exact: true }).count()).toBe(0);

  // A file without payments can be booked too, because reminders wait for it.
  await choose(page, bankFile('ingen.txt', 3, []));
  await page.getByText('Det er ingen innbetalinger i filen.').waitFor();
  await page.getByRole('button', { name: 'Bokfør', exact: true }).click();
  await page.getByText('Det var ingenting nytt i filen.').waitFor();
  expect(complaints).toEqual([]);
});

test('a reversal from the bank is placed on the paid invoice of its payment', async () => {
  const { page, complaints } = await enter('tilbake@fjordlys.no');
  const { number, uuid } = await addInvoice(page, 'Nordnes Kaffebar');
  const date = todayInOslo();
  await call(page, 'POST', '/api/payments/', { invoice_uuid: uuid, amount: 1250, date });
  const takenBack = { amount: 125_000, sign: '-', type: 20, text: 'Feilsendt', kid: '' } as const;
  await page.goto('/payments/');
  await choose(page, bankFile('tilbake.txt', 1, [takenBack]));
  await page.getByRole('button', { name: /^Bokfør/ }).click();
  await page.getByText('Tilbakeført av banken: 1 innbetaling, −1 250,00 kr.').waitFor();
  const notTaken = page.getByText('ble ikke tatt tilbake fra noen faktura. Se Innbetalinger.');
  await notTaken.nth(1).waitFor();
  await page.getByRole('status').getByRole('link', { name: 'Innbetalinger' }).click();
  const list = page.getByRole('list', { name: 'Innbetalinger som ikke er koblet til faktura' });
  await list.getByRole('button', { name: /^Finn faktura/ }).click();
  await dialog(page).getByText('betalt, samme beløp').waitFor();
  await inspect(page, 'payments-finder-taken-back');
  await dialog(page)
    .getByRole('option', { name: /Nordnes Kaffebar/ })
    .click();
  await page.getByText(`er koblet til faktura ${number}.`).waitFor();
  await expectStatus(page, number, 'REGISTERED');
  expect(complaints).toEqual([]);
});

test('a booked reversal names the invoice that it opened again', async () => {
  const { page, complaints } = await enter('feilsendt@fjordlys.no');
  const { number, kid } = await addInvoice(page, 'Nordnes Kaffebar');
  const paid = { amount: 125_000, kid };
  const reversed = { ...paid, sign: '-' } as const;
  await page.goto('/payments/');
  await choose(page, bankFile('begge.txt', 1, [paid, reversed]));
  await page.getByRole('button', { name: /^Bokfør/ }).click();
  await page.getByText(`Tatt tilbake fra faktura ${number}.`).nth(1).waitFor();
  expect(await page.getByText('Ble ikke tatt tilbake').count()).toBe(0);
  await inspect(page, 'bank-file-reversed');
  await expectStatus(page, number, 'REGISTERED');
  expect(complaints).toEqual([]);
});

test('on a phone credit and unplaced payments are placed, refunded or dropped by hand', async () => {
  const { page, complaints } = await enter('turid@bank.fjordlys.no', { viewport: PHONE });
  // Invoice numbers in texts are recognised from four digits on.
  await call(page, 'POST', '/api/users/update/', { ...COMPANY, start_invoice_number: 1041 });
  const [first, second, third] = [
    await addInvoice(page, 'Nordnes Kaffebar'),
    await addInvoice(page, 'Vestlandet Vev'),
    await addInvoice(page, 'Bryggen Bakeri'),
  ];
  const payments = [
    { amount: 135_000, kid: first.kid },
    { amount: 125_000, type: 21, text: `Betaling av faktura ${String(second.number)}`, kid: '' },
    { amount: 30_000, type: 21, text: 'Takk for sist', kid: '' },
    { amount: 9_900, type: 21, text: TRICK, kid: '' },
  ];
  await page.goto('/payments/');
  await choose(page, bankFile('blandet.txt', 1, payments));
  await page.getByText('100,00 kr for mye blir stående til gode hos kunden.').waitFor();
  await inspect(page, 'bank-file-mixed');
  await page.getByRole('button', { name: /^Bokfør 4 innbetalinger/ }).click();
  await page.getByRole('link', { name: 'Koble 3 innbetalinger til faktura' }).click();
  const list = page.getByRole('list', { name: 'Innbetalinger som ikke er koblet til faktura' });
  await list.getByText('Til gode hos').waitFor();
  expect(await page.locator('img').count()).toBe(0);
  await inspect(page, 'payments-unplaced');

  // Accept the suggestion with one press.
  await list.getByRole('button', { name: `Koble til faktura ${second.number}` }).click();
  await page.getByText(`er koblet til faktura ${second.number}.`).waitFor();
  await expectStatus(page, second.number, 'PAID');

  // Find the invoice with the keyboard.
  const thanks = list.getByRole('listitem').filter({ hasText: 'Takk for sist' }).first();
  await thanks.getByRole('button', { name: /^Finn faktura/ }).press('Enter');
  const field = dialog(page).getByLabel('Søk etter nummer, navn eller beløp');
  await field.fill('1 251');
  await dialog(page).getByText('Ingen treff blant åpne fakturaer').waitFor();
  await field.fill('1 250,00');
  await dialog(page)
    .getByRole('option', { name: /Bryggen/ })
    .waitFor();
  await inspect(page, 'payments-finder');
  // Enter chooses the only result, also when it comes after the press.
  await field.fill('Bryggen');
  await field.press('Enter');
  await page.getByText(`er koblet til faktura ${third.number}.`).waitFor();
  await page.getByRole('button', { name: 'Angre' }).click();
  await thanks.waitFor();

  // Refunding and dropping ask for confirmation.
  await thanks.getByRole('button', { name: /^Merk som tilbakebetalt/ }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Merk' }).click();
  await page.getByText('er merket som tilbakebetalt.').waitFor();
  // A refund is undone also after leaving the screen, and the file's refusal says where.
  await follow(page, '/payments/');
  await page.getByRole('cell', { name: 'blandet.txt', exact: true }).click();
  await page.getByRole('heading', { name: 'blandet.txt' }).waitFor();
  await page.getByRole('button', { name: 'Angre' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Angre' }).click();
  await page
    .getByText(/^300,00 kr, .*Angre tilbakebetalingen under Innbetalinger først/)
    .first()
    .waitFor();
  await follow(page, '/payments/');
  const refunded = page.getByRole('list', { name: 'Merket som tilbakebetalt' });
  await refunded.getByText('Takk for sist').waitFor();
  await inspect(page, 'payments-refunded');
  await refunded.getByRole('button', { name: /^Angre/ }).click();
  await thanks.waitFor();
  await refunded.waitFor({ state: 'detached' });
  const wrong = list.getByRole('listitem').filter({ hasText: TRICK }).first();
  await wrong.getByRole('button', { name: /^Ikke fra en kunde/ }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Ta ut' }).click();
  await wrong.waitFor({ state: 'hidden' });
  expect(complaints).toEqual([]);
});

// PRO-7
test('removing an account that unpaid invoices name from the profile shows a warning', async () => {
  const { page, complaints } = await enter('konto@bank.fjordlys.no');
  await addInvoice(page, 'Nordnes');
  await page.goto('/profile/');
  const warning = page.getByText('Konto 8601.11.17947 står på 1 ubetalt faktura.');
  await page.getByRole('button', { name: 'Legg til konto' }).click();
  await page.getByLabel('Kontonummer').nth(1).fill('1503.20.80119');
  await page.getByRole('button', { name: 'Fjern konto 1' }).click();
  await warning.waitFor();
  await inspect(page, 'profile-account-removed');
  // Overwriting the number shows the warning too.
  await page.getByLabel('Kontonummer').fill('8601.11.17947');
  await warning.waitFor({ state: 'detached' });
  await page.getByLabel('Kontonummer').fill('1503.20.80119');
  await warning.waitFor();
  await page.getByRole('button', { name: 'Oppdater', exact: true }).click();
  await page.getByText('Profil oppdatert!').waitFor();
  expect(complaints).toEqual([]);
});
