import { expect, onTestFinished, test } from 'vitest';

import { follow, PHONE, visit } from './support/browser.ts';
import { openBusinessRegister, REGISTERED } from './support/business-register.ts';
import { inspect } from './support/inspect.ts';
import { REGISTER_URL, stage, withoutAndWithAll } from './support/faktur.ts';
import { profilePages } from './support/features.ts';
import {
  addCustomer,
  addDraft,
  call,
  completeProfile,
  register,
  createAccount,
} from './support/person.ts';

const here = stage();

/** The profile has the two planned agreements while nothing is on. */
const CARDS_HEIGHT = 500;

// PRO-3
test('an invoice shows the main one of two accounts', async () => {
  const { page, complaints } = await visit(here.browser, here.faktur.url);
  await createAccount(page, here.faktur, 'kontoer@fjordlys.no');
  await completeProfile(page);
  await page.goto('/profile/');
  const numbers = page.getByLabel('Kontonummer');
  const ticks = page.getByLabel('Hovedkonto');
  await page.getByRole('button', { name: 'Legg til konto' }).click();
  // The error is of no single field, so it takes the focus itself: the button is far below it.
  await numbers.nth(1).fill(await numbers.nth(0).inputValue());
  await page.getByRole('button', { name: 'Oppdater', exact: true }).click();
  const isFocused = async () =>
    page
      .getByText('Samme konto står to ganger.')
      .evaluate((text) => text.closest('p') === document.activeElement);
  await expect.poll(isFocused).toBe(true);
  // Banks write account numbers with spaces.
  await numbers.nth(1).fill('1503 20 80119');
  expect(await ticks.nth(0).isChecked()).toBe(true);
  // Choosing one main account unchecks the other.
  await ticks.nth(1).check();
  expect(await ticks.nth(0).isChecked()).toBe(false);
  await inspect(page, 'profile-two-accounts');
  await page.getByRole('button', { name: 'Oppdater', exact: true }).click();
  await page.getByText('Profil oppdatert!').waitFor();
  expect(await call(page, 'GET', '/api/users/profile/')).toMatchObject({
    bank_accounts: [
      { bank_account_number: '86011117947', is_primary: false },
      { bank_account_number: '15032080119', is_primary: true },
    ],
  });

  const { customer_number: customer } = await addCustomer(page, 'Nordnes Kaffebar');
  const draft = await addDraft(page, customer);
  await follow(page, `/invoices/${draft.uuid}/`);
  await page.getByText('1503.20.80119').waitFor();
  await register(page, draft);
  await follow(page, '/invoices/1/');
  await page.getByText('1503.20.80119').waitFor();

  await follow(page, '/profile/');
  await page.getByRole('button', { name: 'Fjern konto 2' }).click();
  await page.getByRole('button', { name: 'Oppdater', exact: true }).click();
  await page.getByText('Profil oppdatert!').waitFor();
  expect(await call(page, 'GET', '/api/users/profile/')).toMatchObject({
    bank_accounts: [{ bank_account_number: '86011117947', is_primary: true }],
  });
  expect(complaints).toEqual([]);
});

// PRO-11, PRO-13, PRO-14, WEB-22
test.each(withoutAndWithAll())(
  'the first visit asks what an invoice needs, and links lead to the rest, with FEATURES=%s',
  async (_, { browser, faktur }) => {
    const { page, complaints } = await visit(browser, faktur.url, { viewport: PHONE });
    await createAccount(page, faktur, 'deler@fjordlys.no');
    await page.goto('/profile/');
    await page.getByText('Fullfør profilen før du kan lage fakturaer').waitFor();
    const fields = page.locator('main :is(input, select, textarea):visible');
    await fields.first().waitFor();
    const pages = await profilePages(page);
    const cards = ['Bedriften', 'Adresse', 'Fakturering', 'Logo'];
    const security = page.locator('#security');
    const hasSecurity = (await security.count()) > 0;
    if (hasSecurity) await page.getByRole('heading', { name: 'Sikkerhet' }).waitFor();
    const planned = ['Efakturautsteder', 'KID/OCR-avtale'];
    expect(await page.getByRole('heading', { level: 2 }).allTextContents()).toEqual([
      ...cards,
      ...(pages.length > 0 ? [] : planned),
      ...(hasSecurity ? ['Sikkerhet'] : []),
    ]);
    const soon = await page.getByText('Kommer snart').count();
    const offered = page.getByRole('button', { name: /^Inngå / });
    const areOff = await Promise.all((await offered.all()).map(async (one) => one.isDisabled()));
    expect([soon, areOff]).toEqual(pages.length > 0 ? [0, []] : [2, [true, true]]);
    expect(await fields.count()).toBeLessThanOrEqual(14);
    const height = await page.evaluate(
      () =>
        document.querySelector('#security')?.getBoundingClientRect().top ??
        document.documentElement.scrollHeight,
    );
    expect(height).toBeLessThanOrEqual(2600 + (pages.length > 0 ? 0 : CARDS_HEIGHT));
    await page.getByLabel('Firmanavn').fill('Fjordlys');
    const links = page.getByRole('navigation', { name: 'Mer om bedriften' }).getByRole('link');
    expect(await links.allTextContents()).toEqual(pages.map(([name]) => name));
    for (const [index, [name, heading]] of pages.entries()) {
      await page.getByRole('link', { name, exact: true }).click();
      // Typed input is not left without a question.
      if (index === 0) await page.getByRole('button', { name: 'Forkast' }).click();
      const arrived = page.getByRole('heading', { name: heading, level: 1 });
      await arrived.waitFor();
      await expect
        .poll(async () => arrived.evaluate((one) => one === document.activeElement))
        .toBe(true);
      expect(await page.title()).toBe(`${heading} – Faktur`);
      await inspect(page, `profile-${new URL(page.url()).pathname.split('/').at(-2)}`);
      const trail = page.getByRole('navigation', { name: 'Brødsmulesti' });
      await trail.getByRole('link', { name: 'Profil' }).click();
    }

    // Addresses of the parts that the profile once had.
    await completeProfile(page);
    const moved = { '#reminders': 0, '#export': 1, '#agreements': 2 };
    for (const [hash, index] of Object.entries(moved)) {
      await page.goto(`/invoices/`);
      await page.goto(`/profile/${hash}`);
      const [, heading = 'Profil'] = pages[index] ?? [];
      await page.getByRole('heading', { name: heading, level: 1 }).waitFor();
    }
    const agreements = page.getByText('Eksisterende avtale!');
    await expect.poll(async () => (await agreements.boundingBox())?.y).toBeLessThan(PHONE.height);
    await page.goBack();
    await page.getByRole('heading', { name: 'Fakturaer', level: 1 }).waitFor();
    expect(complaints).toEqual([]);
  },
);

