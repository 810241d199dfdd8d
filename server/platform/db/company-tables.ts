import type { ColumnType, Generated, GeneratedAlways } from 'kysely';

import type { DeliveryType } from '../../../domain/delivery/delivery.schema.ts';
import type { VatTreatment } from '../../../domain/vat-treatment.ts';
import type { KidModulus } from '../../../domain/kid.ts';
import type { Permission, Role } from '../../../domain/permission.ts';
import type { LoginWay } from '../../../domain/session/session.schema.ts';
import type { Ore } from '../../../domain/money.ts';
import type { GeneratedTimestamp, Timestamp } from './columns.ts';

/** The tables of accounts, companies, their customers and products. */
export interface CompanyTables {
  account: AccountTable;
  loginChallenge: LoginChallengeTable;
  session: SessionTable;
  knownBrowser: KnownBrowserTable;
  passkey: PasskeyTable;
  passkeyChallenge: PasskeyChallengeTable;
  apiToken: ApiTokenTable;
  member: MemberTable;
  rateLimit: RateLimitTable;
  idempotencyKey: IdempotencyKeyTable;
  newsletterSubscriber: NewsletterSubscriberTable;
  company: CompanyTable;
  bankAccount: BankAccountTable;
  kidAgreement: KidAgreementTable;
  companyLogo: CompanyLogoTable;
  customer: CustomerTable;
  customerGroup: CustomerGroupTable;
  customerGroupMember: CustomerGroupMemberTable;
  product: ProductTable;
  exportSettings: ExportSettingsTable;
}

interface AccountTable {
  id: GeneratedAlways<number>;
  email: string;
  createdAt: GeneratedTimestamp;
  isStaff: Generated<boolean>;
  lastLoginAt: Timestamp | null;
  /** The id by which authenticators know the account. */
  userHandle: Generated<string>;
}

/** The answer of a call that named a key. */
interface IdempotencyKeyTable {
  /** A keyed hash of account, company and key. */
  id: Uint8Array;
  accountId: number;
  /** SHA-256 of method, path and body; null while an upload is read. */
  requestHash: Uint8Array | null;
  status: number | null;
  /** Encrypted with the caller's key. */
  answer: Uint8Array | null;
  createdAt: GeneratedTimestamp;
}

interface LoginChallengeTable {
  id: GeneratedAlways<number>;
  email: string;
  purpose: Generated<'LOGIN' | 'PROOF'>;
  codeHash: Uint8Array;
  /** Null for a proof. */
  tokenHash: Uint8Array | null;
  wrongCodes: Generated<number>;
  codeUsedAt: Timestamp | null;
  tokenUsedAt: Timestamp | null;
  createdAt: GeneratedTimestamp;
  expiresAt: Timestamp;
}

interface SessionTable {
  id: GeneratedAlways<number>;
  accountId: number;
  /** The company that was chosen last. */
  companyId: number | null;
  tokenHash: Uint8Array;
  createdAt: GeneratedTimestamp;
  expiresAt: Timestamp;
  uuid: Generated<string>;
  /** Right to the hour. */
  lastSeenAt: GeneratedTimestamp;
  how: Generated<LoginWay>;
  /** Family and system; null for an unknown one. */
  browser: string | null;
  /** When the person proved to have the account; null for a session that has never been proved. */
  provedAt: Timestamp | null;
}

/** A browser from which an account has logged in. */
interface KnownBrowserTable {
  accountId: number;
  browser: string;
  lastLoginAt: GeneratedTimestamp;
}

interface PasskeyTable {
  accountId: number;
  id: GeneratedAlways<number>;
  uuid: Generated<string>;
  name: string;
  credentialId: Uint8Array;
  /** COSE_Key. */
  publicKey: Uint8Array;
  /** Signatures that the authenticator has made; 0 where it counts none. */
  counter: number;
  isSynced: boolean;
  createdAt: GeneratedTimestamp;
  lastUsedAt: Timestamp | null;
}

interface PasskeyChallengeTable {
  challengeHash: Uint8Array;
  purpose: 'ADD' | 'LOGIN' | 'PROOF';
  /** Null for a login, whose account is unknown. */
  accountId: number | null;
  expiresAt: Timestamp;
}

interface ApiTokenTable {
  id: GeneratedAlways<number>;
  accountId: number;
  companyId: number;
  tokenHash: Uint8Array;
  name: string;
  createdAt: GeneratedTimestamp;
  lastUsedAt: Timestamp | null;
  uuid: Generated<string>;
  /** Null, as its last day is, for a token of the operator. */
  scopes: Permission[] | null;
  expiresOn: string | null;
}

