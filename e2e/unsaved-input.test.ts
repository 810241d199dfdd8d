import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';

import { DESKTOP, follow, PHONE, visit } from './support/browser.ts';
import { inspect } from './support/inspect.ts';
import { stage, WITH_ALL } from './support/faktur.ts';
import {
  addCustomer,
  call,
  COMPANY,
  completeProfile,
  createAccount,
  signUp,
} from './support/person.ts';

const here = stage(WITH_ALL);

const question = (page: Page) =>
  page.getByRole('alertdialog', { name: 'Forkaste det du har skrevet?' });

test('leaving a form with unsaved input asks first, and leaving a saved or deleted one does not', async () => {
  const { page, complaints } = await visit(here.browser, here.faktur.url);
  await signUp(page, here.faktur, 'halvskrevet@fjordlys.no');
  await page.getByRole('link', { name: 'Kunder' }).click();
  await page.getByRole('link', { name: 'Ny kunde' }).click();

  // An emptied form has no unsaved input.
  await page.getByLabel('Navn').fill('Nordnes');
  await page.getByLabel('Navn').fill('');
  await page.getByRole('link', { name: 'Kunder', exact: true }).click();
  await page.getByRole('link', { name: 'Ny kunde' }).click();

  // Leave by a link.
  await page.getByLabel('Navn').fill('Nordnes Kaffebar');
  await page.getByRole('link', { name: 'Fakturaer' }).click();
  await question(page).waitFor();
  await inspect(page, 'leave-question');
  await question(page).getByRole('button', { name: 'Avbryt' }).click();
  await question(page).waitFor({ state: 'hidden' });
  expect(await page.getByLabel('Navn').inputValue()).toBe('Nordnes Kaffebar');

  // Leave by the back button, twice. The address stays that of the form during the question.
  for (const _ of [1, 2]) {
    await page.evaluate(() => history.back());
    await question(page).waitFor();
    await page.waitForURL('**/customers/create/');
    await question(page).getByRole('button', { name: 'Avbryt' }).click();
    await question(page).waitFor({ state: 'hidden' });
  }
  expect(await page.getByLabel('Navn').inputValue()).toBe('Nordnes Kaffebar');

  // Leave by closing the tab.
  const asked = page.waitForEvent('dialog');
  await page.close({ runBeforeUnload: true });
  const dialog = await asked;
  expect(dialog.type()).toBe('beforeunload');
  await dialog.dismiss();

  await page.evaluate(() => history.back());
  await question(page).getByRole('button', { name: 'Forkast' }).click();
  await page.getByText('Ingen kunder ennå').waitFor();
  await page.evaluate(() => history.forward());
  await page.getByRole('heading', { name: 'Opprett kunde' }).waitFor();
  expect(await page.getByLabel('Navn').inputValue()).toBe('');

  // A saved form, and a form with input whose customer is deleted, do not ask.
  await page.getByLabel('Navn').fill('Nordnes Kaffebar');
  await page.getByRole('button', { name: 'Lagre' }).click();
  await page.getByRole('cell', { name: 'Nordnes Kaffebar', exact: true }).click();
  await page.getByLabel('Telefonnummer').fill('22334455');
  await page.getByRole('button', { name: 'Lagre' }).click();
  await page.getByText('Kunde oppdatert!').waitFor();
  await page.getByRole('link', { name: 'Kunder', exact: true }).click();
  await page.getByRole('cell', { name: 'Nordnes Kaffebar', exact: true }).click();
  expect(await page.getByLabel('Telefonnummer').inputValue()).toBe('22334455');
  await page.getByLabel('Telefonnummer').fill('99887766');
  await page.getByRole('button', { name: 'Slett kunde' }).click();
  await page
    .getByRole('alertdialog', { name: 'Slette kunde' })
    .getByRole('button', { name: 'Slett', exact: true })
    .click();
  await page.getByText('Ingen kunder ennå').waitFor();

  // Logging out asks before it ends the session.
  await page.getByRole('link', { name: 'Profil' }).click();
  await page.getByLabel('Firmanavn').fill('Fjordlys');
  await page.getByRole('button', { name: 'Logg ut' }).first().click();
  await question(page).getByRole('button', { name: 'Avbryt' }).click();
  await question(page).waitFor({ state: 'hidden' });
  await page.getByRole('button', { name: 'Logg ut' }).first().click();
  await question(page).getByRole('button', { name: 'Forkast' }).click();
  await page.getByRole('heading', { name: 'Fakturaer – enkelt.' }).waitFor();
  expect(complaints).toEqual([]);
});

