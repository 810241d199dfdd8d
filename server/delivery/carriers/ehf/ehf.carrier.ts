import {
  getCustomerEhf as getCustomerEhfEndpoint,
  getEhfAgreement,
  requestEhfAgreement,
} from '../../../../domain/ehf/ehf.endpoints.ts';
import { isValidOrgNumber } from '../../../../domain/parties.ts';
import type { Config } from '../../../config.ts';
import type { Context } from '../../../context.ts';
import {
  ehfToSend,
  findKeptEhf,
  isReminder,
  type InvoiceWithFiles,
} from '../../../document/document-file.service.ts';
import { getAgreement, requestAgreement } from './ehf-agreement.service.ts';
import { route } from '../../../platform/http/route.ts';
import { deliverEhfJob } from '../../../platform/jobs/jobs.ts';
import { OutsideError } from '../../../platform/log/outside-error.ts';
import type { AccessPoint, Evidence, Handover, TransmissionStatus } from './access-point.ts';
import { fetchEvents, findVerdict, keepEvidence } from './transmission.service.ts';
import { findActiveAgreements, findReference } from './ehf.repository.ts';
import { ACCESS_POINT_TIME_LIMITS, type PeppolNetwork } from './network.ts';
import type { Absent, Answer, CarriedDelivery, Carrier, HandOver, Trouble } from '../../carrier.ts';
import {
  countQueueable,
  findDraftObstacles,
  getCustomerEhf,
  lookUpReceivers,
} from './reachability.service.ts';

const PLACES = 4;
/** Waits between the tries of a job (seconds); each is up to twice the previous one, without an end. */
const FIRST_WAIT = 5;
const LONGEST_WAIT = 3600;
/** Time until the access point is asked about a document that it has just accepted (seconds). */
const PATIENCE = 60;
/** Time for asking after the hand-over (milliseconds). */
const AROUND = 60_000;
/**
 * How long after the time limit an access point without keys may still work on a call that we gave up (seconds). Only
 * after that does its answer 'unknown document' mean that the document can be handed over again.
 */
const SETTLING = 60;
const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const NO_AGREEMENT = {
  code: 'ehf_not_agreed',
  reason: 'Bedriften har ingen gyldig utstederavtale for EHF',
} as const;
const OTHER_BUYER = 'Fakturaen er utstedt til et annet organisasjonsnummer';
const CANNOT_RECEIVE = 'Kunden kan ikke motta EHF';
/** Precedes the access point's own text, which is in English. */
const REJECTED = 'Aksesspunktet avviste dokumentet: ';
const NO_ANSWER = 'Aksesspunktet for EHF svarer ikke';
const BLOCKED = 'Aksesspunktet for EHF tar ikke imot fra oss. Vi har fått beskjed om feilen.';

/**
 * Sends documents as EHF through the operator's access point. An accepted document is under way, and polled, until the
 * receiver's access point has confirmed it. Only a refusal of the document is a failure (EHF-11; decision 22).
 */
export const ehfCarrier: Carrier = {
  type: 'EHF',
  job: deliverEhfJob,
  isOn: ({ ehf }) => ehf !== null,
  limits: (config) => ({
    places: PLACES,
    timeout: timeLimitOf(config) + AROUND,
    firstWait: FIRST_WAIT,
    longestWait: LONGEST_WAIT,
    tries: Infinity,
    excusedTries: Infinity,
  }),
  addressOf: ({ orgNumber }) =>
    orgNumber !== null && isValidOrgNumber(orgNumber) ? orgNumber : null,
  isAddressInDocument: true,
  withoutAddress: 'recipient_without_org_number',
  findDraftObstacles,
  lookUp: lookUpReceivers,
  countQueueable,
  keyOf: (_, { uuid }) => uuid,
  async findObstacles(db, deliveries) {
    const companyIds = [...new Set(deliveries.map(({ companyId }) => companyId))];
    const agreements = await findActiveAgreements(db, companyIds);
    return deliveries.map(({ companyId }) => (agreements.has(companyId) ? null : NO_AGREEMENT));
  },
  prepare(context, delivery, contents) {
    if (isReminder(contents)) throw new Error('EHF has no reminders');
    return prepare(context, delivery, contents);
  },
  ask,
  routes(app, context) {
    route(app, getEhfAgreement, async ({ actor }) => getAgreement(context, actor));
    route(app, requestEhfAgreement, async ({ actor }) => requestAgreement(context, actor));
    route(app, getCustomerEhfEndpoint, async ({ actor, params }) =>
      getCustomerEhf(context, actor, params.customerNumber),
    );
  },
};

function timeLimitOf({ ehf }: Config): number {
  return ehf === null ? 0 : ACCESS_POINT_TIME_LIMITS[ehf.accessPoint];
}

function networkOf({ network }: Context): Pick<PeppolNetwork, 'lookup'> & {
  readonly accessPoint: AccessPoint;
} {
  if (!network?.accessPoint) throw new Error('There is no access point');
  return { lookup: network.lookup, accessPoint: network.accessPoint };
}

