import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { toSnakeKey } from '../../../domain/api/case.ts';
import { uploadTypesOf, type Endpoint } from '../../../domain/api/endpoint.ts';
import { addDays, todayInOslo } from '../../../domain/date.ts';
import { issueDatesOn } from '../../../domain/invoice/issue-dates.ts';
import { API_ENDPOINTS } from '../../../domain/endpoints.ts';
import { keyedHash } from '../crypto.ts';
import { EVERYTHING_ON } from '../../testing/process.ts';
import { startTestApp, STAFF_EMAIL, type TestApp } from '../../testing/app.ts';
import type { Answer, TestClient } from '../../testing/client.ts';
import {
  companyIdOf,
  dumpCompany,
  seedCompany,
  type SeededCompany,
} from '../../testing/company.ts';
import {
  addAssignment,
  addQuote,
  assignmentBody,
  completeProfile,
  CUSTOMER,
  invoiceBody,
  LINES,
  PROFILE,
  quoteBody,
} from '../../testing/factories.ts';
import { upload } from '../../testing/bank-files/bank-company.ts';
import { ocrFile } from '../../testing/bank-files/payment-files.ts';
import { makeExport } from '../../testing/exports.ts';
import { startFakeDns, type FakeDns } from '../../testing/peppol/fake-dns.ts';
import { addPasskey } from '../../testing/passkeys.ts';
import { saveLogo, STRIPES } from '../../testing/logos.ts';
import { addBankPayment } from '../../testing/payments.ts';
import { makeKey } from '../../testing/tokens.ts';

const OWNER = 'eier@hemmelig.example';
const STRANGER = 'fremmed@example.no';

let dns: FakeDns;
let attachment: string;
let testApp: TestApp;
let owner: TestClient;
let stranger: TestClient;
let company: SeededCompany;
let ownerCompany: number;
let payments: string[];
let bankFile: string;
let assignment: string;
let quote: string;
let exported: string;
let member: string;
let ownSession: string;
let passkey: string;
let companyUuid: string;
let overviewLink: string;
let key: string;
let webhook: string;
let webhookDelivery: string;
/** Bytes that the owner has sent too. */
const BANK_FILE = Buffer.from(
  ocrFile([{ amount: 173.46, text: 'Gave' }], { account: '12341112344' }),
);

beforeAll(async () => {
  // No deliveries run meanwhile, and the network has answered, so that only the call can change a row.
  dns = await startFakeDns();
  const settings = { ...EVERYTHING_ON, DISPATCH: 'staff', PEPPOL_DNS: dns.address };
  testApp = await startTestApp(settings);
  owner = await testApp.login(OWNER);
  company = await seedCompany(owner);
  await saveLogo(owner, STRIPES);
  expect((await owner.post('/api/products/create/', PRODUCT)).status).toBe(201);
  ownerCompany = await companyIdOf(testApp.context.db, OWNER);
  await addBankPayment(testApp.context.db, ownerCompany, { amount: 100 });
  const { results } = (await owner.get('/api/payments/')).body;
  payments = results.map(({ uuid }: { uuid: string }) => uuid);
  expect(payments).toHaveLength(2);
  bankFile = ((await upload(owner, BANK_FILE)).body as { uuid: string }).uuid;
  const attached = await owner.send({
    method: 'POST',
    url: `/api/invoices/${company.draft}/attachments/?name=a.pdf`,
    headers: { 'content-type': 'application/octet-stream' },
    payload: Buffer.from('%PDF-1.7\n%%EOF\n'),
  });
  attachment = (attached.body as { uuid: string }).uuid;
  const { customerNumbers, groupUuid } = company;
  assignment = (
    await addAssignment(owner, { customer_numbers: customerNumbers, group_uuid: groupUuid })
  ).uuid;
  quote = (await addQuote(owner, customerNumbers[0] ?? 0, { title: 'Hemmelig tilbud' })).uuid;
  exported = (await makeExport(owner)).uuid;
  const [first] = (await owner.get('/api/members/')).body;
  member = first.uuid;
  passkey = await addPasskey(owner);
  ownSession = (await owner.get('/api/users/sessions/')).body[0].uuid;
  companyUuid = (await owner.get('/api/users/session/')).body.company.uuid;
  overviewLink = ((await owner.post('/api/overview/links/', LINK)).body as { uuid: string }).uuid;
  key = (await makeKey(owner)).uuid;
  webhook = (await owner.post('/api/webhooks/', WEBHOOK)).body.uuid;
  webhookDelivery = await addDelivered(webhook);
  stranger = await testApp.login(STRANGER);
  await completeProfile(stranger, { company_name: 'Fremmed AS' });
});
afterAll(async () => {
  await testApp.close();
  await dns.close();
});