async function logIn(page: Page, email: string): Promise<void> {
  await page.getByRole('heading', { name: 'Logg inn' }).waitFor();
  await page.getByLabel('E-post').fill(email);
  await page.getByRole('button', { name: 'Logg inn', exact: true }).click();
  await page.getByLabel('Kode').fill(await here.faktur.mailbox.takeCode(email));
  await page.waitForURL('**/invoices/');
}

/** Removes the session cookie, as the browser does after thirty days. */
async function runOut(page: Page): Promise<void> {
  const context = page.context();
  const inASecond = Date.now() / 1000 + 1;
  const cookies = await context.cookies();
  for (const cookie of cookies) cookie.expires = inASecond;
  await context.addCookies(cookies);
  await expect.poll(async () => context.cookies()).toEqual([]);
}

const kept = async (page: Page) =>
  page.evaluate(() => JSON.parse(sessionStorage.getItem('faktur.typed') ?? '[]') as unknown[]);

test('typed input survives a session that expires', async () => {
  const { page } = await visit(here.browser, here.faktur.url);
  const email = 'utlopt@fjordlys.no';
  await createAccount(page, here.faktur, email);
  await completeProfile(page);
  await addCustomer(page, 'Nordnes Kaffebar');
  await page.goto('/invoices/create/');
  await page.getByRole('option', { name: /Nordnes Kaffebar/ }).click();
  await page.getByRole('button', { name: 'Legg til linje' }).click();
  for (const [number, text] of [
    [1, 'Reparasjon'],
    [2, 'Frakt'],
  ] as const) {
    const line = page.getByRole('listitem', { name: `Linje ${number}` });
    await line.getByLabel('Beskrivelse').fill(text);
    await line.getByLabel('Pris eks. mva.').fill(`${number}00,50`);
  }
  await page.getByRole('button', { name: 'Flere valg' }).click();
  await page.getByLabel('Referanse').fill('Bestilling 7');
  // Cancelling a new customer does not ask about the rest of the form.
  await page.getByRole('button', { name: 'Legg til flere' }).click();
  await page.getByRole('button', { name: 'Ny kunde' }).click();
  await page.getByLabel('Navn').fill('Likevel ikke');
  await page.getByRole('button', { name: 'Avbryt' }).click();
  await page.getByLabel('Navn').waitFor({ state: 'hidden' });
  expect(await question(page).count()).toBe(0);
  expect(await kept(page)).toEqual([]);
  await runOut(page);
  const refused = page.waitForResponse('**/api/invoices/create/');
  await page.getByRole('button', { name: 'Lagre' }).click();
  expect((await refused).status()).toBe(401);
  await page.getByText('Det du skrev, er der når du har logget inn igjen.').waitFor();
  await inspect(page, 'login-kept-input');
  await logIn(page, email);
  await page.getByText('Noe du skrev, er ikke lagret.').waitFor();
  await inspect(page, 'invoices-kept-input');
  await page.getByRole('link', { name: 'Fortsett der du slapp' }).click();
  await page.getByText('Det du skrev, er hentet fram igjen.').waitFor();
  await page.getByRole('button', { name: 'Fjern Nordnes Kaffebar' }).waitFor();
  const second = page.getByRole('listitem', { name: 'Linje 2' });
  expect(await second.getByLabel('Beskrivelse').inputValue()).toBe('Frakt');
  expect(await second.getByLabel('Pris eks. mva.').inputValue()).toBe('200,50');
  expect(await page.getByLabel('Referanse').inputValue()).toBe('Bestilling 7');
  await inspect(page, 'invoice-create-kept-input');
  await page.getByRole('button', { name: 'Lagre' }).click();
  await page.getByText('Faktura opprettet!').waitFor();
  await page.getByText('376,25 kr', { exact: true }).waitFor();
  await page.waitForURL('**/invoices/');
  expect(await kept(page)).toEqual([]);

  // Another call may notice the end of the session. Restored input can be discarded.
  await follow(page, '/customers/create/');
  await page.getByLabel('Navn').fill('Hemmelig kunde');
  await page.getByLabel('Velg kundenummer selv').check();
  await page.getByLabel('Kundenummer', { exact: true }).fill('77');
  await page.request.get('/api/users/logout/');
  await page.getByRole('button', { name: 'Lagre' }).click();
  await logIn(page, email);
  await page.getByRole('link', { name: 'Fortsett der du slapp' }).click();
  await expect.poll(async () => page.getByLabel('Navn').inputValue()).toBe('Hemmelig kunde');
  expect(await page.getByLabel('Kundenummer', { exact: true }).inputValue()).toBe('77');
  await page.getByRole('button', { name: 'Forkast' }).click();
  await expect.poll(async () => page.getByLabel('Navn').inputValue()).toBe('');

  // Another account does not get the input.
  await page.getByLabel('Navn').fill('Hemmelig kunde');
  await page.request.get('/api/users/logout/');
  await page.getByRole('button', { name: 'Lagre' }).click();
  await page.getByRole('heading', { name: 'Logg inn' }).waitFor();
  expect(await kept(page)).toHaveLength(1);
  await signUp(page, here.faktur, 'en-annen@fjordlys.no');
  expect(await kept(page)).toEqual([]);
  expect(await page.getByText('Noe du skrev, er ikke lagret.').count()).toBe(0);
  await page.goto('/customers/create/');
  await page.getByRole('heading', { name: 'Opprett kunde' }).waitFor();
  expect(await page.getByLabel('Navn').inputValue()).toBe('');
});

