import { todayInOslo } from '../../../../domain/date.ts';
import { reportBounce, reportComplaint } from '../../../../domain/delivery/delivery.endpoints.ts';
import type { RefusedAddress } from '../../../../domain/delivery/delivery.schema.ts';
import { findNewCompanies } from '../../../company/company-state.repository.ts';
import type { Context } from '../../../context.ts';
import { isReminder } from '../../../document/document-file.service.ts';
import { findLinkUrl } from '../../../invoice-link/invoice-link.service.ts';
import type { Db, Trx } from '../../../platform/db/database.ts';
import { publicRoute } from '../../../platform/http/route.ts';
import { deliverJob } from '../../../platform/jobs/jobs.ts';
import { countAgainst, countUses } from '../../../platform/limits/rate-limit.ts';
import { MailError } from '../../../platform/mail/mail-error.ts';
import {
  isSameAddress,
  messageIdOfDelivery,
  type OutgoingMail,
} from '../../../platform/mail/outgoing-mail.ts';
import { findSuppressed } from '../../../platform/mail/refusals.ts';
import type { Addressed, Answer, Carrier, NewlyMade } from '../../carrier.ts';
import * as repository from '../../delivery.repository.ts';
import { createNoticeReceiver } from './email-notice.service.ts';
import { invoiceMail } from './invoice.mail.ts';
import { reminderMail } from './reminder.mail.ts';

/** Tries, with waits that double from two seconds to an hour: about two days. */
const TRIES = 58;
/** Hourly tries while the mail server refuses us, not surely the mail: two weeks to fix it. */
const EXCUSED_TRIES = 14 * 24;

export const SUPPRESSED = {
  code: 'address_suppressed',
  reason: 'Adressen har avvist e-post tidligere',
} as const;

/** Sends documents by e-mail. Every try has the same Message-ID. */
export const emailCarrier: Carrier = {
  type: 'EMAIL',
  job: deliverJob,
  isOn: () => true,
  limits: ({ smtpConnections, smtpTimeout }) => ({
    places: smtpConnections,
    timeout: smtpTimeout,
    firstWait: 2,
    longestWait: 3600,
    tries: TRIES,
    excusedTries: EXCUSED_TRIES,
  }),
  addressOf: ({ email, invoiceEmails }) => invoiceEmails?.[0] ?? email,
  copiesOf: ({ invoiceEmails }) => invoiceEmails?.slice(1) ?? [],
  isAddressInDocument: false,
  withoutAddress: 'recipient_without_email',
  keyOf: messageIdOfDelivery,
  async findObstacles(db, deliveries) {
    const suppressed = await findSuppressed(db, deliveries.flatMap(addressesOf));
    // One address that works is enough; the others are left out (DEL-23).
    return deliveries.map((delivery) =>
      addressesOf(delivery).every((address) => suppressed.has(address.toLowerCase()))
        ? SUPPRESSED
        : null,
    );
  },
  allotToday,
  async prepare(context, delivery, contents) {
    const linked = { ...delivery, linkUrl: await findLinkUrl(context, delivery) };
    const mail = isReminder(contents)
      ? reminderMail(context.config, linked, contents)
      : invoiceMail(context.config, linked, contents);
    const { copies = [], remaining } = delivery;
    if (copies.length === 0) return async () => send(context, mail, []);
    const suppressed = await findSuppressed(context.db, remaining);
    const refused = remaining.filter((one) => suppressed.has(one.toLowerCase()));
    // Nobody who has it gets it again (DEL-23).
    const withheld = addressesOf(delivery).filter(
      (one) => !remaining.includes(one) || refused.includes(one),
    );
    return async () => send(context, { ...mail, cc: copies, withheld }, refused);
  },
  routes(app, context) {
    const receive = createNoticeReceiver(context);
    for (const endpoint of [reportBounce, reportComplaint]) {
      publicRoute(app, endpoint, async ({ body }) => {
        await receive(body);
        return undefined;
      });
    }
  },
};

function addressesOf({ recipient, copies = [] }: Addressed): readonly string[] {
  return [recipient, ...copies];
}

async function send(
  { mailer }: Context,
  mail: OutgoingMail,
  suppressed: readonly string[],
): Promise<Answer> {
  const withheld = suppressed.map((address) => ({ address, reason: SUPPRESSED.reason }));
  // Refusals name the addresses as the server got them, deliveries as they were typed.
  const typed = [mail.to.address, ...(mail.cc ?? [])];
  const named = (refusals: readonly RefusedAddress[]) =>
    refusals.map((refusal) => {
      const address = typed.find((one) => isSameAddress(one, refusal.address));
      return { ...refusal, address: address ?? refusal.address };
    });
  try {
    const { serverId, rejected } = await mailer.send(mail);
    return {
      kind: 'ACCEPTED',
      reference: serverId,
      refused: [...withheld, ...named(rejected?.refused ?? [])],
      delayed: named(rejected?.delayed ?? []),
    };
  } catch (error) {
    if (!(error instanceof MailError)) throw error;
    const refused = [...withheld, ...named(error.refused)];
    return { kind: kindOf(error), reason: error.reason, refused, error };
  }
}

