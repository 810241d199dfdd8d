import { Kysely, sql } from 'kysely';

import { keyedHash, makeToken } from '../../server/platform/crypto.ts';
import type { Db } from '../../server/platform/db/database.ts';

// Loaded into the server of the journeys (`--import`). Nobody else may open an embedded database while the server runs,
// so it changes there what a user cannot: what would take a day, or a mail for each test.

async function companyOf(db: Db, owner: string): Promise<number> {
  const { companyId } = await db
    .selectFrom('member')
    .select('companyId')
    .where('email', '=', owner)
    .executeTakeFirstOrThrow();
  return companyId;
}

const RealDate = Date;
let ahead = 0;
class MovedDate extends RealDate {
  constructor(...values: readonly unknown[]) {
    super(...((values.length === 0 ? [MovedDate.now()] : values) as [number]));
  }
  static override now(): number {
    return RealDate.now() + ahead;
  }
}

/** The changes that a journey may ask its server's process to make. */
const WORKS = {
  /** Moves registration and sending of all invoices to their issue dates. */
  async registerInTime(db: Db): Promise<void> {
    const issued = await db
      .selectFrom('invoice')
      .select('uuid')
      .where('status', '<>', 'DRAFT')
      .execute();
    const { registeredInTime } = await import('../../server/testing/late-invoices.ts');
    await registeredInTime(
      db,
      issued.map(({ uuid }) => uuid),
    );
  },
  /** Returns the token of a new login link of an address, as its mail would have it. */
  async makeLoginLink(db: Db, email: string): Promise<string> {
    const token = makeToken();
    const key = process.env['SECRET_KEY'] ?? '';
    await db
      .insertInto('loginChallenge')
      .values({
        email,
        codeHash: keyedHash(key, 'login-code', token),
        tokenHash: keyedHash(key, 'login-token', token),
        // By the database's clock, also when that of the process has been set.
        expiresAt: sql<Date>`now() + interval '1 minute'`,
      })
      .execute();
    return token;
  },
  /** Makes an address, which has no account, a member of the company of an owner: what `members` does when it is on. */
  async addMember(db: Db, owner: string, email: string): Promise<void> {
    const companyId = await companyOf(db, owner);
    const { id } = await db
      .insertInto('account')
      .values({ email })
      .returning('id')
      .executeTakeFirstOrThrow();
    const row = { companyId, accountId: id, email, role: 'EMPLOYEE' } as const;
    await db.insertInto('member').values(row).execute();
  },
  /** Sets the clock of the process, not of the database, which goes on from there. */
  async setClock(_db: Db, time: string): Promise<void> {
    ahead = new RealDate(time).getTime() - RealDate.now();
    globalThis.Date = MovedDate as DateConstructor;
  },
  /** Lets ten minutes pass since the sessions of an address were proved. */
  async endProofs(db: Db, email: string): Promise<void> {
    const account = db.selectFrom('account').select('id').where('email', '=', email);
    await db
      .updateTable('session')
      .set({ provedAt: null })
      .where('accountId', '=', account)
      .execute();
  },
  /** Lets so many days pass for the closed company of an owner, and asks for what is due then. */
  async letDaysPass(db: Db, owner: string, days: string): Promise<void> {
    const { letDaysPass } = await import('../../server/testing/closings.ts');
    await letDaysPass(db, await companyOf(db, owner), Number(days));
    await sql`INSERT INTO jobs.job (name, data) VALUES ('closing', '{"payload": {}}')`.execute(db);
  },
  /** Approves the EHF agreement that an owner's company has asked for, as an operator's command does. */
  async approveEhf(db: Db, owner: string): Promise<void> {
    const { approveAgreement } =
      await import('../../server/delivery/carriers/ehf/ehf-agreement.service.ts');
    await approveAgreement(db, await companyOf(db, owner), null);
  },
} satisfies Readonly<Record<string, (db: Db, ...words: string[]) => Promise<unknown>>>;

export type Work = keyof typeof WORKS;

/** A message of `ProductProcess.ask`. */
interface Question {
  readonly id: string;
  readonly work: Work;
  readonly words: readonly string[];
}

// The server's own, so that the work waits for its turn at the connections. The one of migrations, which ends with them,
// has no plugins.
const opened = Promise.withResolvers<Db>();
// oxlint-disable-next-line typescript/unbound-method -- it is called with `this`
const { getExecutor } = Kysely.prototype;
Kysely.prototype.getExecutor = function getAndKeep(this: Kysely<never>) {
  const executor = getExecutor.call(this);
  if (!this.isTransaction && executor.plugins.length > 0) opened.resolve(this as unknown as Db);
  return executor;
};

process.on('message', ({ id, work, words }: Question) => {
  const run = WORKS[work] as (db: Db, ...words: readonly string[]) => Promise<unknown>;
  const answer = opened.promise.then(async (db) => run(db, ...words));
  answer.then(
    (result) => process.send?.({ id, result }),
    (error: unknown) => process.send?.({ id, error: String(error) }),
  );
});
// It does not keep the process from ending.
process.channel?.unref();
