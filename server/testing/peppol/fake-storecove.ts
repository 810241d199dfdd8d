import { randomUUID } from 'node:crypto';

import { z } from 'zod';

import {
  serveAccessPoint,
  type FakeAccessPoint,
  type Request,
  type Respond,
  type Transmission,
} from './fake-access-point.ts';

const submission = z.strictObject({
  legalEntityId: z.number().int(),
  idempotencyGuid: z.uuid(),
  routing: z.strictObject({
    eIdentifiers: z
      .array(z.strictObject({ scheme: z.literal('NO:ORG'), id: z.string().regex(/^\d{9}$/) }))
      .length(1),
  }),
  document: z.strictObject({
    documentType: z.literal('invoice'),
    rawDocumentData: z.strictObject({ document: z.base64(), parseStrategy: z.literal('ubl') }),
  }),
});

interface Submitted {
  readonly document: Transmission;
  state: 'waiting' | 'sent' | 'ended';
}

export interface FakeStorecove extends FakeAccessPoint {
  readonly entity: string;
  /** Faults that a submission to a receiver returns at once. */
  readonly invalid: Map<string, string>;
  /** Submissions by Storecove's guid. */
  readonly submitted: Map<string, Submitted>;
  /** Events that are not yet acknowledged. */
  readonly events: { guid: string; body: string }[];
  /** The number of downloads of transmitted documents. */
  downloads: number;
  /** Changes a document, as Storecove regenerates it. */
  regenerate: (xml: string) => string;
  /** Transmits the waiting documents, with an event for each. */
  transmit(): void;
  /** Ends the waiting documents without sending them. */
  fail(event: 'failed' | 'no_action_taken', details: string): void;
}

/**
 * Behaves like Storecove according to its contract and three adapters. It answers 422 for a used key, has evidence
 * only after sending, delivers one event at a time with a JSON string as body, and regenerates the document.
 */
export async function startFakeStorecove(): Promise<FakeStorecove> {
  const state: State = { invalid: new Map(), submitted: new Map(), events: [], keys: new Set() };
  const point = await serveAccessPoint((self) => (request, answer) => {
    const { method, url, headers } = request;
    const [api, , subject = '', guid = '', detail] = url.pathname.split('/').filter(Boolean);
    // The pre-signed address of the storage behind Storecove, which refuses the API key.
    if (api === 'presigned') {
      fake.downloads += 1;
      const name = url.pathname.split('/').at(-1) ?? '';
      const found = headers.authorization ? undefined : state.submitted.get(name);
      return found ? answer(200, fake.regenerate(found.document.xml)) : answer(403);
    }
    if (headers.authorization !== `Bearer ${self.token}`) return answer(401);
    switch (`${method} ${subject}`) {
      case 'POST document_submissions':
        return submit(state, request, answer);
      case 'GET document_submissions':
        return detail === 'evidence' ? tellEvidence(state, self.url, guid, answer) : answer(404);
      case 'GET webhook_instances':
        return state.events[0] ? answer(200, state.events[0]) : answer(204);
      case 'DELETE webhook_instances':
        return acknowledge(state, guid, answer);
      default:
        return answer(404);
    }
  });
  const { invalid, submitted, events } = state;
  const fake: FakeStorecove = Object.assign(point, {
    entity: ENTITY,
    invalid,
    submitted,
    events,
    downloads: 0,
    regenerate: (xml: string) => xml,
    transmit: () => {
      for (const { document } of end(state, 'sent', 'succeeded', '')) {
        point.transmissions.push(document);
      }
    },
    fail: (event: string, details: string) => {
      end(state, 'ended', event, details);
    },
  });
  return fake;
}

const ENTITY = '4711';

interface State extends Pick<FakeStorecove, 'invalid' | 'submitted' | 'events'> {
  readonly keys: Set<string>;
}

function submit({ invalid, keys, submitted }: State, { body }: Request, answer: Respond): void {
  const given = submission.safeParse(JSON.parse(body.toString('utf8')));
  if (!given.success) {
    return answer(422, [{ source: 'document', details: z.prettifyError(given.error) }]);
  }
  const { idempotencyGuid: key, legalEntityId, routing, document } = given.data;
  if (String(legalEntityId) !== ENTITY) return answer(403);
  if (keys.has(key)) {
    return answer(422, [{ source: 'idempotencyGuid', details: 'has already been taken' }]);
  }
  const receiver = routing.eIdentifiers[0]?.id ?? '';
  const fault = invalid.get(receiver);
  if (fault) return answer(422, [{ source: 'document', details: fault }]);
  const guid = randomUUID();
  keys.add(key);
  const xml = Buffer.from(document.rawDocumentData.document, 'base64').toString('utf8');
  const sent = { key, sender: ENTITY, receiver, documentType: document.documentType, xml };
  submitted.set(guid, { document: sent, state: 'waiting' });
  return answer(200, { guid });
}

function tellEvidence({ submitted }: State, url: string, guid: string, answer: Respond): void {
  const found = submitted.get(guid);
  if (found?.state !== 'sent') return answer(404);
  return answer(200, {
    evidence: { message_id: `${found.document.key}@as4`, receiving_accesspoint: 'PNO000001' },
    document: `${url}/presigned/${guid}`,
  });
}

function acknowledge({ events }: State, guid: string, answer: Respond): void {
  const index = events.findIndex((event) => event.guid === guid);
  if (index < 0) return answer(404);
  events.splice(index, 1);
  return answer(204);
}

/** Ends the waiting documents, with an event for each. */
function end(
  { submitted, events }: State,
  state: 'sent' | 'ended',
  event: string,
  details: string,
): Submitted[] {
  const waiting = [...submitted].filter(([, each]) => each.state === 'waiting');
  for (const [guid, each] of waiting) {
    each.state = state;
    const { key: idempotencyGuid } = each.document;
    const body = { event_type: 'document_submission', event, guid, idempotencyGuid, details };
    events.push({ guid: randomUUID(), body: JSON.stringify(body) });
  }
  return waiting.map(([, each]) => each);
}