async function prepare(
  context: Context,
  delivery: CarriedDelivery,
  invoice: InvoiceWithFiles,
): Promise<HandOver> {
  const { lookup, accessPoint } = networkOf(context);
  const { companyId, recipient: receiver, carrierKey: key } = delivery;
  const { document } = invoice;
  const sender = document.seller.orgNumber;
  const reachability = await lookup(receiver, document.kind, { whose: companyId });
  return async () => {
    const agreement = (await findActiveAgreements(context.db, [companyId])).get(companyId);
    // An invoice from before the company changed its number is not sent in the name of the old one.
    if (agreement?.orgNumber !== sender) return refused(NO_AGREEMENT.reason);
    if (document.buyer.orgNumber !== receiver) return refused(OTHER_BUYER);
    const xml = ehfToSend(invoice);
    if (!xml) return refused('EHF kan ikke lages av dette dokumentet');
    if (reachability.kind === 'not-registered' || reachability.kind === 'format-unsupported') {
      return refused(CANNOT_RECEIVE);
    }
    // Unknown is not no: the access point looks for itself.
    const { entity } = agreement;
    const type = document.kind;
    const handover = await accessPoint.send({ key, xml, type, sender, receiver, entity });
    return afterHandover(context, delivery, accessPoint, handover);
  };
}

async function afterHandover(
  context: Context,
  delivery: CarriedDelivery,
  accessPoint: AccessPoint,
  handover: Handover,
): Promise<Answer> {
  if (handover.kind === 'refused') return refused(REJECTED + handover.reason);
  if (handover.kind === 'blocked') return blocked(handover.reason);
  const reference = handover.kind === 'accepted' ? handover.reference : null;
  const asked = await accessPoint.status({ key: delivery.carrierKey, reference });
  const answer = await fromStatus(context, { ...delivery, carrierReference: reference }, asked);
  // A document that was, or may have been, just handed over is not absent: the access point has not processed it yet.
  if (answer.kind !== 'ABSENT' && answer.kind !== 'BLOCKED' && answer.kind !== 'UNKNOWN') {
    return answer;
  }
  if (handover.kind === 'accepted') return { kind: 'UNDER_WAY', reference, askAgain: PATIENCE };
  return unknown(handover.reason, pauseAfter(accessPoint, handover.retryAfter));
}

function pauseAfter({ knowsKeys, timeLimit }: AccessPoint, retryAfter: number | null): number {
  const settled = knowsKeys ? PATIENCE : timeLimit / 1000 + SETTLING;
  return Math.max(retryAfter ?? 0, settled);
}

async function ask(context: Context, delivery: CarriedDelivery): Promise<Answer | Absent> {
  const { accessPoint } = networkOf(context);
  const { carrierKey: key } = delivery;
  // Its reference was in an answer that was lost; its events contain it too.
  if (delivery.carrierReference === null) await fetchEvents(context);
  const reference = delivery.carrierReference ?? (await findReference(context.db, key));
  const verdict = await findVerdict(context.db, { key, reference });
  if (verdict !== null) return refused(verdict);
  const status = await accessPoint.status({ key, reference });
  return fromStatus(context, { ...delivery, carrierReference: reference }, status);
}

async function fromStatus(
  context: Context,
  delivery: CarriedDelivery,
  status: TransmissionStatus,
): Promise<Answer | Absent> {
  const { carrierReference: reference, sentTime } = delivery;
  switch (status.kind) {
    case 'absent':
      return { kind: 'ABSENT', mayHaveArrived: networkOf(context).accessPoint.knowsKeys };
    case 'underway':
      return {
        kind: 'UNDER_WAY',
        reference,
        askAgain: sentTime ? askAgainAfter(sentTime) : undefined,
      };
    case 'delivered':
      await keep(context, delivery, status.fetchEvidence);
      return { kind: 'ACCEPTED', reference, askAgain: askAgainAfter(sentTime) };
    case 'failed':
      return refused(REJECTED + status.reason);
    case 'blocked':
      return blocked(status.reason);
    default:
      return unknown(status.reason, status.retryAfter ?? undefined);
  }
}

async function keep(
  context: Context,
  { companyId, invoiceId, id: deliveryId, recipient }: CarriedDelivery,
  fetch: () => Promise<Evidence | null>,
): Promise<void> {
  const sent = { companyId, invoiceId, deliveryId, recipient };
  const findOurs = async () => findKeptEhf(context, companyId, invoiceId);
  await keepEvidence(context, sent, { fetch, findOurs });
}

/**
 * The time until a sent document is polled again for a late refusal (seconds): after 1, 5 and 30 minutes, hourly for a
 * day, daily for a week, then never.
 */
function askAgainAfter(sentTime: Date | null): number | undefined {
  const since = sentTime === null ? 0 : (Date.now() - sentTime.getTime()) / 1000;
  const due = [MINUTE, 5 * MINUTE, 30 * MINUTE].find((at) => at > since);
  if (due !== undefined) return due - since;
  if (since < DAY) return HOUR;
  return since < 7 * DAY ? DAY : undefined;
}

function refused(reason: string): Trouble {
  const advice = 'a verdict on this document: its seller is told';
  return { kind: 'REFUSED', reason, error: new OutsideError(reason, { advice }) };
}

function blocked(reason: string): Trouble {
  const advice = 'look at ACCESS_POINT_TOKEN, the quota and the agreement with the access point';
  const error = new OutsideError(reason, { advice, isUrgent: true });
  return { kind: 'BLOCKED', reason: BLOCKED, error };
}

function unknown(reason: string, askAgain: number | undefined): Trouble {
  const advice = 'the access point is asked again, for as long as it takes';
  return {
    kind: 'UNKNOWN',
    reason: NO_ANSWER,
    error: new OutsideError(reason, { advice }),
    askAgain,
  };
}