test('a form is not saved while a new customer on it is unfinished, and leaves nothing unsaved afterwards', async () => {
  const { page, complaints } = await visit(here.browser, here.faktur.url);
  await createAccount(page, here.faktur, 'lagret-er-lagret@fjordlys.no');
  await completeProfile(page);
  await addCustomer(page, 'Nordnes Kaffebar');
  const isMade = async (path: string, count: number) => {
    const made = await call<{ results?: unknown[] } & unknown[]>(page, 'GET', path);
    expect((made.results ?? made).length).toBe(count);
  };
  const begin = async () => {
    await page.getByRole('button', { name: /^(Legg til flere|Bytt kunde)$/ }).click();
    await page.getByRole('button', { name: 'Ny kunde' }).click();
    await page.getByRole('region', { name: 'Ny kunde' }).getByLabel('Navn').fill('Halvveis');
    await page.getByRole('button', { name: 'Lagre' }).click();
    await page.getByText('Opprett den nye kunden, eller avbryt, før du lagrer').last().waitFor();
    expect(await page.locator('input:focus').inputValue()).toBe('Halvveis');
    expect(new URL(page.url()).pathname).toMatch(/\/(create|edit)\/$/);
    await page.getByRole('button', { name: 'Avbryt' }).click();
  };
  const isSaved = async (path: string) => {
    await page.getByRole('button', { name: 'Lagre' }).click();
    await page.waitForURL(path);
    expect(await question(page).count()).toBe(0);
    expect(await kept(page)).toEqual([]);
  };

  await page.goto('/invoices/create/');
  await page.getByRole('option', { name: /Nordnes Kaffebar/ }).click();
  await page.getByLabel('Beskrivelse').fill('Reparasjon');
  await page.getByLabel('Pris eks. mva.').fill('100');
  await begin();
  await isSaved('**/invoices/');
  await page.getByText('Faktura opprettet!').waitFor();
  await page.getByText(/^Ett utkast/).waitFor();
  await isMade('/api/invoices/', 1);

  const [draft] = (await call<{ results: { uuid: string }[] }>(page, 'GET', '/api/invoices/'))
    .results;
  await follow(page, `/invoices/${draft?.uuid}/edit/`);
  await page.getByRole('button', { name: 'Flere valg' }).click();
  await page.getByLabel('Referanse').fill('Bestilling 7');
  await begin();
  await isSaved(`**/invoices/${draft?.uuid}/`);

  await follow(page, '/invoices/recurring/create/');
  await page.getByRole('option', { name: /Nordnes Kaffebar/ }).click();
  await page.getByLabel('Navn', { exact: true }).first().fill('Renhold');
  await page.getByLabel('Beskrivelse').fill('Renhold');
  await page.getByLabel('Pris eks. mva.').fill('100');
  // The notice and the preview move the button, which must not happen while it is pressed.
  await page.getByText('Første linje på den første fakturaen').waitFor();
  await page.getByText('har ingen e-postadresse').waitFor();
  await begin();
  await page.getByRole('button', { name: 'Lagre' }).click();
  await page.getByRole('heading', { name: 'Renhold', level: 1 }).waitFor();
  expect(await question(page).count()).toBe(0);
  await isMade('/api/invoices/recurring/', 1);
  await page.getByRole('link', { name: 'Endre' }).click();
  await page.getByLabel('Navn', { exact: true }).first().fill('Renhold hver måned');
  await begin();
  await page.getByRole('button', { name: 'Lagre' }).click();
  await page.getByRole('heading', { name: 'Renhold hver måned', level: 1 }).waitFor();
  expect(await question(page).count()).toBe(0);
  expect(await kept(page)).toEqual([]);

  // A second press while the next screen loads creates nothing, and input typed meanwhile is not kept.
  await page.goto('/invoices/create/');
  await page.getByRole('option', { name: /Nordnes Kaffebar/ }).click();
  await page.getByLabel('Beskrivelse').fill('Reparasjon');
  await page.getByLabel('Pris eks. mva.').fill('100');
  const onItsWay = Promise.withResolvers<undefined>();
  await page.route('**/assets/InvoiceListPage-*.js*', async (route) => {
    await onItsWay.promise;
    await route.continue();
  });
  await page.getByRole('button', { name: 'Lagre' }).click();
  await page.getByText('Faktura opprettet!').waitFor();
  await page.getByRole('button', { name: 'Flere valg' }).click();
  await page.getByLabel('Referanse').fill('For sent');
  await page.getByRole('button', { name: 'Lagre' }).click();
  onItsWay.resolve(undefined);
  await page.getByText(/^2 utkast/).waitFor();
  await isMade('/api/invoices/', 2);
  expect(await kept(page)).toEqual([]);
  expect(complaints).toEqual([]);
});

