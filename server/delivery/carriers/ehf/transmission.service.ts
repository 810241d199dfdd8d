import type { Context } from '../../../context.ts';
import type { Evidence } from './access-point.ts';
import {
  findLatest,
  forgetOld,
  keepEvent,
  type Named,
  hasEvidence,
  insertEvidence,
} from './ehf.repository.ts';
import { readXml } from '../../../platform/xml/xml-reader.ts';
import { recordEvents, SYSTEM } from '../../../invoice/history.repository.ts';
import type { Db } from '../../../platform/db/database.ts';
import { handlerOf, type JobHandler } from '../../../platform/jobs/job.ts';
import { peppolEventsJob } from '../../../platform/jobs/jobs.ts';

/** Events that mean that a document will not arrive. */
const VERDICTS = ['failed', 'no_action_taken'] as const;
const WORDS: Readonly<Record<string, string>> = {
  failed: 'Mottakerens aksesspunkt tok ikke imot',
  no_action_taken: 'Kunden kan ikke motta EHF',
};
/** Most events fetched at a time, so that a flood does not block housekeeping. */
const AT_ONCE = 500;
/** Events older than this are never asked for (days). */
const KEPT_DAYS = 400;

/** The job that fetches the events of the access point every minute. */
export function transmissionJobs(context: Context): JobHandler[] {
  const fetch = async (_: object, signal: AbortSignal) => fetchEvents(context, signal);
  return [handlerOf(peppolEventsJob, fetch, { cron: '* * * * *', feature: 'ehf' })];
}

/**
 * Fetches the events of the access point. Each is stored before it is acknowledged, so none is lost; a delivery finds
 * its own when it is polled.
 */
export async function fetchEvents(
  { db, network, log }: Context,
  signal?: AbortSignal,
): Promise<void> {
  const accessPoint = network?.accessPoint;
  if (!accessPoint?.nextEvent) return;
  for (let count = 0; count < AT_ONCE; count += 1) {
    const event = signal?.aborted ? null : await accessPoint.nextEvent();
    if (!event) break;
    const { id: eventId, key: deliveryKey, reference, name, details } = event;
    const { name: source } = accessPoint;
    await keepEvent(db, { source, eventId, deliveryKey, reference, name, details });
    await event.acknowledge();
    log.info({ event: name, deliveryKey, reference }, 'the access point reports');
  }
  await forgetOld(db, KEPT_DAYS);
}

/** The reason why a document will not arrive, in Norwegian; null when no event says so. */
export async function findVerdict(db: Db, named: Named): Promise<string | null> {
  const event = await findLatest(db, named, VERDICTS);
  if (!event) return null;
  return [WORDS[event.name] ?? event.name, event.details].filter(Boolean).join(': ');
}

interface Sent {
  readonly companyId: number;
  readonly invoiceId: number;
  readonly deliveryId: number;
  readonly recipient: string;
}

interface EvidenceSource {
  /** Asks the access point for the proof. */
  readonly fetch: () => Promise<Evidence | null>;
  /** Reads our own document. */
  readonly findOurs: () => Promise<string | null>;
}

/**
 * Fetches and stores the access point's proof of a transmission, once. If the access point generated its own document, it
 * is compared with ours; a difference is reported in the log, the metrics and the invoice's history.
 */
export async function keepEvidence(
  { db, log }: Pick<Context, 'db' | 'log'>,
  { companyId, invoiceId, deliveryId, recipient }: Sent,
  { fetch, findOurs }: EvidenceSource,
): Promise<void> {
  if (await hasEvidence(db, { companyId, deliveryId })) return;
  const proof = await fetch();
  if (!proof) return;
  const { messageId, receivedBy, transmitted } = proof;
  const ours = transmitted ? await findOurs() : null;
  const differences =
    transmitted && ours !== null ? findDifferences(ours, Buffer.from(transmitted).toString()) : [];
  await db.transaction().execute(async (trx) => {
    const evidence = { companyId, deliveryId, messageId, receivedBy, transmitted, differences };
    const isKept = await insertEvidence(trx, evidence);
    if (!isKept || differences.length === 0) return;
    const reason = `Aksesspunktet sendte noe annet enn det som er registrert: ${differences.join('; ')}`;
    const details = { deliveryType: 'EHF' as const, recipient, reason };
    await recordEvents(trx, SYSTEM, [{ companyId, invoiceId, kind: 'SENT', details }]);
  });
  if (differences.length > 0) {
    log.error({ companyId, deliveryId, differences }, 'the access point sent another document');
  }
}

/** The elements that must be equal in our document and the transmitted one, by path. */
const COMPARED: Readonly<Record<string, string>> = {
  ID: 'number',
  IssueDate: 'issue date',
  DueDate: 'due date',
  'TaxTotal/TaxAmount': 'VAT',
  'TaxTotal/TaxSubtotal/TaxableAmount': 'sum without VAT of a rate',
  'TaxTotal/TaxSubtotal/TaxAmount': 'VAT of a rate',
  'LegalMonetaryTotal/TaxExclusiveAmount': 'sum without VAT',
  'LegalMonetaryTotal/TaxInclusiveAmount': 'sum with VAT',
  'LegalMonetaryTotal/PayableAmount': 'amount to pay',
  'PaymentMeans/PaymentID': 'KID',
  'PaymentMeans/PayeeFinancialAccount/ID': 'account',
  'AccountingSupplierParty/Party/EndpointID': 'seller',
  'AccountingCustomerParty/Party/EndpointID': 'buyer',
  'AccountingSupplierParty/Party/PartyTaxScheme/CompanyID': 'VAT number or Foretaksregisteret',
};
const IS_AMOUNT = /Amount$/;

/**
 * The differences between our document and one that an access point generated: in numbers, sums, KID, account and
 * Foretaksregisteret. Other elements may differ.
 */
function findDifferences(ours: string, theirs: string): string[] {
  const own = read(ours);
  const other = readOrNull(theirs);
  if (!other) return ['what was transmitted cannot be read'];
  return Object.entries(COMPARED).flatMap(([path, name]) => {
    const [expected, found] = [own.get(path), other.get(path)].map((values) =>
      (values ?? []).toSorted().join(', '),
    );
    return expected === found ? [] : [`${name}: ${expected || 'none'} became ${found || 'none'}`];
  });
}

function readOrNull(xml: string): Map<string, string[]> | null {
  try {
    return read(xml);
  } catch {
    return null;
  }
}

/** The texts of the compared elements, by path below the root. @throws Error when it is no XML */
function read(xml: string): Map<string, string[]> {
  const values = new Map<string, string[]>();
  readXml(xml, ({ path, text }) => {
    const name = path.slice(1).join('/');
    if (!Object.hasOwn(COMPARED, name)) return;
    const value = IS_AMOUNT.test(name) ? Number(text).toFixed(2) : text;
    values.set(name, [...(values.get(name) ?? []), value]);
  });
  return values;
}
