import { setTimeout as sleep } from 'node:timers/promises';

import { HOME_COUNTRY } from '../../domain/country.ts';
import { todayInOslo } from '../../domain/date.ts';
import {
  dutyReasonOf,
  isAskedAbout,
  type DutyReason,
} from '../../domain/einvoice/einvoice-duty.ts';
import type { DeliveryType } from '../../domain/delivery/delivery.schema.ts';
import type { InvoiceKind } from '../../domain/invoice/invoice.status.ts';
import { isValidOrgNumber, type Buyer } from '../../domain/parties.ts';
import type { Context } from '../context.ts';
import { findCustomersByIds } from '../customer/customer.repository.ts';
import {
  isLookedUp,
  lookUpCustomers,
  lookUpReceivers,
} from '../delivery/carriers-in-use.service.ts';
import { PEPPOL_ORGANISATION, type PeppolType } from '../delivery/carriers/ehf/participant.ts';
import {
  askNetwork,
  keyOf,
  type NetworkAnswer,
} from '../delivery/carriers/ehf/reachability.service.ts';
import type { Db, Trx } from '../platform/db/database.ts';
import { handlerOf, type JobHandler } from '../platform/jobs/job.ts';
import { einvoiceEvidenceJob } from '../platform/jobs/jobs.ts';
import * as repository from './evidence.repository.ts';
import type { EvidenceRow, OpenQuestion } from './evidence.repository.ts';

/** The network's answers about the buyers of what will be registered, by `keyOf`; null while `einvoice` is off. */
export type Asked = ReadonlyMap<string, NetworkAnswer> | null;

/**
 * Asks the network about the buyers of a company's drafts, or of the named ones, before the transaction that registers
 * them (EINV-3). While `einvoice` is off, about the receivers of EHF alone.
 *
 * @param patience the time for all of them (milliseconds)
 */
export async function askAboutDrafts(
  context: Context,
  companyId: number,
  uuids: readonly string[] | null,
  patience?: number,
): Promise<Asked> {
  if (!context.config.features.has('einvoice')) {
    await lookUpReceivers(context, companyId, uuids);
    return null;
  }
  const numbers = await repository.findBuyersOfDrafts(context.db, companyId, uuids);
  return askAbout(context, companyId, numbers, 'INVOICE', patience);
}

/** Whether somebody is asked about before invoices of this delivery type are registered. */
export function asksAbout({ config }: Pick<Context, 'config'>, type: DeliveryType): boolean {
  return config.features.has('einvoice') || isLookedUp(config, type);
}

/** As `askAboutDrafts`, for customers whose drafts of this type will be registered at once. */
export async function askAboutCustomers(
  context: Context,
  companyId: number,
  receivers: { readonly type: DeliveryType; readonly customerIds: readonly number[] },
): Promise<Asked> {
  if (!context.config.features.has('einvoice')) {
    await lookUpCustomers(context, companyId, receivers);
    return null;
  }
  const customers = await findCustomersByIds(context.db, companyId, receivers.customerIds);
  const numbers = [...customers.values()]
    .filter(({ country }) => country === HOME_COUNTRY)
    .flatMap(({ orgNumber }) => orgNumber ?? []);
  return askAbout(context, companyId, numbers, 'INVOICE');
}

/** As `askAboutDrafts`, for organisation numbers; null while `einvoice` is off. */
export async function askAbout(
  context: Context,
  companyId: number,
  orgNumbers: readonly string[],
  documentType: PeppolType,
  patience?: number,
): Promise<Asked> {
  if (!context.config.features.has('einvoice')) return null;
  const questions = orgNumbers
    .filter(isValidOrgNumber)
    .map((orgNumber) => ({ orgNumber, documentType }));
  return askNetwork(context, companyId, questions, patience);
}

/** A document or draft, as far as its reason depends on it. */
interface Judged {
  readonly id: number;
  readonly buyer: Buyer;
  readonly isBuyerPrivate: boolean | null;
}

/** Why an e-invoice is asked for, or not; by the id of the document. */
export type DutyReasons = ReadonlyMap<number, DutyReason>;

/** The reasons of these, if they are registered today. */
export async function findDutyReasons(
  { config: { features } }: Pick<Context, 'config'>,
  db: Db,
  companyId: number,
  drafts: readonly Judged[],
): Promise<DutyReasons> {
  const { exempt } = features.has('einvoice')
    ? await repository.findSettings(db, companyId)
    : { exempt: false };
  const day = todayInOslo();
  return new Map(
    drafts.map(({ id, isBuyerPrivate, buyer: { country, orgNumber } }) => [
      id,
      dutyReasonOf({
        // A private person has no number. The buyer of a credit note is its invoice's, whatever the customer is now.
        isPrivate: orgNumber === null && isBuyerPrivate === true,
        country,
        orgNumber,
        isExempt: exempt,
        day,
      }),
    ]),
  );
}

