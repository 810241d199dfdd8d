import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';

import { follow, visit } from './support/browser.ts';
import { inspectFit } from './support/inspect.ts';
import { stage, WITH_ALL } from './support/faktur.ts';
import { addCustomer, addDraft, call, COMPANY, register, createAccount } from './support/person.ts';

const here = stage();
const withQuotes = stage(WITH_ALL);

/** A text that runs a script when it is parsed as markup, as an element or in an attribute. */
const TRICK = `<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>" onfocus='window.hacked=1' autofocus x="&lt;b&gt;`;

/** The hostile text, with the name of the field it is typed into. */
const typed = (where: string) => `${where} ${TRICK}`;

const LINE = {
  invoiced_quantity: 1,
  description: typed('Vare'),
  net_unit_amount: 1000,
  vat_rate_percentage: 25,
};

/** Stores every kind of data of a company, with the hostile text in it. */
async function storeTricks(page: Page) {
  await call(page, 'POST', '/api/users/update/', {
    ...COMPANY,
    company_name: typed('Firma'),
    billing_address1: typed('Gate'),
    billing_address2: typed('Oppgang'),
    billing_city: typed('By'),
  });
  const { customer_number: customer } = await addCustomer(page, typed('Kunde'), {
    email: 'kunde@eksempel.no',
    address1: typed('Vei'),
    city: typed('Sted'),
  });
  const { uuid: group } = await call<{ uuid: string }>(
    page,
    'POST',
    '/api/customers/groups/create/',
    { group_name: typed('Gruppe'), customers: [customer] },
  );
  const { id: template } = await call<{ id: number }>(
    page,
    'POST',
    '/api/invoices/template/create/',
    { name: typed('Mal'), delivery_type: 'EMAIL', due_days: 14, lines: [LINE] },
  );
  const draft = await addDraft(page, customer, {
    delivery_type: 'EMAIL',
    reference: typed('Ref').slice(0, 100),
    invoice_lines: [LINE],
  });
  return { customer, group, template, number: await register(page, draft) };
}

/** Expects that the hostile text created no element and ran no script. */
async function expectHarmless(page: Page): Promise<void> {
  const found = await page.evaluate(() => ({
    hasRun: 'hacked' in window,
    elements: document.querySelectorAll('img[src="x"], script:not([src]), [onfocus], [onerror]')
      .length,
  }));
  expect(found).toEqual({ hasRun: false, elements: 0 });
}

test('stored input is shown as typed on every screen', async () => {
  const { page, complaints } = await visit(here.browser, here.faktur.url);
  await createAccount(page, here.faktur, 'triks@fjordlys.no');
  const { customer, group, template, number } = await storeTricks(page);

  const screens: [path: string, texts: string[], values: string[]][] = [
    ['/customers/', [typed('Kunde')], []],
    [`/customers/${customer}/`, [], [typed('Kunde'), typed('Vei'), typed('Sted')]],
    ['/customers/groups/', [typed('Gruppe')], []],
    ['/customers/groups/create/', [typed('Kunde')], []],
    [`/customers/groups/${group}/edit/`, [typed('Kunde')], [typed('Gruppe')]],
    ['/invoices/templates/', [typed('Mal')], []],
    [`/invoices/templates/${template}/`, [typed('Mal'), typed('Vare')], []],
    [`/invoices/templates/${template}/edit/`, [], [typed('Mal'), typed('Vare')]],
    ['/invoices/', [typed('Kunde')], []],
    [`/invoices/${number}/`, [typed('Kunde'), typed('Vare')], []],
    ['/profile/', [], [typed('Firma'), typed('Gate'), typed('Oppgang'), typed('By')]],
  ];
  for (const [index, [path, texts, values]] of screens.entries()) {
    await (index === 0 ? page.goto(path) : follow(page, path));
    for (const text of texts) await page.getByText(text).first().waitFor();
    const shown = async () =>
      page.$$eval('input, textarea', (fields) =>
        fields.map((field) => (field as HTMLInputElement).value),
      );
    await expect.poll(shown).toEqual(expect.arrayContaining(values));
    await expectHarmless(page);
    await inspectFit(page, `hostile${path.replaceAll(/\W+/g, '-')}`.replace(group, 'uuid'));
  }
  expect(complaints).toEqual([]);
});

test('stored input is shown as typed in choices, questions and messages', async () => {
  const { page, complaints } = await visit(here.browser, here.faktur.url);
  await createAccount(page, here.faktur, 'flere-triks@fjordlys.no');
  const { customer } = await storeTricks(page);

  await page.goto('/invoices/create/');
  await page.getByRole('option', { name: typed('Kunde') }).click();
  await page.getByRole('button', { name: 'Legg til flere' }).click();
  await page.getByRole('tab', { name: 'Grupper' }).click();
  await page.getByRole('option', { name: typed('Gruppe') }).click();
  await expectHarmless(page);
  await inspectFit(page, 'hostile-chosen');

  await page.goto(`/customers/${customer}/`);
  await page.getByRole('button', { name: 'Slett kunde' }).click();
  await page.getByRole('alertdialog').waitFor();
  await expectHarmless(page);
  await inspectFit(page, 'hostile-dialog');

  // Input from a link, which is not stored.
  const led = encodeURIComponent(TRICK);
  for (const path of [
    `/${led}/`,
    `/customers/${led}/`,
    `/customers/groups/${led}/edit/`,
    `/invoices/${led}/`,
    `/invoices/templates/${led}/`,
    `/emails/unsubscribe/?token=${led}`,
  ]) {
    const isBelowOthers = /^\/(?:customers|invoices)\//.test(path);
    await (isBelowOthers ? follow(page, path) : page.goto(path));
    await page.getByRole('contentinfo').waitFor();
    await expectHarmless(page);
  }
  expect(complaints).toEqual([]);
});

