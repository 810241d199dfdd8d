import { z } from 'zod';

import {
  type AccessPoint,
  type Evidence,
  type Handover,
  type NetworkEvent,
  type Outgoing,
  type TransmissionStatus,
  callAccessPoint,
  jsonOf,
  textOf,
  type Called,
} from './access-point.ts';

/** Time limit of a call (milliseconds). */
export const STORECOVE_TIME_LIMIT = 60_000;
/** Storecove's scheme for Norwegian organisation numbers. */
const ORGANISATION = 'NO:ORG';

const submitted = z.object({ guid: z.string() });
const faults = z.array(z.object({ source: z.string().nullish(), details: z.string() }));
const evidenceAnswer = z.object({
  evidence: z
    .object({ message_id: z.string().nullish(), receiving_accesspoint: z.string().nullish() })
    .nullish(),
  document: z.url().nullish(),
});
const instance = z.object({ guid: z.string(), body: z.string() });
const eventBody = z.object({
  event_type: z.string(),
  event: z.string(),
  guid: z.string().nullish(),
  idempotencyGuid: z.string().nullish(),
  details: z.string().nullish(),
});

/**
 * Storecove (api.storecove.com, v2). It parses our document and generates its own, so the transmitted one is fetched as
 * evidence. It refuses a known key with 422, which means that it already has the document.
 */
export function createStorecove({ url, token }: { url: string; token: string }): AccessPoint {
  const call = caller(url, token);

  return {
    name: 'storecove',
    knowsKeys: true,
    timeLimit: STORECOVE_TIME_LIMIT,

    async send(document: Outgoing): Promise<Handover> {
      if (document.entity === null) {
        return { kind: 'blocked', reason: 'The seller has no legal entity with Storecove' };
      }
      const called = await call('/document_submissions', {
        method: 'POST',
        body: JSON.stringify(submissionOf(document, document.entity)),
      });
      if (called.kind !== 'answer') return called;
      const { status, body } = called;
      const json = jsonOf(body);
      if (status === 200) {
        const answer = submitted.safeParse(json);
        return { kind: 'accepted', reference: answer.success ? answer.data.guid : null };
      }
      if (status === 422) return readFaults(json, textOf(body));
      return { kind: 'blocked', reason: `${status} ${textOf(body)}` };
    },

    // It cannot be asked by our key. The document is sent again with the same key, which transmits it only once.
    status: async ({ reference }) =>
      reference === null ? { kind: 'absent' } : askForEvidence(call, reference),

    nextEvent: async () => fetchNext(call),
  };
}

type Call = (path: string, init?: RequestInit) => Promise<Called>;

function caller(url: string, token: string): Call {
  return async (path, init = {}) =>
    callAccessPoint(`${url}/api/v2${path}`, {
      ...init,
      headers: {
        Authorization: `Bearer ${token}`,
        Accept: 'application/json',
        ...(init.body !== undefined && { 'Content-Type': 'application/json' }),
      },
      timeLimit: STORECOVE_TIME_LIMIT,
    });
}

/** There is no evidence until the document was transmitted; a failure comes as an event. */
async function askForEvidence(call: Call, reference: string): Promise<TransmissionStatus> {
  const called = await call(`/document_submissions/${reference}/evidence/sending`);
  if (called.kind !== 'answer') return called;
  const { status, body } = called;
  if (status === 404) return { kind: 'underway' };
  const answer = evidenceAnswer.safeParse(jsonOf(body));
  if (status !== 200 || !answer.success) {
    return { kind: 'unknown', reason: `${status} ${textOf(body)}`, retryAfter: null };
  }
  return { kind: 'delivered', fetchEvidence: async () => fetchEvidence(answer.data) };
}

/** Events come one at a time, until each is acknowledged. */
async function fetchNext(call: Call): Promise<NetworkEvent | null> {
  const called = await call('/webhook_instances/');
  if (called.kind !== 'answer' || called.status !== 200) return null;
  const waiting = instance.safeParse(jsonOf(called.body));
  if (!waiting.success) return null;
  const { guid: id, body } = waiting.data;
  const acknowledge = async () => {
    await call(`/webhook_instances/${id}`, { method: 'DELETE' });
  };
  const event = eventBody.safeParse(jsonOf(Buffer.from(body)));
  if (!event.success) {
    const details = body.slice(0, 500);
    return { id, key: null, reference: null, name: 'unreadable', details, acknowledge };
  }
  const { idempotencyGuid: key = null, guid: reference = null, event: name, details } = event.data;
  return { id, key, reference, name, details: details ?? '', acknowledge };
}

function submissionOf(document: Outgoing, entity: string): object {
  return {
    legalEntityId: Number(entity),
    idempotencyGuid: document.key,
    routing: { eIdentifiers: [{ scheme: ORGANISATION, id: document.receiver }] },
    document: {
      documentType: 'invoice',
      rawDocumentData: {
        document: Buffer.from(document.xml).toString('base64'),
        parseStrategy: 'ubl',
      },
    },
  };
}

function readFaults(json: unknown, text: string): Handover {
  const said = faults.safeParse(json);
  // An unreadable answer is no verdict.
  if (!said.success) return { kind: 'unknown', reason: text, retryAfter: null };
  const isKnown = said.data.some(({ source, details }) =>
    /idempotency/i.test(`${source ?? ''} ${details}`),
  );
  if (isKnown) return { kind: 'accepted', reference: null };
  return { kind: 'refused', reason: said.data.map(({ details }) => details).join('; ') };
}

/**
 * The transmitted document is at a pre-signed URL that expires; send no token. Null when it cannot be
 * fetched now: the status is asked for again.
 */
async function fetchEvidence({
  evidence,
  document,
}: z.output<typeof evidenceAnswer>): Promise<Evidence | null> {
  const proof = {
    messageId: evidence?.message_id ?? null,
    receivedBy: evidence?.receiving_accesspoint ?? null,
  };
  if (!document) return { ...proof, transmitted: null };
  const { protocol, hostname } = new URL(document);
  if (protocol !== 'https:' && hostname !== '127.0.0.1') return { ...proof, transmitted: null };
  const called = await callAccessPoint(document, { timeLimit: STORECOVE_TIME_LIMIT });
  if (called.kind !== 'answer' || called.status !== 200) return null;
  return { ...proof, transmitted: called.body };
}
