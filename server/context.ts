import type { Permission, Role } from '../domain/permission.ts';
import type { Config } from './config.ts';
import type { Db, Trx } from './platform/db/database.ts';
import type { JobQueue } from './platform/jobs/queue.ts';
import type { Logger } from './platform/log/log.ts';
import type { Mailer } from './platform/mail/mailer.ts';
import type { ObjectStore } from './platform/object-store/object-store.ts';

/** Dependencies of the services. Created once, in `app.ts`. A concept adds its own in its own file. */
export interface Context {
  readonly config: Config;
  readonly db: Db;
  /** For work with a connection of its own, past a pooler; null of the embedded database. */
  readonly directUrl: string | null;
  /** Stores documents' bytes outside the database. */
  readonly objectStore: ObjectStore;
  /** The session of a hashed token; null when it does not exist. */
  readonly findSession: (tokenHash: Buffer) => Promise<FoundSession | null>;
  /** The personal API token of a hash; null when it does not exist. */
  readonly findApiToken: (tokenHash: Buffer) => Promise<FoundApiToken | null>;
  readonly jobs: JobQueue;
  /** Sends invoices. */
  readonly mailer: Mailer;
  /** Sends mail that a user waits for. It has its own connections, since invoices may block all of theirs. */
  readonly loginMailer: Mailer;
  /** The text at a URL, or null; see `fetch-text.ts`. */
  readonly fetchText: (url: string) => Promise<string | null>;
  readonly log: Logger;
}

/** A valid session. */
export interface FoundSession extends FoundAccount {
  readonly sessionId: number;
  readonly expiresAt: Date;
  readonly lastSeenAt: Date;
  readonly provedUntil: Date | null;
}

/** A personal API token. */
export interface FoundApiToken extends FoundAccount {
  readonly tokenId: number;
  readonly tokenName: string;
  /** Null for a token of the operator, which may do what its account may. */
  readonly tokenScopes: readonly Permission[] | null;
  readonly lastUsedAt: Date | null;
}

/** An account with its membership in the company of the session or token; null when it has none there. */
export interface FoundAccount {
  readonly accountId: number;
  readonly email: string;
  readonly isStaff: boolean;
  readonly companyId: number | null;
  readonly companyUuid: string | null;
  readonly accessChanges: number | null;
  /** Whether the company was closed by an owner. */
  readonly isClosed: boolean | null;
  readonly role: Role | null;
  readonly mayRegister: boolean | null;
  readonly mayHandlePayments: boolean | null;
}

/** A logged-in account, which may be a member of no company. */
export interface Caller {
  readonly accountId: number;
  readonly email: string;
  /** The id of the call's session; null for a call with a token. */
  readonly sessionId: number | null;
  /** The end of the session's proof; null when it is over, and for a token. */
  readonly provedUntil: Date | null;
  /** The id and the name of the call's API token; null for a call with a session. */
  readonly tokenId: number | null;
  readonly tokenName: string | null;
  /** The scopes of a member's API token; null for a session, and for a token of the operator. */
  readonly tokenScopes: readonly Permission[] | null;
  readonly isStaff: boolean;
  readonly company: Pick<
    Actor,
    'companyId' | 'companyUuid' | 'accessChanges' | 'isClosed' | 'role' | 'permissions'
  > | null;
}

/** The caller of a company's call: a logged-in account, and the company for which it calls. */
export interface Actor extends Omit<Caller, 'company'> {
  readonly companyId: number;
  readonly companyUuid: string;
  /** How often members' access had been changed when the caller was looked up. */
  readonly accessChanges: number;
  /** Whether the company can only be read. */
  readonly isClosed: boolean;
  readonly role: Role;
  /** The permissions that the caller has in the company. */
  readonly permissions: readonly Permission[];
}

/**
 * Checks, for concepts above the one that changes a record, whether it may change, or updates what refers to it. Runs
 * in the transaction of the change, with the record locked.
 */
export type BeforeChange<Changed> = (
  context: Context,
  trx: Trx,
  actor: Actor,
  changed: Changed,
) => Promise<void>;
