import { afterAll, beforeAll, expect, test } from 'vitest';

import { follow, PHONE, visit } from './support/browser.ts';
import {
  openBusinessRegister,
  REGISTERED,
  type BusinessRegister,
} from './support/business-register.ts';
import { inspect } from './support/inspect.ts';
import { REGISTER_URL, stage } from './support/faktur.ts';
import { addCustomer, addDraft, call, completeProfile, createAccount } from './support/person.ts';

let register: BusinessRegister;

beforeAll(async () => {
  register = await openBusinessRegister();
});

const here = stage();

afterAll(async () => register.close());

// CUS-2, CUS-3, CUS-11, WEB-13, WEB-14, WEB-19
test('a user creates, changes and deletes customers', async () => {
  const { page, complaints } = await visit(here.browser, here.faktur.url);
  await createAccount(page, here.faktur, 'kunder@fjordlys.no');
  await completeProfile(page);

  // The fields show their rules.
  await page.goto('/customers/create/');
  await page.getByRole('heading', { name: 'Opprett kunde' }).waitFor();
  await page.getByText('En faktura skal vise kjøperens adresse eller').waitFor();
  await page.getByLabel('Organisasjonsnummer').fill('12345');
  await page.getByLabel('E-post').fill('feil');
  await page.getByLabel('Telefonnummer').fill('123');
  await page.getByLabel('Velg kundenummer selv').check();
  await page.getByLabel('Kundenummer', { exact: true }).fill('99999999');
  await page.getByRole('button', { name: 'Lagre' }).click();
  await page.getByText('name is a required field').waitFor();
  await page.getByText('email must be a valid email').waitFor();
  await page.getByText('orgNumber must be exactly 9 characters').waitFor();
  await page.getByText('phoneNumber must be exactly 8 characters').waitFor();
  // The contract's English rules are shown in Norwegian below the field.
  await page.getByText('Skriv nøyaktig 9 tegn.').waitFor();
  await page.getByText('Dette må fylles ut.').waitFor();
  expect(await page.getByLabel('Navn').getAttribute('aria-invalid')).toBe('true');
  await inspect(page, 'customer-create-errors');
  expect(await page.getByLabel('Kundenummer', { exact: true }).inputValue()).toBe('9999999');

  // Choosing the number oneself makes it required.
  await page.getByLabel('Kundenummer', { exact: true }).fill('');
  await page.getByText('customerNumber is a required field').waitFor();
  await page.getByLabel('Organisasjonsnummer').fill('');
  await page.getByLabel('Navn').fill('Åse Ødegård');
  await page.getByLabel('E-post').fill('ase@odegard.no');
  await page.getByLabel('Telefonnummer').fill('22 33 44 55');
  await page.getByLabel('Kundenummer', { exact: true }).fill('500');
  await page.getByRole('button', { name: 'Lagre' }).click();
  await page.getByText('Kunde opprettet!').waitFor();
  await page.getByText('1 kunde', { exact: true }).waitFor();
  await page.getByRole('cell', { name: '500', exact: true }).waitFor();

  // A number in use is told at its field.
  await follow(page, '/customers/create/');
  await page.getByLabel('Navn').fill('Enda en');
  await page.getByLabel('Velg kundenummer selv').check();
  await page.getByLabel('Kundenummer', { exact: true }).fill('500');
  await page.getByRole('button', { name: 'Lagre' }).click();
  await page.getByText('Kundenummer 500 er i bruk. Velg et annet.').waitFor();
  expect(await page.getByLabel('Navn').inputValue()).toBe('Enda en');

  // The request omits the number unless the user chooses it.
  await page.getByLabel('Velg kundenummer selv').uncheck();
  const [sent] = await Promise.all([
    page.waitForRequest('**/api/customers/create/'),
    page.getByRole('button', { name: 'Lagre' }).click(),
  ]);
  expect(sent.postDataJSON()).not.toHaveProperty('customer_number');
  await page.getByRole('cell', { name: '501', exact: true }).waitFor();
  await page.request.delete('/api/customers/501/');

  await follow(page, '/customers/500/');
  await page.getByRole('heading', { name: 'Endre kunde' }).waitFor();
  await page.getByLabel('Navn').fill('Åse Ødegård Bakeri');
  await page.getByRole('button', { name: 'Lagre' }).click();
  await page.getByText('Kunde oppdatert!').waitFor();
  expect(await call(page, 'GET', '/api/customers/500/')).toMatchObject({
    name: 'Åse Ødegård Bakeri',
    email: 'ase@odegard.no',
  });
  await inspect(page, 'customer-edit');

  // A refusal because of a draft that was made meanwhile leaves the reason on the page, and the button off (CUS-7).
  const button = page.getByRole('button', { name: 'Slett kunde' });
  await button.click();
  const dialog = page.getByRole('alertdialog', { name: 'Slette kunde' });
  await dialog.waitFor();
  await inspect(page, 'customer-delete');
  const draft = await addDraft(page, 500);
  await dialog.getByRole('button', { name: 'Slett', exact: true }).click();
  await page.getByText('Conflict').waitFor();
  await dialog.waitFor({ state: 'hidden' });
  await page.getByText('Kunden har fakturautkast. Slett eller registrer dem først.').waitFor();
  expect(await button.isDisabled()).toBe(true);
  await inspect(page, 'customer-delete-refused');
  await page.request.delete(`/api/invoices/${draft.uuid}/`);

  // The dialog stays open on a failure, and closing the message does not close it.
  await page.goto('/customers/500/edit/');
  await button.click();
  await page.route('**/api/customers/500/', async (route) =>
    route.request().method() === 'DELETE' ? route.fulfill({ status: 503 }) : route.continue(),
  );
  await dialog.getByRole('button', { name: 'Slett', exact: true }).click();
  await page.getByText('Service Unavailable').waitFor();
  await page.getByRole('button', { name: 'Lukk meldingen' }).last().click();
  await page.getByText('Service Unavailable').waitFor({ state: 'hidden' });
  await page.unroute('**/api/customers/500/');
  await dialog.getByRole('button', { name: 'Slett', exact: true }).click();
  await page.getByText('Kunde slettet!').waitFor();
  await page.getByText('Ingen kunder ennå').waitFor();

  await follow(page, '/customers/500/edit/');
  await page.getByRole('heading', { name: '404 - Finner ikke siden' }).waitFor();
  await inspect(page, 'customer-not-found');
  expect(complaints).toEqual([]);
});

