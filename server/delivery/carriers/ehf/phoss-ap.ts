import { z } from 'zod';

import {
  type AccessPoint,
  type Handover,
  type Outgoing,
  type TransmissionStatus,
  callAccessPoint,
  jsonOf,
  textOf,
} from './access-point.ts';
import { DOCUMENT_TYPES, PROCESS, participantOf } from './participant.ts';

/** Sending is synchronous: it looks up, transmits and answers (milliseconds). */
export const PHOSS_AP_TIME_LIMIT = 120_000;
const STATUS_LIMIT = 30_000;
/** The seller's country, which Peppol's envelope must name (SBDH 2.0). */
const COUNTRY = 'NO';

const report = z.object({ overallSuccess: z.boolean() });
const statusAnswer = z.object({
  status: z.enum(['pending', 'sending', 'failed', 'sent', 'rejected', 'permanently_failed']),
  errorDetails: z.string().nullish(),
  mlsStatus: z.string().nullish(),
  as4MessageId: z.string().nullish(),
});

/**
 * phoss-ap (github.com/phax/phoss-ap), run by the operator. It sends our bytes unchanged. A second POST with the same id
 * sends a second time, so the status is asked for before each later POST.
 */
export function createPhossAp({ url, token }: { url: string; token: string }): AccessPoint {
  const headers = { 'X-Token': token };
  return {
    name: 'phoss-ap',
    knowsKeys: false,
    timeLimit: PHOSS_AP_TIME_LIMIT,

    async send(document: Outgoing): Promise<Handover> {
      const path = [
        participantOf(document.sender),
        participantOf(document.receiver),
        DOCUMENT_TYPES[document.type],
        PROCESS,
        COUNTRY,
      ].map(encodeURIComponent);
      const called = await callAccessPoint(
        `${url}/api/outbound/submit/${path.join('/')}?sbdhInstanceID=${document.key}`,
        {
          method: 'POST',
          headers: { ...headers, 'Content-Type': 'application/xml' },
          body: Buffer.from(document.xml),
          timeLimit: PHOSS_AP_TIME_LIMIT,
        },
      );
      if (called.kind !== 'answer') return called;
      const { status, body } = called;
      if (status === 200) {
        // The report is about this attempt; the status is about the document.
        return report.safeParse(jsonOf(body)).success
          ? { kind: 'accepted', reference: document.key }
          : { kind: 'unknown', reason: textOf(body), retryAfter: null };
      }
      if (status === 400) return { kind: 'refused', reason: textOf(body) };
      if (status === 404) return { kind: 'blocked', reason: 'Sending is turned off' };
      // 422 reports a failed attempt, which phoss-ap may still retry with success.
      return { kind: 'unknown', reason: `${status} ${textOf(body)}`, retryAfter: null };
    },

    async status({ key }): Promise<TransmissionStatus> {
      const called = await callAccessPoint(
        `${url}/api/outbound/status/${key}?includeArchive=true`,
        { headers, timeLimit: STATUS_LIMIT },
      );
      if (called.kind !== 'answer') return called;
      const { status, body } = called;
      if (status === 404) return { kind: 'absent' };
      const answer = statusAnswer.safeParse(jsonOf(body));
      if (status !== 200 || !answer.success) {
        return { kind: 'unknown', reason: `${status} ${textOf(body)}`, retryAfter: null };
      }
      return readStatus(answer.data);
    },
  };
}

function readStatus({
  status,
  errorDetails,
  mlsStatus,
  as4MessageId,
}: z.output<typeof statusAnswer>): TransmissionStatus {
  const reason = errorDetails ?? status;
  switch (status) {
    case 'sent':
      // The receiver's provider could not pass it on (Peppol MLS, response code RE).
      if (mlsStatus === 'received_re') return { kind: 'failed', reason: errorDetails ?? 'MLS: RE' };
      return {
        kind: 'delivered',
        fetchEvidence: async () =>
          Promise.resolve({
            messageId: as4MessageId ?? null,
            receivedBy: null,
            transmitted: null,
          }),
      };
    case 'rejected':
    case 'permanently_failed':
      return { kind: 'failed', reason };
    default:
      // 'failed' is about an attempt; phoss-ap retries.
      return { kind: 'underway' };
  }
}