/** A member, or an invitation while it has no account. */
interface MemberTable {
  companyId: number;
  id: GeneratedAlways<number>;
  uuid: Generated<string>;
  accountId: number | null;
  email: string;
  name: string | null;
  role: Role;
  mayRegister: Generated<boolean>;
  mayHandlePayments: Generated<boolean>;
  endsOn: string | null;
  invitedAt: Timestamp | null;
  invitedBy: number | null;
  expiresAt: Timestamp | null;
  tokenHash: Uint8Array | null;
}

interface RateLimitTable {
  key: string;
  hits: number;
  resetsAt: Timestamp;
}

interface NewsletterSubscriberTable {
  id: GeneratedAlways<number>;
  uuid: Generated<string>;
  email: string;
  createdAt: GeneratedTimestamp;
  unsubscribedAt: Timestamp | null;
}

interface CompanyTable {
  id: GeneratedAlways<number>;
  uuid: Generated<string>;
  /** One of the owners. */
  accountId: number;
  createdAt: GeneratedTimestamp;
  companyName: string | null;
  orgNumber: string | null;
  vatRegistered: boolean | null;
  foretaksregisteret: boolean | null;
  email: string | null;
  billingAddress1: string | null;
  billingAddress2: string | null;
  billingPostalCode: string | null;
  billingCity: string | null;
  defaultMessage: string | null;
  defaultQuoteTerms: string | null;
  defaultVatTreatment: VatTreatment | null;
  startInvoiceNumber: Generated<number>;
  hasCreatedInvoice: Generated<boolean>;
  lastInvoiceNumber: number | null;
  lastDocumentHash: Uint8Array | null;
  lastCustomerNumber: Generated<number>;
  /** Counts the changes of members' access. */
  accessChanges: Generated<number>;
  /** Null while the company is open. */
  closedAt: Timestamp | null;
  version: GeneratedAlways<number>;
}

interface BankAccountTable {
  companyId: number;
  position: number;
  bankAccountNumber: string;
  isPrimary: boolean;
}

interface KidAgreementTable {
  companyId: number;
  account: string;
  length: number;
  modulus: KidModulus;
  version: GeneratedAlways<number>;
}

/** A logo that is not current is kept only while a document names it. */
interface CompanyLogoTable {
  companyId: number;
  sha256: Uint8Array;
  /** A PNG. */
  content: Uint8Array;
  isCurrent: boolean;
  createdAt: GeneratedTimestamp;
}

interface CustomerTable {
  id: GeneratedAlways<number>;
  companyId: number;
  customerNumber: number;
  name: string;
  email: string | null;
  orgNumber: string | null;
  phoneNumber: string | null;
  address1: string | null;
  address2: string | null;
  postalCode: string | null;
  city: string | null;
  country: Generated<string>;
  contactName: string | null;
  invoiceEmails: Generated<string[]>;
  reference: string | null;
  dueDays: number | null;
  deliveryType: DeliveryType | null;
  isPrivate: Generated<boolean>;
  vatNumber: string | null;
  ehfFirst: Generated<boolean>;
  searchText: string;
  version: GeneratedAlways<number>;
  credit: GeneratedAlways<Ore>;
}

interface CustomerGroupTable {
  id: GeneratedAlways<number>;
  uuid: Generated<string>;
  companyId: number;
  groupName: string;
  searchText: string;
  version: GeneratedAlways<number>;
}

interface CustomerGroupMemberTable {
  companyId: number;
  groupId: number;
  customerId: number;
}

interface ProductTable {
  id: GeneratedAlways<number>;
  companyId: number;
  number: string;
  /** The number in lower case (`productKey`). */
  numberKey: string;
  /** Orders numbers as people count: whole numbers by value, then the others. */
  numberOrder: GeneratedAlways<string>;
  name: string;
  description: string | null;
  unit: string | null;
  netPrice: Ore;
  vatTreatment: VatTreatment | null;
  active: boolean;
  searchText: string;
  version: GeneratedAlways<number>;
}

interface ExportSettingsTable {
  companyId: number;
  /** Written as JSON, and read as text: its keys are names of treatments, which the driver would change. */
  accounts: ColumnType<never, string, string>;
  customerOffset: number;
  accountantEmail: string | null;
}