test('stored input is harmless in mails, in a browser without a content security policy', async () => {
  const { page } = await visit(here.browser, here.faktur.url);
  await createAccount(page, here.faktur, 'triks-i-post@fjordlys.no');
  const { number } = await storeTricks(page);
  const mail = await here.faktur.mailbox.take('kunde@eksempel.no', ({ subject }) =>
    subject.startsWith(`Faktura ${number} `),
  );
  const { page: reader } = await visit(here.browser, 'about:blank');
  await reader.setContent(mail.html ?? '');
  await reader.getByText(typed('Kunde')).first().waitFor();
  await reader.getByText(typed('Firma')).first().waitFor();
  await expectHarmless(reader);
  expect(mail.text).toContain(typed('Firma'));
});

// QUO-37
test('stored input is shown as typed in quotes, at their links and in their mails', async () => {
  const { browser, faktur } = withQuotes;
  const { page, complaints } = await visit(browser, faktur.url);
  await createAccount(page, faktur, 'triks-i-tilbud@fjordlys.no');
  await call(page, 'POST', '/api/users/update/', { ...COMPANY, company_name: typed('Firma') });
  const email = 'tilbud@eksempel.no';
  const { customer_number: customer } = await addCustomer(page, typed('Kunde'), { email });
  const reference = typed('Ref').slice(0, 100);
  const texts = { title: typed('Tittel'), message: typed('Melding'), terms: typed('Vilkår') };
  const { uuid } = await call<{ uuid: string }>(page, 'POST', '/api/quotes/create/', {
    customer_number: customer,
    price_kind: 'FIXED',
    valid_until: '2099-12-31',
    lines: [LINE],
    reference,
    ...texts,
  });

  await page.goto(`/quotes/${uuid}/edit/`);
  const values = async () =>
    page.$$eval('input, textarea', (fields) =>
      fields.map((field) => (field as HTMLInputElement).value),
    );
  await expect
    .poll(values)
    .toEqual(expect.arrayContaining([...Object.values(texts), reference, typed('Vare')]));
  await expectHarmless(page);
  await inspectFit(page, 'hostile-quote-edit');
  const { url } = await call<{ url: string }>(page, 'POST', `/api/quotes/${uuid}/send/`, {});
  const shown: [path: string, texts: string[]][] = [
    ['/quotes/', [typed('Kunde'), typed('Tittel')]],
    [`/quotes/${uuid}/`, [...Object.values(texts), typed('Kunde'), typed('Vare')]],
  ];
  for (const [path, wanted] of shown) {
    await follow(page, path);
    for (const text of wanted) await page.getByText(text).first().waitFor();
    await expectHarmless(page);
    await inspectFit(page, `hostile${path.replaceAll(/\W+/g, '-')}`.replace(uuid, 'uuid'));
  }

  const { page: reader } = await visit(browser, faktur.url);
  await reader.goto(new URL(url).pathname);
  const offered = [...Object.values(texts), typed('Firma'), typed('Kunde'), typed('Vare')];
  for (const text of offered) await reader.getByText(text).first().waitFor();
  await expectHarmless(reader);
  const name = typed('Navn').slice(0, 100);
  await reader.getByLabel('Navn').fill(name);
  await reader.getByRole('button', { name: /^Godta tilbudet/ }).click();
  await reader.getByRole('heading', { name: 'Tilbudet er godtatt' }).waitFor();
  await reader.getByText(name).first().waitFor();
  await expectHarmless(reader);
  await inspectFit(reader, 'hostile-offer');
  await page.goto(`/quotes/${uuid}/`);
  await page.getByText(name).first().waitFor();
  await expectHarmless(page);

  const mails: [address: string, subject: string, texts: string[]][] = [
    [email, 'Tilbud 1 fra', [typed('Tittel'), typed('Melding'), typed('Kunde'), typed('Firma')]],
    [email, 'Ordrebekreftelse – tilbud 1 fra', [typed('Tittel'), name]],
    [COMPANY.email, 'Tilbud 1 er godtatt', [typed('Kunde'), name]],
  ];
  const { page: mailReader } = await visit(browser, 'about:blank');
  for (const [address, subject, wanted] of mails) {
    const mail = await faktur.mailbox.take(address, (caught) => caught.subject.startsWith(subject));
    await mailReader.setContent(mail.html ?? '');
    for (const text of wanted) await mailReader.getByText(text).last().waitFor();
    await expectHarmless(mailReader);
  }
  expect(complaints).toEqual([]);
});