// PRO-6, PRO-15
test('the own number fills in what the register knows, and never what is typed', async () => {
  const register = await openBusinessRegister();
  onTestFinished(async () => register.close());
  const { page } = await visit(here.browser, here.faktur.url);
  await page.route(`${REGISTER_URL}/**`, async (route) =>
    route.continue({ url: route.request().url().replace(REGISTER_URL, register.url) }),
  );
  await createAccount(page, here.faktur, 'slar.opp@fjordlys.no');
  await page.goto('/profile/');
  const number = page.getByLabel('Organisasjonsnummer');
  const name = page.getByLabel('Firmanavn');
  const address = page.getByLabel('Fakturaadresse', { exact: true });
  const vat = page.getByLabel('Registrert i Merverdiavgiftsregisteret');
  const companies = page.getByLabel('Registrert i Foretaksregisteret');
  await page.getByText('Begynn her, så henter vi navn og adresse.').waitFor();
  await number.fill(REGISTERED.unknown);
  await page.getByText('vi fant ingen virksomhet').waitFor();
  await name.fill('Mitt eget navn');
  // It is the company itself that sells, not the place where it works.
  await number.fill('923 609 016');
  await page.getByText('Registrert som EKSEMPEL AS').waitFor();
  await expect.poll(async () => address.inputValue()).toBe('Strandgata 12');
  expect(await page.getByLabel('Postnummer').inputValue()).toBe('5003');
  expect(await page.getByLabel('Poststed').inputValue()).toBe('BERGEN');
  expect([await vat.isChecked(), await companies.isChecked()]).toEqual([true, true]);
  expect(await name.inputValue()).toBe('Mitt eget navn');
  // The account's own address is proposed for the answers of customers.
  expect(await page.getByLabel('E-post', { exact: true }).inputValue()).toBe(
    'slar.opp@fjordlys.no',
  );
  await inspect(page, 'profile-register');
  await vat.uncheck();
  await number.fill(REGISTERED.withoutSubUnit);
  await page.getByText('Registrert som REGISTERENHETEN I BRØNNØYSUND').waitFor();
  expect(await address.inputValue()).toBe('Strandgata 12');
  expect([await vat.isChecked(), await companies.isChecked()]).toEqual([false, true]);

  await page.getByLabel('Kontonummer').fill('8601 11 17947');
  const next = page.getByRole('link', { name: 'Lag din første faktura' });
  expect(await next.count()).toBe(0);
  await page.getByRole('button', { name: 'Oppdater', exact: true }).click();
  await next.click();
  await page.getByRole('heading', { name: 'Ny faktura', level: 1 }).waitFor();
  // It stays until there is an invoice.
  const { customer_number: customer } = await addCustomer(page, 'Nordnes Kaffebar');
  await addDraft(page, customer);
  await page.goto('/profile/');
  await page.getByText('Kan ikke endres etter at den første fakturaen er laget.').waitFor();
  expect(await page.getByLabel('Første fakturanummer').isDisabled()).toBe(true);
  expect(await next.count()).toBe(0);
});

// PRO-12
test('saving does not reload the profile, and a session that cannot be read blocks nothing', async () => {
  const { page } = await visit(here.browser, here.faktur.url);
  await createAccount(page, here.faktur, 'lagret@fjordlys.no');
  await completeProfile(page);
  await page.goto('/profile/');
  const name = page.getByLabel('Firmanavn');
  await name.fill('Fjordlys og sønner AS');
  const asked: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'GET') asked.push(new URL(request.url()).pathname);
  });
  const saves = page.getByRole('button', { name: 'Oppdater', exact: true });
  await saves.click();
  await page.getByText('Profil oppdatert!').waitFor();
  await expect.poll(() => asked).toContain('/api/users/session/');
  await expect.poll(async () => saves.getAttribute('aria-busy')).not.toBe('true');
  expect(asked).not.toContain('/api/users/profile/');

  // The first request fails, and the second gets no answer.
  let tries = 0;
  await page.route('**/api/users/session/', async (route) => {
    tries += 1;
    if (tries === 1) await route.fulfill({ status: 503 });
  });
  await name.fill('Fjordlys AS');
  await saves.click();
  await expect.poll(() => tries).toBe(2);
  await name.fill('Fjordlys igjen AS');
  const again = page.waitForRequest('**/api/users/update/');
  await saves.click();
  await again;
});