const WEBHOOK = { url: 'https://hemmelig.invalid/hook', events: ['reminder.sent'] };

/** Adds a message to a webhook that got through. Returns its uuid. */
async function addDelivered(uuid: string): Promise<string> {
  const { db } = testApp.context;
  const { id: webhookId } = await db
    .selectFrom('webhook')
    .select('id')
    .where('companyId', '=', ownerCompany)
    .where('uuid', '=', uuid)
    .executeTakeFirstOrThrow();
  const message = { type: 'webhook.test', body: '{}', state: 'DELIVERED' } as const;
  const added = await db
    .insertInto('webhookDelivery')
    .values({ companyId: ownerCompany, webhookId, ...message })
    .returning('uuid')
    .executeTakeFirstOrThrow();
  return added.uuid;
}

/** The choices of a company without customers, about e-invoices. */
const OWN_EINVOICE = {
  exempt: false,
  ehf_first: true,
  duty_from: '2027-01-01',
  business_customers: 0,
  reachable_customers: 0,
  banner: null,
};

/** A stranger's request to an endpoint, and the only answer that reveals nothing. */
interface Attempt {
  readonly params?: Record<string, string | number>;
  readonly query?: string;
  readonly body?: object;
  readonly bytes?: Buffer;
  readonly status: number;
  /** The required body of a successful answer. */
  readonly answer?: unknown;
}

const invoices = () =>
  [company.draft, company.registered, company.paid, company.cancelled, company.creditNote] as const;
const numbers = [1, 2, 3, 4];

const everyInvoice = (name: string, asks: Pick<Attempt, 'body' | 'query'> = {}) =>
  [...invoices(), ...numbers].map((id) => attemptOn({ [name]: id }, asks));
const everyInvoiceUuid = () =>
  invoices().map((invoiceUuid): Attempt => ({ params: { invoiceUuid }, status: 404 }));
const everyAttachment = () =>
  invoices().map((invoiceUuid): Attempt => ({
    params: { invoiceUuid, uuid: attachment },
    status: 404,
  }));
const attemptOn = (
  params: Record<string, string | number>,
  asks: Pick<Attempt, 'body' | 'query'>,
): Attempt => ({ ...asks, params, status: 404 });
const everyPayment = () =>
  payments.map((paymentUuid): Attempt => ({ params: { paymentUuid }, status: 404 }));
const theAssignment = (): Attempt[] => [{ params: { assignmentUuid: assignment }, status: 404 }];
const theQuote = (body?: object): Attempt[] => [
  { params: { quoteUuid: quote }, ...(body && { body }), status: 404 },
];
const theBankFile = (): Attempt[] => [{ params: { fileUuid: bankFile }, status: 404 }];
const theExport = (): Attempt[] => [{ params: { uuid: exported }, status: 404 }];
const everyCustomer = (body?: object) =>
  company.customerNumbers.map((customerNumber): Attempt => ({
    params: { customerNumber },
    ...(body && { body }),
    status: 404,
  }));
const theProduct = (body?: object): Attempt[] => [
  { params: { number: PRODUCT.number }, ...(body && { body }), status: 404 },
];
const template = (body?: object): Attempt => ({
  params: { invoiceTemplatePk: company.templateId, templateId: company.templateId },
  ...(body && { body }),
  status: 404,
});
const group = (body?: object): Attempt => ({
  params: { groupUuid: company.groupUuid },
  ...(body && { body }),
  status: 404,
});
const form = { name: 'Mal', delivery_type: 'NONE', due_days: 14, lines: LINES };

const CHANGE_OF_DRAFT = {
  customer_number: 1,
  delivery_type: 'NONE',
  issue_date: '2026-11-20',
  due_days: 14,
  invoice_lines: LINES,
  version: 1,
};

const NO_QUOTES = { drafts: 0, sent: 0, expired: 0, accepted: 0, to_invoice: 0 };

const PRODUCT = { number: 'HEM-1', name: 'Hemmelig vare', net_price: 4711 };

/** Looks like a passkey, and is none. */
const NO_PASSKEY = {
  id: 'AAAA',
  response: {
    clientDataJSON: 'e30',
    attestationObject: 'oA',
    authenticatorData: 'AAAA',
    signature: 'AAAA',
    userHandle: 'AAAA',
  },
};

const LINK = { name: 'Styret', shows: ['VAT'], period: 'THIS_YEAR', days: 30 };
const FRIENDLY = { kind: 'REMINDER', fee: false, interest: false };
const UNSIGNED = { Type: 'Notification', Message: '{}', Signature: 'AAAA' };