// CUS-4, WEB-16
test('the business register fills empty fields, and never blocks the form', async () => {
  const { page } = await visit(here.browser, here.faktur.url);
  await page.route(`${REGISTER_URL}/**`, async (route) =>
    route.continue({ url: route.request().url().replace(REGISTER_URL, register.url) }),
  );
  await createAccount(page, here.faktur, 'register@fjordlys.no');
  await page.goto('/customers/create/');
  const orgNumber = page.getByLabel('Organisasjonsnummer');
  const name = page.getByLabel('Navn');

  await orgNumber.fill(REGISTERED.withSubUnit);
  await page.getByText('Registrert som EKSEMPEL AVD OSLO').waitFor();
  expect(await name.inputValue()).toBe('EKSEMPEL AVD OSLO');
  expect(await page.getByLabel('Adresse', { exact: true }).inputValue()).toBe(
    'Dronning Eufemias gate 30',
  );
  expect(await page.getByLabel('Postnummer').inputValue()).toBe('0155');
  await inspect(page, 'customer-create-register');

  // A name typed during the lookup is kept, even though the field was empty at its start.
  await page.goto('/customers/create/');
  const answer = register.hold();
  await orgNumber.fill(REGISTERED.withoutSubUnit);
  await page.getByText('Slår opp i Brønnøysundregistrene').waitFor();
  await name.fill('Mitt eget navn');
  answer();
  await page.getByText('Registrert som REGISTERENHETEN I BRØNNØYSUND').waitFor();
  await expect
    .poll(async () => page.getByLabel('Adresse', { exact: true }).inputValue())
    .toBe('Havnegata 48');
  expect(await name.inputValue()).toBe('Mitt eget navn');

  // The address from the previous lookup is kept too.
  await orgNumber.fill(REGISTERED.withSubUnit);
  await page.getByText('Registrert som EKSEMPEL AVD OSLO').waitFor();
  expect(await name.inputValue()).toBe('Mitt eget navn');
  expect(await page.getByLabel('Adresse', { exact: true }).inputValue()).toBe('Havnegata 48');

  await orgNumber.fill(REGISTERED.unknown);
  await page.getByText('vi fant ingen virksomhet').waitFor();
  await orgNumber.fill(REGISTERED.deleted);
  await page.getByText('vi fant ingen virksomhet').waitFor();
  await orgNumber.fill('123456784');
  await page.getByText('kontrollsifferet stemmer ikke').waitFor();

  for (const unhelpful of [REGISTERED.refused, REGISTERED.failing, REGISTERED.slow]) {
    await orgNumber.fill(unhelpful);
    await page.waitForTimeout(100);
    expect(await name.inputValue()).toBe('Mitt eget navn');
  }
  await page.getByText('Slår opp i Brønnøysundregistrene').waitFor();
  await page.getByRole('button', { name: 'Lagre' }).click();
  await page.getByText('Kunde opprettet!').waitFor();
});