function kindOf({ misconfigured, permanent, mayHaveArrived, doubt }: MailError) {
  if (permanent) return 'REFUSED';
  if (mayHaveArrived) return 'UNKNOWN';
  return misconfigured || doubt ? 'BLOCKED' : 'NOT_NOW';
}

/** How long a company counts as new (days). */
const NEW_FOR = 7;
const SECONDS_A_DAY = 24 * 60 * 60;
/** Most mails per day of a new company to one address (DEL-15). */
const MOST_TO_ONE_ADDRESS = 100;

/**
 * Returns the new deliveries that may leave today, and defers the others with the reason. A new company has a daily
 * limit, which all workers share: they count one after another. A delivery counts whether it arrives or not.
 */
async function allotToday(
  { config }: Pick<Context, 'config'>,
  trx: Trx,
  deliveries: readonly NewlyMade[],
): Promise<readonly NewlyMade[]> {
  const most = config.newCompanyMailsPerDay;
  if (most === null || deliveries.length === 0) return deliveries;
  const companyIds = [...new Set(deliveries.map(({ companyId }) => companyId))];
  const limited = await findLimited(trx, companyIds);
  const free = deliveries.filter(({ companyId }) => !limited.has(companyId));
  // In one order, so that two workers never deadlock.
  for (const companyId of [...limited].toSorted((left, right) => left - right)) {
    const own = deliveries.filter((delivery) => delivery.companyId === companyId);
    free.push(...(await allot(trx, companyId, own, most)));
  }
  return free;
}

async function findLimited(db: Db, companyIds: readonly number[]): Promise<Set<number>> {
  const limited = await findNewCompanies(db, companyIds, NEW_FOR);
  if (limited.size === 0) return limited;
  return limited.difference(await repository.findAllowed(db, [...limited]));
}

/** Counts the deliveries that may leave, and defers the rest. */
async function allot(
  trx: Trx,
  companyId: number,
  deliveries: readonly NewlyMade[],
  most: number,
): Promise<NewlyMade[]> {
  await repository.lockCounting(trx, companyId);
  // An operator may have freed the company during the wait for the lock.
  if ((await repository.findAllowed(trx, [companyId])).size > 0) return [...deliveries];
  const toAddress = await repository.countToday(trx, companyId);
  let total = sumOf(toAddress) + (await countUses(trx, otherMails(companyId)));
  const verdicts = Map.groupBy(deliveries, (delivery) => {
    const addresses = addressesOf(delivery).map((address) => address.toLowerCase());
    const manyTo = (address: string) => toAddress.get(address) ?? 0;
    // The first mail of a day leaves, however many addresses it has.
    if (total > 0 && total + addresses.length > most) return 'company';
    if (addresses.some((address) => manyTo(address) >= MOST_TO_ONE_ADDRESS)) return 'address';
    total += addresses.length;
    for (const address of addresses) toAddress.set(address, manyTo(address) + 1);
    return 'free';
  });
  const idsOf = (verdict: 'free' | 'company' | 'address') =>
    (verdicts.get(verdict) ?? []).map(({ id }) => id);
  await repository.count(trx, companyId, idsOf('free'));
  await repository.defer(
    trx,
    companyId,
    idsOf('company'),
    `En ny konto sender høyst ${formatCount(most)} fakturaer på e-post i døgnet.`,
  );
  await repository.defer(
    trx,
    companyId,
    idsOf('address'),
    `En ny konto sender høyst ${formatCount(MOST_TO_ONE_ADDRESS)} fakturaer i døgnet til samme adresse.`,
  );
  return verdicts.get('free') ?? [];
}

const sumOf = (counts: ReadonlyMap<string, number>) =>
  counts.values().reduce((sum, many) => sum + many, 0);

/** The key of a day's mails to strangers that are no deliveries. */
const otherMails = (companyId: number) => `stranger-mails:${companyId}:${todayInOslo()}`;

/**
 * Counts a mail of a new company that is no delivery, to somebody whom the company names: an invitation, the link of an
 * export, the code of an overview. It has a part of the company's daily limit (DEL-15).
 * @throws AppError too_many_requests
 */
export async function countStrangerMail(
  { config, db }: Pick<Context, 'config' | 'db'>,
  companyId: number,
): Promise<void> {
  const most = config.newCompanyMailsPerDay;
  if (most === null) return;
  await db.transaction().execute(async (trx) => {
    if ((await findLimited(trx, [companyId])).size === 0) return;
    await repository.lockCounting(trx, companyId);
    const left = most - sumOf(await repository.countToday(trx, companyId));
    // Refused, it is not counted: the transaction is rolled back.
    await countAgainst(trx, { key: otherMails(companyId), most: left, seconds: SECONDS_A_DAY });
  });
}

function formatCount(many: number): string {
  return many.toLocaleString('nb-NO');
}

/** Frees a new company from the limit. Returns the number of deferred deliveries. */
export async function allowMailing(db: Db, companyId: number): Promise<number> {
  await db.transaction().execute(async (trx) => {
    await repository.lockCounting(trx, companyId);
    await repository.allow(trx, companyId);
  });
  // Without the lock: at midnight housekeeping holds the deferred rows and waits for the lock.
  return repository.endDeferral(db, companyId);
}