/** A stranger's requests to every endpoint; a new endpoint needs a line here. */
const ATTEMPTS: Readonly<Record<string, () => Attempt[]>> = {
  registerEmail: () => [{ body: { email: 'ny@example.no' }, status: 204 }],
  loginEmail: () => [{ body: { email: OWNER }, status: 204 }],
  verifyLogin: () => [
    { body: { email: OWNER, registration_token: 'ABCDEF' }, status: 400 },
    { body: { token: company.groupUuid }, status: 400 },
  ],
  getSession: () => [
    {
      status: 200,
      answer: {
        email: STRANGER,
        is_staff: false,
        is_profile_completed: true,
        features: expect.any(Array),
        proved_until: expect.any(String),
        company_state: 'OPEN',
        company: { uuid: expect.any(String), name: 'Fremmed AS' },
        companies: [{ uuid: expect.any(String), name: 'Fremmed AS' }],
        role: 'OWNER',
        permissions: expect.any(Array),
      },
    },
  ],
  listSessions: () => [{ status: 200, answer: [expect.objectContaining({ is_this: true })] }],
  endSession: () => [{ params: { uuid: ownSession }, status: 404 }],
  mailProofCode: () => [{ status: 204 }],
  prove: () => [{ body: { code: 'ABCDEF' }, status: 400 }],
  getPasskeyOptions: () => [
    { status: 200, answer: expect.objectContaining({ excludeCredentials: [] }) },
  ],
  addPasskey: () => [{ body: { name: 'Telefon', response: NO_PASSKEY }, status: 400 }],
  listPasskeys: () => [{ status: 200, answer: [] }],
  renamePasskey: () => [{ params: { uuid: passkey }, body: { name: 'Min' }, status: 404 }],
  deletePasskey: () => [{ params: { uuid: passkey }, status: 404 }],
  getLoginOptions: () => [{ status: 200 }],
  loginWithPasskey: () => [{ body: { response: NO_PASSKEY }, status: 400 }],
  // The stranger has none.
  getProofOptions: () => [{ status: 409 }],
  endOtherSessions: () => [{ status: 204 }],
  listMembers: () => [
    {
      status: 200,
      answer: [expect.objectContaining({ role: 'OWNER', is_you: true, state: 'ACTIVE' })],
    },
  ],
  inviteMember: () => [{ body: { email: 'ny@example.no', role: 'EMPLOYEE' }, status: 201 }],
  updateMember: () => [{ params: { uuid: member }, body: { role: 'AUDITOR' }, status: 404 }],
  removeMember: () => [{ params: { uuid: member }, status: 404 }],
  listTokens: () => [{ status: 200, answer: [] }],
  createToken: () => [
    { body: { name: 'Kasse', scopes: [], expires_on: addDays(todayInOslo(), 1) }, status: 201 },
  ],
  deleteToken: () => [{ params: { uuid: key }, status: 404 }],
  getClosing: () => [{ status: 200 }],
  closeCompany: () => [{ body: { keep: true, confirm: PROFILE.org_number }, status: 409 }],
  reopenCompany: () => [{ status: 409 }],
  // Its own; the stranger says another's address.
  deleteAccount: () => [{ body: { confirm: OWNER }, status: 400 }],
  listWebhooks: () => [{ status: 200, answer: [] }],
  createWebhook: () => [{ body: WEBHOOK, status: 201 }],
  getWebhook: () => [{ params: { uuid: webhook }, status: 404 }],
  updateWebhook: () => [
    { params: { uuid: webhook }, body: { ...WEBHOOK, active: false }, status: 404 },
  ],
  deleteWebhook: () => [{ params: { uuid: webhook }, status: 404 }],
  rotateWebhookSecret: () => [{ params: { uuid: webhook }, status: 404 }],
  testWebhook: () => [{ params: { uuid: webhook }, status: 404 }],
  listWebhookDeliveries: () => [{ params: { uuid: webhook }, status: 404 }],
  getWebhookDelivery: () => [
    { params: { uuid: webhook, deliveryUuid: webhookDelivery }, status: 404 },
  ],
  resendWebhookDelivery: () => [
    { params: { uuid: webhook, deliveryUuid: webhookDelivery }, status: 404 },
  ],
  readInvitation: () => [{ body: { token: company.groupUuid }, status: 404 }],
  acceptInvitation: () => [{ body: { token: company.groupUuid }, status: 404 }],
  // The stranger owns one.
  createCompany: () => [{ status: 409 }],
  chooseCompany: () => [{ body: { company_uuid: companyUuid }, status: 404 }],
  // A stranger's logout ends a stranger's session; that is tested with the sessions.
  logout: () => [],
  getProfile: () => [{ status: 200 }],
  updateProfile: () => [{ body: { ...PROFILE, id: 1, company_id: 1, account_id: 1 }, status: 200 }],
  getKidAgreement: () => [{ status: 204 }],
  saveKidAgreement: () => [
    { body: { account: '86011117947', length: 18, modulus: 'MOD10' }, status: 400 },
  ],
  deleteKidAgreement: () => [{ status: 204 }],
  getReminderSettings: () => [
    { status: 200, answer: expect.objectContaining({ minimum_amount: 100, version: null }) },
  ],
  saveReminderSettings: () => [
    {
      body: {
        automatic: true,
        approve: true,
        steps: [{ days: 14, kind: 'NOTICE', fee: true, interest: true }],
        minimum_amount: 50,
        waive_rest: true,
      },
      status: 200,
      answer: expect.objectContaining({ minimum_amount: 50, version: 1 }),
    },
  ],
  getExportSettings: () => [
    { status: 200, answer: expect.objectContaining({ accountant_email: null }) },
  ],
  saveExportSettings: () => [
    {
      body: { accounts: { fee: '3999' }, accountant_email: 'regnskap@example.no' },
      status: 200,
      answer: expect.objectContaining({ accountant_email: 'regnskap@example.no' }),
    },
  ],
  listReminders: () => everyInvoice('invoiceUuid'),
  createReminder: () => everyInvoice('invoiceUuid', { body: FRIENDLY }),
  previewReminder: () => everyInvoice('invoiceUuid', { query: '?kind=REMINDER' }),
  deliverReminder: () =>
    invoices().map((invoiceUuid) => ({
      params: { invoiceUuid, reminderUuid: company.registered },
      body: {},
      status: 404,
    })),
  waiveReminders: () => everyInvoice('invoiceUuid'),
  disputeInvoice: () => everyInvoice('invoiceUuid', { body: { disputed: true } }),
  getEhfAgreement: () => [{ status: 200 }],
  requestEhfAgreement: () => [{ status: 200 }],
  getCustomerEhf: () => everyCustomer(),
  getStatement: () => everyCustomer(),
  listStatementDeliveries: () => everyCustomer(),
  deliverStatement: () => everyCustomer({ from: '2026-01-01', to: '2026-01-31' }),
  listInvoices: () =>
    ['', '?page=1', '?query=%C3%98rsta', '?query=1', '?status=REGISTERED', '?sort=customer'].map(
      (query): Attempt => ({
        query,
        status: 200,
        answer: {
          count: 0,
          next: null,
          previous: null,
          preceding: null,
          results: [],
          summary: {
            drafts: 0,
            registered: 0,
            sent: 0,
            sent_from: null,
            sent_to: null,
            outstanding: 0,
            outstanding_amount: 0,
            overdue: 0,
            overdue_amount: 0,
            failed: 0,
            queueable: { drafts: 0, emails: 0, gross_amount: 0 },
          },
        },
      }),
    ),
  searchInvoiceLines: () => [{ query: '?query=ko', status: 200, answer: [] }],
  // The same for every company.
  getIssueDates: () => {
    const { today, monthEnd } = issueDatesOn(todayInOslo());
    return [{ status: 200, answer: { today, month_end: monthEnd } }];
  },
  createInvoices: () => [
    { body: invoiceBody([...company.customerNumbers]), status: 400 },
    { body: invoiceBody([], { group_uuid: company.groupUuid }), status: 400 },
    { body: invoiceBody([1], { template_id: company.templateId }), status: 400 },
  ],
  previewInvoice: () => [
    { body: invoiceBody([...company.customerNumbers]), status: 400 },
    { body: invoiceBody([], { group_uuid: company.groupUuid }), status: 400 },
  ],
  queueInvoices: () => [
    ...invoices().map((uuid): Attempt => ({ query: `?invoice_uuid=${uuid}`, status: 404 })),
    { status: 200, answer: { registered: [], changed: [], skipped: [] } },
    {
      body: { uuids: invoices() },
      status: 200,
      answer: {
        registered: [],
        changed: [],
        skipped: invoices().map((uuid) => ({
          uuid,
          customer_name: '',
          customer_number: null,
          mended_at: null,
          message: 'Not found',
        })),
      },
    },
  ],
  updateInvoices: () =>
    ['PAID', 'REGISTERED'].map((status): Attempt => ({
      body: { uuids: invoices(), status },
      status: 200,
      answer: {
        updated: [],
        skipped: invoices().map((uuid) => ({ uuid, message: 'Not found' })),
      },
    })),
  sendInvoices: () => [{ status: 403 }],
  resendInvoice: () =>
    invoices().map((invoiceUuid): Attempt => ({ params: { invoiceUuid }, status: 404 })),
  deliverInvoice: () =>
    invoices().map((invoiceUuid): Attempt => ({
      params: { invoiceUuid },
      body: { delivery_type: 'EMAIL', recipient: 'tyv@example.no' },
      status: 404,
    })),
  updateInvoice: () =>
    invoices().flatMap((invoiceUuid) =>
      ['PAID', 'REGISTERED', 'CANCELLED', 'DRAFT'].map((status): Attempt => ({
        params: { invoiceUuid },
        body: { status },
        status: 404,
      })),
    ),
  updateDraft: () => everyInvoice('invoiceStr', { body: CHANGE_OF_DRAFT }),
  listPayments: () => [
    ...['', '?page=1', '?state=UNPLACED'].map((query): Attempt => ({
      query,
      status: 200,
      answer: { count: 0, next: null, previous: null, preceding: null, results: [] },
    })),
    ...[...invoices(), ...numbers].map((name): Attempt => ({
      query: `?invoice=${name}`,
      status: 404,
    })),
  ],
  listProposals: () =>
    ['', '?page=2'].map((query): Attempt => ({ query, status: 200, answer: [] })),
  sendReminders: () => [
    {
      body: { uuids: invoices() },
      status: 200,
      answer: {
        sent: [],
        skipped: invoices().map((uuid) => ({ uuid, message: 'Not found' })),
      },
    },
  ],
  creditInvoice: () => everyInvoice('invoiceUuid', { body: {} }),
  createPayment: () =>
    invoices().map((uuid): Attempt => ({
      body: { invoice_uuid: uuid, amount: 1, date: '2026-11-21' },
      status: 404,
    })),
  placePayment: () =>
    payments.map((paymentUuid): Attempt => ({
      params: { paymentUuid },
      body: { invoice_uuid: company.registered },
      status: 404,
    })),
  undoPayment: () => everyPayment(),
  refundPayment: () => everyPayment(),
  dropPayment: () => everyPayment(),
  uploadBankFile: () => [
    { bytes: BANK_FILE, status: 201, answer: expect.not.objectContaining({ uuid: bankFile }) },
  ],
  listBankFiles: () => [{ status: 200, answer: [] }],
  listOpenAccounts: () => [{ status: 200, answer: [] }],
  getBankFile: () => theBankFile(),
  listBankEntries: () => theBankFile(),
  deleteBankFile: () => theBankFile(),
  bookBankFile: () => theBankFile(),
  undoBankFile: () => theBankFile(),
  listExports: () => [{ status: 200, answer: [] }],
  createExport: () => [
    {
      query: '?dry_run=true',
      body: { kind: 'DOCUMENTS', from: '2020-01-01', to: '2035-12-31' },
      status: 200,
      answer: expect.objectContaining({ invoices: 0, drafts_left_out: 0, exported_before: [] }),
    },
  ],
  getExport: () => theExport(),
  getExportFile: () => theExport(),
  deleteExport: () => theExport(),
  getOverview: () => [
    {
      status: 200,
      answer: expect.objectContaining({
        outstanding: expect.objectContaining({ total: 0 }),
        overdue: { amount: 0, count: 0, oldest: null },
        customers: [],
        median_days: null,
      }),
    },
  ],
  listOverviewLinks: () => [{ status: 200, answer: [] }],
  createOverviewLink: () => [{ body: LINK, status: 201 }],
  deleteOverviewLink: () => [{ params: { uuid: overviewLink }, status: 404 }],
  getSharedOverview: () => [{ params: { token: overviewLink }, status: 404 }],
  confirmSharedOverview: () => [{ params: { token: overviewLink }, body: {}, status: 404 }],
  getInvoiceLink: () => everyInvoice('invoiceUuid'),
  renewInvoiceLink: () => everyInvoice('invoiceUuid'),
  getPortalInvoice: () => [{ params: { token: overviewLink }, status: 404 }],
  confirmPortal: () => [{ params: { token: overviewLink }, body: {}, status: 404 }],
  getPortalStatement: () => [{ params: { token: overviewLink }, status: 404 }],
  listPortalInvoices: () => [{ params: { token: overviewLink }, status: 404 }],
  getPortalSettings: () => [{ status: 200, answer: { enabled: true, show_all: true } }],
  savePortalSettings: () => [
    {
      body: { enabled: false, show_all: false },
      status: 200,
      answer: { enabled: false, show_all: false },
    },
  ],
  getLogo: () => [{ status: 204 }],
  saveLogo: () => [{ bytes: STRIPES, status: 200 }],
  deleteLogo: () => [{ status: 204 }],
  getInvoice: () => everyInvoice('invoiceStr'),
  getInvoiceHistory: () => everyInvoice('invoiceStr'),
  getDocumentEInvoice: () => everyInvoice('invoiceStr'),
  getEInvoiceSettings: () => [{ status: 200, answer: OWN_EINVOICE }],
  updateEInvoiceSettings: () => [
    {
      body: { exempt: true, ehf_first: false },
      status: 200,
      answer: { ...OWN_EINVOICE, exempt: true, ehf_first: false },
    },
  ],
  startEhfCheck: () => [{ status: 202 }],
  getEhfCheck: () => [{ status: 204 }],
  listCustomersEhf: () => [{ status: 200, answer: [] }],
  deleteInvoice: () => everyInvoice('invoiceStr'),
  getEfaktura: () => everyInvoice('pk'),
  listAttachments: () => everyInvoiceUuid(),
  addAttachment: () =>
    invoices().map((invoiceUuid): Attempt => ({
      params: { invoiceUuid },
      query: '?name=a.pdf',
      bytes: Buffer.from('%PDF-1.7\n%%EOF\n'),
      status: 404,
    })),
  getAttachment: () => everyAttachment(),
  deleteAttachment: () => everyAttachment(),
  listAssignments: () => [{ status: 200, answer: [] }],
  createAssignment: () => [
    { body: assignmentBody({ customer_numbers: [1] }), status: 400 },
    { body: assignmentBody({ group_uuid: company.groupUuid }), status: 400 },
  ],
  previewAssignment: () => [
    { body: { ...assignmentBody(), uuid: assignment }, status: 404 },
    { body: { ...assignmentBody(), template_id: company.templateId }, status: 404 },
  ],
  getAssignment: () => theAssignment(),
  updateAssignment: () => [
    {
      params: { assignmentUuid: assignment },
      body: assignmentBody({ customer_numbers: [1] }),
      status: 400,
    },
  ],
  deleteAssignment: () => theAssignment(),
  pauseAssignment: () => theAssignment(),
  resumeAssignment: () => theAssignment(),
  runAssignment: () => theAssignment(),
  listAssignmentRuns: () => theAssignment(),
  listQuotes: () =>
    ['', '?query=hemmelig', '?customer_number=1'].map((query) => ({
      query,
      status: 200,
      answer: { count: 0, next: null, previous: null, results: [], summary: NO_QUOTES },
    })),
  createQuote: () => [{ body: quoteBody(1), status: 400 }],
  getQuote: () => theQuote(),
  updateQuote: () => theQuote({ ...quoteBody(1), version: 1 }),
  deleteQuote: () => theQuote(),
  getQuoteHistory: () => theQuote(),
  invoiceQuote: () => theQuote({}),
  sendQuote: () => theQuote({}),
  reviseQuote: () => theQuote(),
  withdrawQuote: () => theQuote(),
  acceptQuote: () => theQuote({ name: 'Fremmed' }),
  declineQuote: () => theQuote({}),
  getOffer: () => [{ params: { token: overviewLink }, status: 404 }],
  mailOfferCode: () => [{ params: { token: overviewLink }, status: 404 }],
  acceptOffer: () => [
    { params: { token: overviewLink }, body: { revision: 1, name: 'Fremmed' }, status: 404 },
  ],
  declineOffer: () => [{ params: { token: overviewLink }, body: { revision: 1 }, status: 404 }],
  listQuoteAttachments: () => theQuote(),
  addQuoteAttachment: () => [
    {
      params: { quoteUuid: quote },
      query: '?name=a.pdf',
      bytes: Buffer.from('%PDF-1.7\n%%EOF\n'),
      status: 404,
    },
  ],
  getQuoteAttachment: () => [{ params: { quoteUuid: quote, uuid: attachment }, status: 404 }],
  removeQuoteAttachment: () => [{ params: { quoteUuid: quote, uuid: attachment }, status: 404 }],
  listInvoiceTemplates: () => [{ status: 200, answer: [] }],
  createInvoiceTemplate: () => [{ body: { ...form, id: company.templateId }, status: 201 }],
  updateInvoiceTemplate: () => [template(form)],
  getInvoiceTemplate: () => [template()],
  deleteInvoiceTemplate: () => [template()],
  createInvoicesFromTemplate: () => [
    template({ customer_numbers: [...company.customerNumbers], issue_date: '2026-11-21' }),
  ],
  listCustomers: () => [{ status: 200, answer: [] }],
  searchCustomers: () =>
    ['', '?query=%C3%B8rsta', '?query=1', '?query=974760673'].map((query) => ({
      query,
      status: 200,
      answer: [],
    })),
  createCustomer: () => [{ body: { name: 'Min egen' }, status: 201 }],
  updateCustomer: () => everyCustomer(CUSTOMER),
  getCustomer: () => everyCustomer(),
  deleteCustomer: () => everyCustomer(),
  listCustomerGroups: () => [{ status: 200, answer: [] }],
  searchCustomerGroups: () => [{ query: '?query=medlem', status: 200, answer: [] }],
  createCustomerGroup: () => [
    { body: { group_name: 'G', customers: [...company.customerNumbers] }, status: 400 },
  ],
  updateCustomerGroup: () => [group({ group_name: 'G', customers: [] })],
  getCustomerGroup: () => [group()],
  deleteCustomerGroup: () => [group()],
  importCustomers: () => [
    {
      body: { rows: [{ customer_number: company.customerNumbers[0], name: 'Min egen' }] },
      status: 200,
      answer: { created: 1, updated: 0, faults: [], known: [], group_uuid: null },
    },
    { body: { rows: [{ name: 'Min' }], group_uuid: company.groupUuid }, status: 400 },
  ],
  listProducts: () =>
    ['', '?query=%C3%B8rsta', '?query=1', '?active=true'].map((query) => ({
      query,
      status: 200,
      answer: { count: 0, next: null, previous: null, results: [] },
    })),
  createProduct: () => [{ body: { number: '2', name: 'Min egen', net_price: 1 }, status: 201 }],
  getProduct: () => theProduct(),
  updateProduct: () => theProduct({ name: 'Min', net_price: 2 }),
  deleteProduct: () => theProduct(),
  importProducts: () => [
    {
      body: { rows: [{ number: PRODUCT.number, name: 'Min egen', net_price: 1 }] },
      status: 200,
      answer: { created: 1, updated: 0, faults: [], known: [] },
    },
  ],
  signUpForNewsletter: () => [{ query: '?email=ny@example.no', status: 204 }],
  unsubscribeFromNewsletter: () => [{ query: `?token=${company.groupUuid}`, status: 404 }],
  unsubscribeFromEmails: () => [{ query: `?token=${company.groupUuid}`, status: 404 }],
  reportBounce: () => [{ body: UNSIGNED, status: 403 }],
  reportComplaint: () => [{ body: UNSIGNED, status: 403 }],
};