// CUS-10, WEB-25
test('many customers can be paged and searched', async () => {
  const { page } = await visit(here.browser, here.faktur.url);
  await createAccount(page, here.faktur, 'mange@fjordlys.no');
  await addCustomer(page, 'Et firmanavn som er akkurat seksti tegn langt, eller lengre AS', {
    email: 'en-ganske-lang-epostadresse@et-like-langt-domenenavn-som-finnes.no',
    org_number: '923609016',
  });
  for (let first = 0; first < 120; first += 20) {
    const batch = Array.from({ length: 20 }, (_, index) => `Kunde ${first + index}`);
    await Promise.all(batch.map(async (name) => addCustomer(page, name)));
  }
  await page.goto('/customers/');
  await page.getByText('121 kunder').waitFor();
  await page.getByText('Side 1 av 3').waitFor();
  const headings = await page.getByRole('columnheader').allTextContents();
  expect(headings).toEqual(['ID', 'Navn', 'E-post', 'Organisasjonsnummer', 'Handlinger']);
  expect(await page.getByRole('link', { name: /^Endre / }).count()).toBe(50);
  for (const name of ['Ny kunde', 'Kundegrupper']) await page.getByRole('link', { name }).waitFor();
  await inspect(page, 'customers-many');
  await page.getByRole('button', { name: 'Neste' }).click();
  await page.getByText('Side 2 av 3').waitFor();
  await page.reload();
  await page.getByText('Side 2 av 3').waitFor();
  await page.getByRole('row').nth(5).getByRole('link').first().click();
  await page.getByRole('heading', { name: 'Endre kunde' }).waitFor();
  await page.goBack();
  await page.getByText('Side 2 av 3').waitFor();
  await page.getByLabel('Søk etter kunde').fill('kunde 77');
  await page.getByRole('cell', { name: 'Kunde 77', exact: true }).waitFor();
  await page.getByRole('cell', { name: 'Kunde 1', exact: true }).waitFor({ state: 'hidden' });
  await page.getByLabel('Søk etter kunde').fill('finnes ikke');
  await page.getByText('Ingen treff').waitFor();
  expect(await page.getByText('121 kunder').isVisible()).toBe(true);
  expect(page.url()).toContain('?query=finnes+ikke');

  // On a phone a row is two lines, and leads to the customer wherever it is pressed.
  await page.setViewportSize(PHONE);
  await page.getByLabel('Søk etter kunde').fill('kunde 77');
  const row = page.getByRole('row', { name: 'Kunde 77' });
  expect((await row.boundingBox())?.height).toBeLessThan(80);
  await row.click({ position: { x: 200, y: 50 } });
  await page.getByRole('heading', { name: 'Endre kunde' }).waitFor();
});

// CUS-5
test('pasted numbers are accepted with country codes and invisible characters', async () => {
  const { page, complaints } = await visit(here.browser, here.faktur.url);
  await createAccount(page, here.faktur, 'limt-inn@fjordlys.no');
  await page.goto('/customers/create/');
  await page.getByLabel('Navn').fill('Kaia AS');
  await page.getByLabel('Organisasjonsnummer').fill('\u202ANO 974 760 673 MVA\u202C');
  await page.getByLabel('Telefonnummer').fill('+47 912\u200B 34 567');
  await page.getByLabel('E-post').fill('\uFEFFpost@kaia.no');
  await page.getByRole('button', { name: 'Lagre' }).click();
  await page.getByText('Kunde opprettet!').waitFor();
  await page.waitForURL('**/customers/');
  expect(await call(page, 'GET', '/api/customers/')).toMatchObject([
    { org_number: '974760673', phone_number: '91234567', email: 'post@kaia.no' },
  ]);
  await follow(page, '/profile/');
  await page.getByLabel('Organisasjonsnummer').fill('974 760 673 MVA');
  await page.getByLabel('Kontonummer').fill('\u202A8601 11 17947\u202C');
  await page.getByRole('button', { name: 'Oppdater', exact: true }).click();
  await page.getByText('is a required field').first().waitFor();
  expect(await page.getByText('must be exactly 9 characters').count()).toBe(0);
  expect(await page.getByText('Bank account number must be').count()).toBe(0);
  expect(complaints).toEqual([]);
});

