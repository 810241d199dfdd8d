import type { Config } from './config.ts';
import type { Db } from './db/database.ts';
import type { JobQueue } from './jobs/queue.ts';
import type { Logger } from './logger.ts';
import type { Mailer } from './mail/mailer.ts';
import type { ObjectStore } from './object-store/object-store.ts';
import type { PdfRenderer } from './pdf/renderer.ts';
import type { PeppolNetwork } from './peppol/network.ts';

/** What the services work with. Made once, in `app.ts`. */
export interface Context {
  readonly config: Config;
  readonly db: Db;
  /** The store of documents' bytes that are not in the database. */
  readonly objectStore: ObjectStore;
  /** The session of a hashed token; null when there is none. */
  readonly findSession: (tokenHash: Buffer) => Promise<FoundSession | null>;
  /** The personal API token of a hash; null when there is none. */
  readonly findApiToken: (tokenHash: Buffer) => Promise<FoundApiToken | null>;
  readonly jobs: JobQueue;
  /** For invoices. */
  readonly mailer: Mailer;
  /** For mail that somebody waits for. It has connections of its own: invoices may block all of theirs. */
  readonly loginMailer: Mailer;
  readonly pdf: PdfRenderer;
  /** The text at a URL, or null; see `fetch-text.ts`. */
  readonly fetchText: (url: string) => Promise<string | null>;
  /** What EHF is sent through; null where it is off. */
  readonly network: PeppolNetwork | null;
  readonly log: Logger;
}

/** A session that has not run out, with its owner. */
export interface FoundSession extends Omit<Actor, 'tokenName'> {
  readonly sessionId: number;
  readonly expiresAt: Date;
}

/** A personal API token, with its owner. */
export interface FoundApiToken extends Omit<Actor, 'tokenName'> {
  readonly tokenId: number;
  readonly tokenName: string;
  readonly lastUsedAt: Date | null;
}

/** Who is calling: a logged-in account and the one company that it owns. */
export interface Actor {
  readonly accountId: number;
  readonly companyId: number;
  readonly email: string;
  /** The name of the API token that the call came with; null for one with a session. */
  readonly tokenName: string | null;
  readonly isStaff: boolean;
}