async function call(client: TestClient, endpoint: Endpoint, attempt: Attempt): Promise<Answer> {
  const path = endpoint.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    String(attempt.params?.[name]),
  );
  return client.send({
    method: endpoint.method,
    url: `${path}${attempt.query ?? ''}`,
    ...(attempt.body && { payload: attempt.body }),
    ...(attempt.bytes && {
      payload: attempt.bytes,
      headers: { 'content-type': uploadTypesOf(endpoint)[0] },
    }),
  });
}

const NOT_FOUND = { detail: [{ message: 'Not found' }] };

/** Data that only the owner knows. */
function secrets(): string[] {
  return [
    ...invoices(),
    company.groupUuid,
    bankFile,
    assignment,
    quote,
    'Hemmelig tilbud',
    'Husleie',
    'Ørsta',
    'Nordavind',
    'Kontingent',
    'Snekker',
    OWNER,
  ];
}

test('every endpoint is tested, and no unknown one', () => {
  expect(Object.keys(ATTEMPTS).toSorted()).toEqual(API_ENDPOINTS.map(({ id }) => id).toSorted());
});

/** The rows of the owner, as the test before left them. */
let untouched: Record<string, string[]>;
beforeAll(async () => {
  untouched = await dumpCompany(testApp.context.db, ownerCompany);
});

