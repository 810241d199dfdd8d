import { randomUUID } from 'node:crypto';

import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';

import { addAttachment, listAttachments } from '../../domain/attachment/attachment.endpoints.ts';
import type { Attachment } from '../../domain/attachment/attachment.schema.ts';
import { getClosing } from '../../domain/closing/closing.endpoints.ts';
import {
  createCustomer,
  getCustomerGroup,
  listCustomers,
  updateCustomerGroup,
} from '../../domain/customer/customer.endpoints.ts';
import { addDays, todayInOslo } from '../../domain/date.ts';
import { listWebhooks } from '../../domain/integration/webhook.endpoints.ts';
import { MOST_WEBHOOKS, type Webhook } from '../../domain/integration/webhook.schema.ts';
import { listMembers, updateMember } from '../../domain/member/member.endpoints.ts';
import type { Member } from '../../domain/member/member.schema.ts';
import { createOverviewLink, listOverviewLinks } from '../../domain/overview/overview.endpoints.ts';
import { MOST_LINKS, type OverviewLink } from '../../domain/overview/overview-link.schema.ts';
import { createProduct, listProducts } from '../../domain/product/product.endpoints.ts';
import type { Product } from '../../domain/product/product.schema.ts';
import { getKidAgreement } from '../../domain/profile/settings.endpoints.ts';
import { listTokens } from '../../domain/token/token.endpoints.ts';
import { MOST_KEYS, type ApiToken } from '../../domain/token/token.schema.ts';
import { AppError } from '../../server/errors.ts';
import { inspect } from '../support/inspect.ts';
import { answerQuotes, quoteOf } from '../support/quote-answers.ts';
import { screens, type Screen } from '../support/screens.ts';
import { invoiceOf } from '../support/usual-answers.ts';

const here = screens();
const NOW = '2026-11-29T12:00:00.000Z';

const open = async (path: string, prepare: (screen: Screen) => unknown) =>
  here.open(path, { features: 'all', prepare });

const button = (page: Page | Locator, name: string) =>
  page.getByRole('button', { name, exact: true });

/** A refusal that a screen could know gives no red message in English. */
async function expectNoToast(page: Page) {
  expect(await page.getByText(/^(Conflict|Bad Request|Unsupported Media Type)$/).count()).toBe(0);
}

function linkOf(expiresAt: string): OverviewLink {
  return {
    uuid: randomUUID(),
    name: 'Banken',
    shows: ['TURNOVER'],
    from: null,
    to: null,
    period: 'THIS_YEAR',
    email: null,
    createdAt: NOW,
    expiresAt,
    revokedAt: null,
    lastUsedAt: null,
    daysUsed: 0,
  };
}

// OVER-13
test('with twenty links that work the button is off and says why; ended ones do not count', async () => {
  const later = `${addDays(todayInOslo(), 30)}T12:00:00.000Z`;
  const live = Array.from({ length: MOST_LINKS }, () => linkOf(later));
  const { page, api, complaints } = await open('/overview/share/', ({ api: calls }) =>
    calls.answer(listOverviewLinks, () => [...live, linkOf('2026-01-01T12:00:00.000Z')]),
  );
  await page.getByText('Du har 20 lenker som virker. Trekk tilbake en av dem først.').waitFor();
  expect(await button(page, 'Lag lenke').getAttribute('aria-disabled')).toBe('true');
  const name = page.getByRole('textbox', { name: 'Navn' });
  await name.fill('Styret');
  await name.press('Enter');
  await inspect(page, 'share-full');
  expect(api.asked(createOverviewLink)).toEqual([]);
  live.pop();
  await name.fill('');
  await page.reload();
  await button(page, 'Lag lenke').waitFor();
  expect(await button(page, 'Lag lenke').getAttribute('aria-disabled')).toBeNull();
  expect(complaints).toEqual([]);
});

function keyOf(createdBy: string | null): ApiToken {
  return {
    uuid: randomUUID(),
    name: 'Nettbutikken',
    scopes: ['see'],
    createdBy,
    createdAt: NOW,
    expiresOn: addDays(todayInOslo(), 30),
    lastUsedOn: null,
  };
}

function webhookOf(): Webhook {
  return {
    uuid: randomUUID(),
    url: 'https://butikk.example/hook',
    description: null,
    events: ['*'],
    active: true,
    createdAt: NOW,
    lastSuccessAt: null,
    failingSince: null,
    disabledReason: null,
  };
}

// INT-3, INT-14
test('with as many keys and webhooks as there may be the buttons are off and say why', async () => {
  const { page } = await open('/profile/integrations/', ({ api }) => {
    const keys = Array.from({ length: MOST_KEYS }, () => keyOf('kari@fjordlys.no'));
    api.answer(listTokens, () => [keyOf(null), ...keys]);
    api.answer(listWebhooks, () => Array.from({ length: MOST_WEBHOOKS }, webhookOf));
  });
  await page.getByText('Bedriften har 20 nøkler. Trekk tilbake en først.').waitFor();
  await page.getByText('Du har 10 webhooks. Fjern en av dem først.').waitFor();
  await inspect(page, 'integrations-full');
  await button(page, 'Lag nøkkel').click({ force: true });
  await button(page, 'Lag webhook').click({ force: true });
  expect(await page.getByRole('dialog').count()).toBe(0);
});