interface Registered extends Judged {
  readonly kind: InvoiceKind;
}

/** Keeps what the network has said about the buyers of documents that are being registered. */
export async function keepEvidence(
  { config: { peppol } }: Pick<Context, 'config'>,
  trx: Trx,
  companyId: number,
  documents: readonly Registered[],
  { reasons, asked }: { readonly reasons: DutyReasons; readonly asked: Asked },
): Promise<void> {
  if (asked === null) return;
  const rows = documents
    .filter(({ id }) => isAskedAbout(reasons.get(id) ?? 'BUYER_WITHOUT_NUMBER'))
    .map((document) => evidenceOf(document, asked, peppol?.name ?? null));
  await repository.insertEvidence(trx, companyId, rows);
}

function evidenceOf(
  { id: invoiceId, kind: documentType, buyer }: Registered,
  asked: NonNullable<Asked>,
  network: EvidenceRow['network'],
): EvidenceRow {
  const orgNumber = buyer.orgNumber ?? '';
  const row = { invoiceId, participant: participantIn(orgNumber), documentType };
  const unasked = { ...row, network: null, publisher: null, askedAt: null };
  if (network === null) return { ...unasked, outcome: 'NOT_ASKED', cause: null };
  if (!isValidOrgNumber(orgNumber)) {
    return { ...unasked, outcome: 'NOT_REGISTERED', cause: 'INVALID_NUMBER' };
  }
  // The customer may have got another number since.
  const answer = asked.get(keyOf({ orgNumber, documentType })) ?? {
    outcome: 'UNKNOWN',
    cause: 'TIMEOUT',
    publisher: null,
    askedAt: new Date(),
  };
  const { outcome, cause, publisher, askedAt } = answer;
  return { ...row, network, outcome, cause, publisher, askedAt };
}

function participantIn(orgNumber: string): string {
  return `${PEPPOL_ORGANISATION}:${orgNumber}`;
}

/** Warns once, at the start, when the network's answers would be no evidence (EINV-1). */
export function warnOfNetwork({ config, log }: Pick<Context, 'config' | 'log'>): void {
  const { features, peppol } = config;
  if (!features.has('einvoice') || peppol?.name === 'production') return;
  log.warn(
    peppol
      ? 'PEPPOL_NETWORK is test: what it says of the receivers of e-invoices proves nothing'
      : 'PEPPOL_NETWORK is not set: nobody is asked who receives e-invoices',
  );
}

const EVERY_MINUTE = '* * * * *';
/** Between two questions of the job (milliseconds). */
const PACE = 100;
/** Questions of one run of the job, so that it ends before the next one, though some wait for their answers. */
const MOST = 300;

/** The job that asks again about the buyers whom the network was silent about. */
export function evidenceJobs(context: Context): JobHandler[] {
  const ask = async (_: object, signal: AbortSignal) => askAgain(context, signal);
  return [handlerOf(einvoiceEvidenceJob, ask, { cron: EVERY_MINUTE, feature: 'einvoice' })];
}

/** Asks at most ten questions a second, and waits for no answer before the next one: a publisher that hangs delays nobody. */
export async function askAgain(context: Context, signal?: AbortSignal): Promise<void> {
  if (!context.network) return;
  const asking: Promise<void>[] = [];
  for (const question of await repository.findDueQuestions(context.db, MOST)) {
    if (signal?.aborted) break;
    asking.push(askOnce(context, question));
    await sleep(PACE);
  }
  const failed = (await Promise.allSettled(asking)).filter(({ status }) => status === 'rejected');
  if (failed.length > 0) throw new AggregateError(failed, 'Answers of the network were not kept');
}

async function askOnce(
  context: Context,
  { companyId, participant, documentType, invoiceIds }: OpenQuestion,
): Promise<void> {
  const orgNumber = participant.slice(PEPPOL_ORGANISATION.length + 1);
  const question = { orgNumber, documentType };
  const answer = (await askNetwork(context, companyId, [question])).get(keyOf(question));
  if (!answer || !context.network) return;
  const { outcome, cause, publisher, askedAt } = answer;
  const row = { participant, documentType, network: context.network.name };
  const rows = invoiceIds.map((invoiceId) =>
    Object.assign({ invoiceId, outcome, cause, publisher, askedAt }, row),
  );
  await context.db
    .transaction()
    .execute(async (trx) => repository.insertEvidence(trx, companyId, rows));
}