/**
 * A company in which nothing is found by accident: a new one for each call that succeeds, and so may add something. Calls
 * that are refused leave the stranger's as it was.
 */
async function callerOf(id: string, attempts: readonly Attempt[]): Promise<TestClient> {
  if (id === 'getSession' || attempts.every(({ status }) => status >= 400)) return stranger;
  const caller = await testApp.login();
  await completeProfile(caller, { company_name: 'Fremmed AS' });
  return caller;
}

// ACC-3
test.each(API_ENDPOINTS.map((endpoint) => [endpoint.id, endpoint] as const))(
  '%s finds and changes nothing of another company',
  async (id, endpoint) => {
    const attempts = ATTEMPTS[id]?.() ?? [];
    const caller = await callerOf(id, attempts);
    for (const attempt of attempts) {
      const answer = await call(caller, endpoint, attempt);
      expect(answer).toMatchObject({ status: attempt.status });
      expect(answer.body).toEqual(
        attempt.status === 404 ? NOT_FOUND : (attempt.answer ?? answer.body),
      );
      // The stranger may see data from the own request.
      const sent = JSON.stringify(attempt.body ?? {});
      for (const secret of secrets().filter((one) => !sent.includes(one))) {
        expect(answer.text).not.toContain(secret);
      }
    }
    const before = untouched;
    untouched = await dumpCompany(testApp.context.db, ownerCompany);
    expect(untouched).toEqual(before);
  },
);