function memberOf(fields: Partial<Member>): Member {
  return {
    uuid: randomUUID(),
    email: 'kari@fjordlys.no',
    name: null,
    role: 'OWNER',
    mayRegister: true,
    mayHandlePayments: true,
    endsOn: null,
    state: 'ACTIVE',
    lastLoginAt: NOW,
    invitedAt: null,
    isYou: true,
    openLinks: [],
    ...fields,
  };
}

const KARI = memberOf({});
const OLA = memberOf({ email: 'ola@fjordlys.no', role: 'EMPLOYEE', isYou: false });

// CLO-15
test('members, links and keys of a closed company are shown without the buttons that change them', async () => {
  const { page } = await open('/profile/members/', ({ api, company }) => {
    company.session = { ...company.session, companyState: 'CLOSED' };
    api.answer(getClosing, () => {
      throw new AppError('not_found');
    });
    api.answer(listMembers, () => [KARI, OLA]);
    api.answer(listOverviewLinks, () => []);
    api.answer(listTokens, () => []);
  });
  const row = page.getByRole('row', { name: 'ola@fjordlys.no' });
  await row.waitFor();
  expect(await page.getByRole('main').getByRole('button').count()).toBe(0);
  await row.click();
  expect(await page.getByRole('dialog').count()).toBe(0);
  await inspect(page, 'closed-members');
  await page.goto('/overview/share/');
  await page.getByRole('heading', { name: 'Del oversikt' }).waitFor();
  expect(await page.getByRole('heading', { name: 'Ny lenke' }).count()).toBe(0);
  await page.goto('/profile/integrations/');
  await page.getByText('Ingen nøkler ennå').waitFor();
  expect(await button(page, 'Lag nøkkel').count()).toBe(0);
});

// WEB-12
test('a member who was removed meanwhile is gone from the screen after the refusal, dialog and all', async () => {
  let members = [KARI, OLA];
  const { page } = await open('/profile/members/', ({ api }) => {
    api.answer(listMembers, () => members);
    api.answer(updateMember, () => {
      members = [KARI];
      throw new AppError('not_found');
    });
  });
  await button(page, 'Endre ola@fjordlys.no').click();
  const dialog = page.getByRole('dialog', { name: 'Endre tilgang' });
  await dialog.getByLabel('Navn').fill('Ola');
  await button(dialog, 'Lagre').click();
  await dialog.waitFor({ state: 'detached' });
  expect(await page.getByRole('row', { name: 'ola@fjordlys.no' }).count()).toBe(0);
});

// WEB-12
test('a group that names a customer who was deleted meanwhile lists the customers anew', async () => {
  const { page, api } = await here.open(
    '/customers/groups/5f0c1b5e-7f66-4a8e-8f0b-1d3c5b7a9e21/edit/',
    {
      customers: [{ name: 'Nordnes Kaffebar' }, { name: 'Sandviken Rør' }],
      prepare: ({ api: calls, company }) => {
        const [first] = company.customers;
        calls.answer(getCustomerGroup, ({ params: { groupUuid: uuid } }) => ({
          uuid,
          groupName: 'Faste',
          customerCount: 1,
          customers: first ? [first] : [],
          version: 1,
        }));
        calls.answer(updateCustomerGroup, () => {
          company.customers = company.customers.slice(0, 1);
          throw new AppError('unknown_customer', { field: 'customers', subject: 2 });
        });
      },
    },
  );
  await page.getByRole('option', { name: /Sandviken Rør/ }).click();
  await button(page, 'Lagre').click();
  await page.getByRole('option', { name: /Sandviken Rør/ }).waitFor({ state: 'detached' });
  await page.getByText('Det finnes ingen kunde nummer 2').first().waitFor();
  expect(api.asked(listCustomers)).toHaveLength(2);
});

// CUS-3
test('a customer number that is taken is told at its field, before the customer is made', async () => {
  const { page, api, complaints } = await here.open('/customers/create/', {
    customers: [{ name: '1 Kaffebar' }],
  });
  await page.getByLabel('Navn').fill('Sandviken Rør');
  await page.getByLabel('Velg kundenummer selv').check();
  const number = page.getByLabel('Kundenummer', { exact: true });
  await number.fill('1');
  await button(page, 'Lagre').click();
  await page.getByText('Kundenummer 1 er i bruk. Velg et annet.').waitFor();
  await expect.poll(async () => number.evaluate((field) => field.matches(':focus'))).toBe(true);
  await expectNoToast(page);
  expect(api.asked(createCustomer)).toEqual([]);
  await inspect(page, 'customer-number-taken');
  await number.fill('2');
  await button(page, 'Lagre').click();
  await page.getByText('Kunde opprettet!').waitFor();
  expect(complaints).toEqual([]);
});