/** The notices on the page that a message covers. */
function coveredNotices(): (string | null)[] {
  const message = document.querySelector('[role=log]')?.getBoundingClientRect();
  if (!message || message.height === 0) return ['no message'];
  return [...document.querySelectorAll('[role=status]')]
    .filter((notice) => {
      const { top, bottom, height } = notice.getBoundingClientRect();
      return height > 0 && top < message.bottom && bottom > message.top;
    })
    .map((notice) => notice.textContent);
}

test('changes made elsewhere are shown, and never overwritten silently', async () => {
  const { page, complaints } = await visit(here.browser, here.faktur.url);
  await createAccount(page, here.faktur, 'samtidig@skriver.fjordlys.no');
  await completeProfile(page);
  const customer = { name: 'Nordnes Kaffebar', email: 'post@nordnes.no' };
  const { customer_number: number } = await addCustomer(page, customer.name, customer);
  const change = async (fields: object) =>
    call(page, 'PUT', `/api/customers/${number}/update/`, { ...customer, ...fields });

  // A form without input shows the changed data.
  await page.goto('/customers/');
  await page.getByRole('cell', { name: customer.name, exact: true }).click();
  await page.getByRole('heading', { name: 'Endre kunde' }).waitFor();
  await page.getByRole('link', { name: 'Kunder', exact: true }).click();
  await change({ city: 'Bergen' });
  // The answer counts as fresh for five seconds.
  await page.evaluate(() => {
    const { now } = Date;
    Date.now = () => now() + 5000;
  });
  await page.getByRole('cell', { name: customer.name, exact: true }).click();
  await expect.poll(async () => page.getByLabel('Poststed').inputValue()).toBe('Bergen');

  // Keeping my input takes the other user's values in the fields that I did not change.
  await page.getByLabel('Telefonnummer').fill('22334455');
  await change({ city: 'Oslo', phone_number: '11111111' });
  await page.setViewportSize(PHONE);
  await page.getByRole('button', { name: 'Lagre' }).click();
  const notice = page.getByText('Noen har endret dette mens du skrev');
  // The message covers no notice, even when it must cover a field.
  await notice.evaluate((element) => element.scrollIntoView());
  await expect.poll(async () => page.evaluate(coveredNotices)).toEqual([]);
  await page.setViewportSize(DESKTOP);
  await page.getByText('Du skrev: 22334455').waitFor();
  await inspect(page, 'customer-changed-elsewhere');
  // Saving again does not bypass the question.
  // The first message may be gone on a slow machine.
  const refused = page.waitForResponse((response) => response.status() === 409);
  await page.getByRole('button', { name: 'Lagre' }).click();
  await refused;
  await page.getByText('Conflict').last().waitFor();
  await page.getByRole('button', { name: 'Behold det jeg skrev' }).click();
  await expect.poll(async () => page.getByLabel('Poststed').inputValue()).toBe('Oslo');
  expect(await page.getByLabel('Telefonnummer').inputValue()).toBe('22334455');
  await page.getByRole('button', { name: 'Lagre' }).click();
  await page.getByText('Kunde oppdatert!').waitFor();
  expect(await call(page, 'GET', `/api/customers/${number}/`)).toMatchObject({
    city: 'Oslo',
    phone_number: '22334455',
  });

  // Use the other user's values.
  await page.getByLabel('Navn').fill('Mitt navn');
  await change({ name: 'Deres navn' });
  await page.getByRole('button', { name: 'Lagre' }).click();
  await page.getByRole('button', { name: 'Bruk de nye opplysningene' }).click();
  await expect.poll(async () => page.getByLabel('Navn').inputValue()).toBe('Deres navn');
  await page.getByText('Noen har endret dette mens du skrev').waitFor({ state: 'hidden' });
  await page.getByRole('link', { name: 'Kunder', exact: true }).click();
  await page.getByRole('heading', { name: 'Kunder' }).waitFor();

  // Groups, templates and the profile do the same.
  const group = await call<{ uuid: string }>(page, 'POST', '/api/customers/groups/create/', {
    group_name: 'Husleie',
    customers: [number],
  });
  await follow(page, `/customers/groups/${group.uuid}/edit/`);
  await page.getByLabel('Navn på gruppen').fill('Min gruppe');
  await call(page, 'POST', `/api/customers/groups/${group.uuid}/update/`, {
    group_name: 'Deres gruppe',
    customers: [],
  });
  await page.getByRole('button', { name: 'Lagre' }).click();
  await page.getByText('Du skrev: Min gruppe').waitFor();
  await inspect(page, 'group-changed-elsewhere');
  await page.getByRole('button', { name: 'Behold det jeg skrev' }).click();
  await page.getByText('0 av 1 kunder').waitFor();
  await page.getByRole('button', { name: 'Lagre' }).click();
  await page.getByText('Kundegruppe oppdatert!').waitFor();

  const lines = [
    { invoiced_quantity: 1, description: 'Tilsyn', net_unit_amount: 10, vat_rate_percentage: 25 },
  ];
  const template = { name: 'Mal', delivery_type: 'EMAIL', due_days: 14, lines };
  const { id } = await call<{ id: number }>(
    page,
    'POST',
    '/api/invoices/template/create/',
    template,
  );
  await follow(page, `/invoices/templates/${id}/edit/`);
  await page.getByLabel('Navn').fill('Min mal');
  await call(page, 'PUT', `/api/invoices/template/${id}/update/`, {
    ...template,
    delivery_type: 'NONE',
    lines: [...lines, ...lines],
  });
  await page.getByRole('button', { name: 'Lagre' }).click();
  await page.getByText('Noen har endret dette mens du skrev').waitFor();
  await inspect(page, 'template-changed-elsewhere');
  await page.getByRole('button', { name: 'Behold det jeg skrev' }).click();
  await page.getByRole('listitem', { name: 'Linje 2' }).waitFor();
  expect(await page.getByLabel('Navn').inputValue()).toBe('Min mal');
  expect(await page.getByLabel('Leveringsmetode').inputValue()).toBe('NONE');
  await page.getByRole('button', { name: 'Lagre' }).click();
  await page.getByText('Fakturamal oppdatert!').waitFor();
  await page.waitForURL('**/invoices/templates/');

  await follow(page, '/profile/');
  await page.getByLabel('Poststed').fill('Trondheim');
  await call(page, 'POST', '/api/users/update/', { ...COMPANY, company_name: 'Deres AS' });
  await page.getByRole('button', { name: 'Oppdater', exact: true }).click();
  await page.getByText('Deres AS').waitFor();
  await page.getByRole('button', { name: 'Behold det jeg skrev' }).click();
  await expect.poll(async () => page.getByLabel('Firmanavn').inputValue()).toBe('Deres AS');
  expect(await page.getByLabel('Poststed').inputValue()).toBe('Trondheim');
  await page.getByRole('button', { name: 'Oppdater', exact: true }).click();
  await page.getByText('Profil oppdatert!').waitFor();
  expect(complaints).toEqual([]);
});