// DOC-9, WEB-7
test('the PDF of another company’s invoice is not found', async () => {
  for (const uuid of invoices()) {
    expect((await stranger.get(`/invoices/${uuid}/pdf/`)).status).toBe(404);
    expect((await owner.get(`/invoices/${uuid}/pdf/`)).status).toBe(200);
    const anonymous = await testApp.visitor().get(`/invoices/${uuid}/pdf/`);
    expect(anonymous).toMatchObject({ status: 302, headers: { location: '/auth/login/' } });
  }
});

// ACC-16
describe('without a session', () => {
  const guarded = API_ENDPOINTS.filter(({ access }) => access !== 'public');
  const NOBODY = {};
  /** Told apart before the endpoint is looked at, so one endpoint of each access tries them. */
  const IMPOSTORS: readonly Record<string, string>[] = [
    { cookie: 'faktur_session=AAAAAAAAAAAAAAAAAAAAAAAA' },
    { cookie: 'faktur_session=' },
    { authorization: 'Bearer AAAAAAAAAAAAAAAAAAAAAAAA' },
    { authorization: 'Basic YTpi' },
  ];
  const ofEachAccess = new Set(
    new Map(
      guarded.map((endpoint) => [`${endpoint.access} ${endpoint.sessionOnly}`, endpoint]),
    ).values(),
  );

  test.each(guarded.map((endpoint) => [endpoint.id, endpoint] as const))(
    '%s answers 401 whatever is sent',
    async (id, endpoint) => {
      const [attempt] = ATTEMPTS[id]?.() ?? [];
      const path = endpoint.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
        String(attempt?.params?.[name]),
      );
      for (const who of [NOBODY, ...(ofEachAccess.has(endpoint) ? IMPOSTORS : [])]) {
        const answer = await testApp.visitor().send({
          method: endpoint.method,
          url: path,
          headers: { ...who, 'content-type': 'application/json' },
          ...(endpoint.method !== 'GET' && { payload: '{"broken' }),
        });
        expect([who, answer.status, answer.body]).toEqual([
          who,
          401,
          { detail: [{ message: 'You are not logged in' }] },
        ]);
      }
    },
  );
});