// PRD-2
test('a product number that is taken is told at its field, in either case', async () => {
  const product: Product = {
    number: 'KL-1',
    name: 'Klipp',
    description: null,
    netPrice: 500,
    active: true,
    version: 1,
  };
  const { page, api } = await open('/products/create/', ({ api: calls }) =>
    calls.answer(listProducts, ({ query: { query } }) => {
      const results = query.toLowerCase() === 'kl-1' ? [product] : [];
      return { count: results.length, next: null, previous: null, results };
    }),
  );
  await page.getByLabel('Navn').fill('Herreklipp');
  await page.getByLabel('Nummer').fill('kl-1');
  await page.getByLabel('Pris eks. mva.').fill('600');
  await button(page, 'Lagre').click();
  await page.getByText('Produktnummer kl-1 er i bruk. Velg et annet.').waitFor();
  await expectNoToast(page);
  expect(api.asked(createProduct)).toEqual([]);
});

// PRO-7
test('the bank account with the KID agreement stays until the agreement is changed', async () => {
  const { page } = await open('/profile/', ({ api, company }) => {
    company.profile = {
      ...company.profile,
      bankAccounts: [
        { bankAccountNumber: '86011117947', isPrimary: true },
        { bankAccountNumber: '15032080119', isPrimary: false },
      ],
    };
    api.answer(getKidAgreement, () => ({
      account: '15032080119',
      length: 10,
      modulus: 'MOD10' as const,
      version: 1,
    }));
  });
  await page.getByText('Har KID-avtalen.').waitFor();
  expect(await button(page, 'Fjern konto 2').getAttribute('aria-disabled')).toBe('true');
  expect(await page.getByLabel('Kontonummer').nth(1).getAttribute('readonly')).toBe('');
  expect(await button(page, 'Fjern konto 1').getAttribute('aria-disabled')).toBeNull();
  await inspect(page, 'profile-kid-account');
  await page.getByRole('link', { name: 'Endre avtalen' }).click();
  await page.getByRole('heading', { name: 'Avtaler' }).waitFor();
});

function attachmentOf(name: string, size: number): Attachment {
  return {
    uuid: randomUUID(),
    name,
    mediaType: 'application/pdf',
    size,
    sha256: '0'.repeat(64),
    createdAt: NOW,
  };
}

// DOC-23
test('files for which there is no room, and of another kind, are refused before they are sent', async () => {
  const files = Array.from({ length: 9 }, (_, at) => attachmentOf(`${at}.pdf`, 1000));
  const draft = invoiceOf();
  const { page, api } = await open(`/invoices/${draft.uuid}/`, ({ api: calls, company }) => {
    company.invoices = [draft];
    calls.answer(listAttachments, () => [...files]);
    calls.answer(addAttachment, ({ query: { name } }) => {
      const added = attachmentOf(name, 1000);
      files.push(added);
      return added;
    });
  });
  const card = page.getByRole('region', { name: 'Vedlegg' });
  const pdf = { mimeType: 'application/pdf', buffer: Buffer.from('%PDF-') };
  await card.locator('input[type=file]').setInputFiles([
    { name: 'side.html', mimeType: 'text/html', buffer: Buffer.from('<html>') },
    { ...pdf, name: 'tom.pdf', buffer: Buffer.alloc(0) },
    { ...pdf, name: 'ti.pdf' },
    { ...pdf, name: 'elleve.pdf' },
  ]);
  const fault = card.getByRole('alert');
  await fault.getByText('elleve.pdf: Det er plass til høyst ti vedlegg.').waitFor();
  await fault.getByText('side.html: Et vedlegg må være PDF').waitFor();
  await fault.getByText('tom.pdf: Filen er tom.').waitFor();
  await expectNoToast(page);
  expect(api.asked(addAttachment).map(({ query }) => query.name)).toEqual(['ti.pdf']);
  files.splice(0, 10, attachmentOf('stor.pdf', 9 * 1024 * 1024 - 1));
  await page.reload();
  await card.locator('input[type=file]').setInputFiles({ ...pdf, name: 'for mye.pdf' });
  await fault.getByText('for mye.pdf: Det er plass til 9 MB til sammen.').waitFor();
  expect(api.asked(addAttachment)).toHaveLength(1);
});

// QUO-72
test('a quote with a negative sum, or of a deleted customer, says what does not go', async () => {
  const negative = quoteOf({ netAmount: -1000, vatAmount: -250, grossAmount: -1250 });
  const gone = quoteOf({
    quoteNumber: 7,
    state: 'DECLINED',
    sentAt: NOW,
    url: 'https://faktur.example/tilbud/abc/',
    customerNumber: null,
  });
  const { page } = await open(`/quotes/${negative.uuid}/`, (screen) =>
    answerQuotes(screen, [negative, gone]),
  );
  await page.getByText('Summen er negativ').waitFor();
  await page.getByRole('link', { name: 'Endre tilbudet' }).waitFor();
  expect(await button(page, 'Send tilbud').count()).toBe(0);
  await inspect(page, 'quote-negative');
  await page.goto(`/quotes/${gone.uuid}/`);
  await page.getByText('Det kan ikke lages en ny versjon.').waitFor();
  expect(await button(page, 'Lag ny versjon').count()).toBe(0);
  await page.getByRole('link', { name: 'Kopier', exact: true }).waitFor();
});
