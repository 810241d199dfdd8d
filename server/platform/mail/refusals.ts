import { sql } from 'kysely';

import type { Db } from '../db/database.ts';
import type { Logger } from '../log/log.ts';
import { MailError } from './mail-error.ts';
import type { Mailer } from './mailer.ts';

/** This many refusals in a row mean that the sender is refused. */
const IN_A_ROW = 3;
/** Refusals of mails that are no longer tried are deleted after this many days; deliveries are tried for two weeks. */
const KEPT = 15;

/**
 * - OPEN: no mail was accepted since, and it was not the third in a row.
 * - SENDER: it is one of three in a row. The mail waits for an operator.
 * - MAIL: the server accepted another mail since. The mail has failed, or fails at its next refusal.
 */
type Meaning = 'OPEN' | 'SENDER' | 'MAIL';

interface Options {
  readonly db: Db;
  readonly log: Logger;
  /** Receives the Message-IDs of mails that wait for a retry but have failed by now. */
  readonly onFailed: (messageIds: readonly string[]) => Promise<void>;
  /** Measures each mail, by what is decided about it. */
  readonly durations: {
    startTimer(): (labels: Readonly<Record<'outcome', MailOutcome>>) => unknown;
  };
}

type MailOutcome = 'accepted' | 'refused' | 'misconfigured';

/**
 * A mailer that decides whether a refusal concerns the mail or its sender, by what else the server accepts:
 * the table of DEL-16. Processes share this knowledge in the database.
 */
export function judgeRefusals(mailer: Mailer, { db, log, onFailed, durations }: Options): Mailer {
  const settling = new Set<Promise<void>>();
  const settle = async (messageId: string, began: number) => {
    try {
      // The time that the connection is waited for counts too.
      const failed = await db
        .connection()
        .execute(async (one) => noteAccepted(one, messageId, performance.now() - began));
      if (failed.length > 0) await onFailed(failed);
    } catch (error) {
      log.warn({ err: error }, 'refused mails could not be settled; they are at their next try');
    }
  };
  const judge = async (messageId: string, error: unknown): Promise<unknown> => {
    if (!(error instanceof MailError) || !error.doubt) return error;
    const meaning = await noteRefused(db, messageId, error.doubt.isQuota).catch(() => {
      log.warn({ err: error }, 'a refusal could not be noted; it is open until the next try');
      return 'OPEN' as const;
    });
    return meaning === 'OPEN' ? error : decided(error, error.doubt.sendersReason, meaning);
  };
  return {
    async send(mail) {
      const began = performance.now();
      const stop = durations.startTimer();
      try {
        const sent = await mailer.send(mail);
        // Not awaited: the caller next stores that its mail was accepted, and must not wait for this.
        const settled = settle(mail.messageId, began).finally(() => settling.delete(settled));
        settling.add(settled);
        stop({ outcome: 'accepted' });
        return sent;
      } catch (thrown) {
        const error = await judge(mail.messageId, thrown);
        const isOurs = error instanceof MailError && error.misconfigured;
        stop({ outcome: isOurs ? 'misconfigured' : 'refused' });
        throw error;
      }
    },
    async close() {
      await mailer.close();
      await Promise.all(settling);
    },
  };
}

function decided(error: MailError, sendersReason: string, meaning: 'SENDER' | 'MAIL'): MailError {
  const isSenders = meaning === 'SENDER';
  return new MailError(error.message, {
    permanent: !isSenders,
    misconfigured: isSenders,
    reason: isSenders ? sendersReason : error.reason,
    responseCode: error.responseCode,
    refused: error.refused,
    cause: error,
  });
}

/**
 * Records a refused mail and returns the meaning. After a quota was used up, its mails are refused once more even if
 * others were accepted since: the count then starts again.
 */
async function noteRefused(db: Db, messageId: string, isQuota: boolean): Promise<Meaning> {
  const isAnew = sql`${isQuota}::boolean AND mail_refusal.meaning = 'MAIL'`;
  const { rows } = await sql<{ meaning: Meaning }>`
    INSERT INTO mail_refusal (message_id) VALUES (${messageId})
    ON CONFLICT (message_id) DO UPDATE SET
      meaning = CASE WHEN ${isAnew} THEN 'OPEN' ELSE mail_refusal.meaning END,
      refused_at = CASE WHEN ${isAnew} THEN now() ELSE mail_refusal.refused_at END
    RETURNING meaning`.execute(db);
  if (rows[0]?.meaning === 'OPEN') {
    // A separate statement, so that the last of three concurrent ones sees all of them.
    await sql`
      UPDATE mail_refusal SET meaning = 'SENDER'
      WHERE meaning = 'OPEN'
        AND (SELECT count(*) FROM mail_refusal WHERE meaning <> 'MAIL') >= ${IN_A_ROW}`.execute(db);
  }
  const found = await sql<{ meaning: Meaning }>`
    SELECT meaning FROM mail_refusal WHERE message_id = ${messageId}`.execute(db);
  return found.rows[0]?.meaning ?? 'OPEN';
}

/**
 * Records an accepted mail, whose sending started `milliseconds` ago, and returns the mails that fail by this: those
 * refused before that start. Mails that waited for an operator are tried once more.
 */
async function noteAccepted(db: Db, messageId: string, milliseconds: number): Promise<string[]> {
  const { rows } = await sql<{ messageId: string; meaning: Meaning }>`
    WITH own AS (DELETE FROM mail_refusal WHERE message_id = ${messageId}), row AS (
      SELECT message_id, meaning FROM mail_refusal
      WHERE meaning <> 'MAIL' AND message_id <> ${messageId}
        AND refused_at < now() - make_interval(secs => ${milliseconds / 1000})
      ORDER BY message_id FOR UPDATE)
    UPDATE mail_refusal SET meaning = 'MAIL' FROM row WHERE mail_refusal.message_id = row.message_id
    RETURNING row.message_id, row.meaning`.execute(db);
  return rows.flatMap((row) => (row.meaning === 'OPEN' ? [row.messageId] : []));
}

/** Deletes refusals of mails that are no longer tried. */
export async function deleteOldRefusals(db: Db): Promise<void> {
  await sql`
    DELETE FROM mail_refusal WHERE refused_at < now() - make_interval(days => ${KEPT})`.execute(db);
}

/** Whether an address has bounced or complained: then it gets no mail that it did not request (DEL-17). */
export async function isSuppressed(db: Db, email: string): Promise<boolean> {
  return (await findSuppressed(db, [email])).size > 0;
}

/** The suppressed ones of these addresses, in lower case. */
export async function findSuppressed(db: Db, emails: readonly string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom('suppressedAddress')
    .select('email')
    .where(sql<boolean>`email = ANY(${emails.map((email) => email.toLowerCase())}::text[])`)
    .execute();
  return new Set(rows.map((row) => row.email));
}

/** Allows mail to an address again. False when it was not suppressed. */
export async function unsuppress(db: Db, email: string): Promise<boolean> {
  const result = await db
    .deleteFrom('suppressedAddress')
    .where('email', '=', email.toLowerCase())
    .executeTakeFirst();
  return result.numDeletedRows > 0n;
}

/** Suppresses an address until an operator allows it again. */
export async function suppress(
  db: Db,
  email: string,
  reason: 'BOUNCE' | 'COMPLAINT',
): Promise<void> {
  await db
    .insertInto('suppressedAddress')
    .values({ email: email.toLowerCase(), reason })
    .onConflict((conflict) => conflict.column('email').doNothing())
    .execute();
}