// CUS-15, CUS-16
test('a user keeps what is special about a customer under Flere opplysninger', async () => {
  const { page, complaints } = await visit(here.browser, here.faktur.url);
  await createAccount(page, here.faktur, 'vilkar@fjordlys.no');
  await page.goto('/customers/create/');
  const fold = page.getByRole('button', { name: 'Flere opplysninger' });
  expect(await fold.getAttribute('aria-expanded')).toBe('false');
  await page.getByLabel('Organisasjonsnummer').fill('12345');
  await page.getByLabel('Navn', { exact: true }).fill('Åse Ødegård');
  await fold.click();
  await inspect(page, 'customer-terms-empty');

  // A private person is not asked for an organisation number, and what was typed is no fault.
  await page.getByLabel('Privatperson').check();
  await page.getByLabel('Organisasjonsnummer').waitFor({ state: 'hidden' });
  const emails = page.getByLabel('E-post for fakturaer');
  await emails.fill('ase@odegard.no; feil');
  await page.getByLabel('Kontaktperson').fill('Bo Ødegård');
  await page.getByLabel('Referanse').fill('Hytta');
  await page.getByLabel('Dager til forfall').fill('30');
  await page.getByLabel('Leveringsmetode').selectOption('E-post');
  await page.getByLabel('Land').selectOption('Sverige');
  await fold.click();
  await page.getByRole('button', { name: 'Lagre' }).click();
  // The fold opens for the fault.
  await page.getByText('invoiceEmails must be a valid email').waitFor();
  expect(await emails.getAttribute('aria-invalid')).toBe('true');
  await inspect(page, 'customer-terms-fault');
  await emails.fill('ase@odegard.no, post@bjørnsrud.no');
  await page.getByRole('button', { name: 'Lagre' }).click();
  await page.getByText('Kunde opprettet!').waitFor();
  await page.waitForURL('**/customers/');
  const stored = {
    name: 'Åse Ødegård',
    org_number: null,
    country: 'SE',
    contact_name: 'Bo Ødegård',
    invoice_emails: ['ase@odegard.no', 'post@xn--bjrnsrud-64a.no'],
    reference: 'Hytta',
    due_days: 30,
    delivery_type: 'EMAIL',
    is_private: true,
  };
  expect(await call(page, 'GET', '/api/customers/1/')).toMatchObject(stored);

  // They are shown, and saving changes none of them.
  await follow(page, '/customers/1/edit/');
  await page.getByLabel('Land').waitFor();
  expect(await emails.inputValue()).toBe('ase@odegard.no, post@bjørnsrud.no');
  await inspect(page, 'customer-terms');
  await page.getByLabel('Telefonnummer').fill('22334455');
  await page.getByLabel('Dager til forfall').fill('');
  await page.getByRole('button', { name: 'Lagre' }).click();
  await page.getByText('Kunde oppdatert!').waitFor();
  const changed = { ...stored, phone_number: '22334455', due_days: null };
  expect(await call(page, 'GET', '/api/customers/1/')).toMatchObject(changed);

  // Somebody else's change is told in words.
  await page.getByLabel('Referanse').fill('Naustet');
  await call(page, 'PUT', '/api/customers/1/update/', { ...changed, country: 'DK' });
  await page.getByRole('button', { name: 'Lagre' }).click();
  await page.getByText('Nå: Danmark').waitFor();
  await page.getByRole('button', { name: 'Behold det jeg skrev' }).click();
  await page.getByRole('button', { name: 'Lagre' }).click();
  await expect
    .poll(async () => call(page, 'GET', '/api/customers/1/'))
    .toMatchObject({ country: 'DK', reference: 'Naustet' });

  // A list has them too.
  await page.goto('/customers/import/');
  await page
    .getByLabel('Rader fra et regneark')
    .fill(
      'Navn\tKontakt\tFakturaepost\tE-post\tLand\tFrist\tPrivat\n' +
        'Nils AB\tIda\ta@nils.se, b@nils.se\tpost@nils.se\tSverige\t20 dager\tnei\n' +
        'Per\t\tfeil\t\tAtlantis\tsnart\tja\n',
    );
  await page.getByRole('button', { name: 'Les radene' }).click();
  await page.getByText('E-postadressen er ikke gyldig').waitFor();
  await page.getByText('Landet er ikke kjent').waitFor();
  await page.getByText('Skriv antall dager').waitFor();
  await inspect(page, 'customer-terms-import');
  await page.getByRole('button', { name: 'Utelat rad 3' }).click();
  await page.getByRole('button', { name: 'Importer 1 kunde' }).click();
  await page.getByText('1 kunde er importert!').waitFor();
  expect(await call(page, 'GET', '/api/customers/2/')).toMatchObject({
    name: 'Nils AB',
    contact_name: 'Ida',
    email: 'post@nils.se',
    invoice_emails: ['a@nils.se', 'b@nils.se'],
    country: 'SE',
    due_days: 20,
    is_private: false,
  });
  expect(complaints).toEqual([]);
});