// ACC-1, DEL-3
test('only staff send the invoices of all companies', async () => {
  expect((await owner.post('/api/invoices/send/')).status).toBe(403);
  const staff = await testApp.login(STAFF_EMAIL);
  expect((await staff.get('/api/users/session/')).body).toMatchObject({ is_staff: true });
  expect((await staff.get('/api/users/profile/')).body).toMatchObject({ is_staff: true });
  expect((await staff.post('/api/invoices/send/')).status).toBe(204);
});

test('staff see no more of a company than others', async () => {
  const staff = await testApp.login(STAFF_EMAIL);
  expect((await staff.get('/api/customers/')).body).toEqual([]);
  expect((await staff.get(`/api/invoices/${company.draft}/`)).status).toBe(404);
});

test('a personal token works like a session, for its own company only', async () => {
  const { config, db } = testApp.context;
  const { accountId } = await db
    .selectFrom('company')
    .select('accountId')
    .where('id', '=', ownerCompany)
    .executeTakeFirstOrThrow();
  const tokenHash = keyedHash(config.secretKey, 'api-token', 'token-of-the-owner');
  await db
    .insertInto('apiToken')
    .values({ accountId, companyId: ownerCompany, tokenHash, name: 'test' })
    .execute();
  const headers = { authorization: 'Bearer token-of-the-owner' };
  const visitor = testApp.visitor();
  const answer = await visitor.send({ method: 'GET', url: '/api/customers/', headers });
  expect(answer).toMatchObject({ status: 200, body: [{ name: 'Ørsta Båt AS' }, {}] });
  expect(visitor.cookieHeader).toBe('');
});

test('every endpoint is a route', () => {
  expect(API_ENDPOINTS.filter(({ path }) => !path.endsWith('/'))).toEqual([]);
  const missing = API_ENDPOINTS.filter(
    ({ method, path }) =>
      !testApp.app.http.hasRoute({
        method,
        // The router stores addresses without their last slash.
        url: path.replaceAll(/\{(\w+)\}/g, ':$1').replace(/\/$/, ''),
      }),
  ).map(({ id }) => id);
  expect(missing).toEqual([]);
});

// WIRE-1
test('names on the wire are snake_case', async () => {
  const urls = [
    '/api/users/profile/',
    '/api/invoices/',
    '/api/invoices/template/',
    '/api/customers/',
  ];
  for (const url of urls) {
    const { body } = await owner.get(url);
    const names = JSON.stringify(body).match(/"(\w+)":/g) ?? [];
    for (const name of names) expect(name).toBe(toSnakeKey(name));
  }
});
