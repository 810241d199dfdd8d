import {
  serveAccessPoint,
  type FakeAccessPoint,
  type Request,
  type Respond,
  type Transmission,
} from './fake-access-point.ts';

type State = 'pending' | 'sending' | 'failed' | 'sent' | 'rejected' | 'permanently_failed';

interface Stored {
  status: State;
  errorDetails: string | null;
  mlsStatus: string;
  attempts: number;
}

export interface FakePhossAp extends FakeAccessPoint {
  /** The results of the next attempts, by the receiver's organisation number. The default is sent. */
  readonly outcomes: Map<string, 'retried' | 'not-registered' | 'nothing-stored'>;
  /** Transmissions by the id of the envelope. */
  readonly stored: Map<string, Stored>;
  /** Transmits the failed documents, as the retries of phoss-ap do. */
  retry(): void;
}

/**
 * Behaves like the sources of phoss-ap of 2026-08-20. A second post with the same id sends the document again. A
 * failed attempt is answered with 422 and delivered later. Ended transmissions are only in the archive.
 */
export async function startFakePhossAp(): Promise<FakePhossAp> {
  const outcomes: FakePhossAp['outcomes'] = new Map();
  const stored: FakePhossAp['stored'] = new Map();
  const waiting = new Map<string, Transmission>();
  const fake = await serveAccessPoint((self) => (request, answer) => {
    const { method, url, headers } = request;
    if (headers['x-token'] !== self.token) return answer(401, { error: 'Unauthorized' });
    if (method === 'GET') return tellStatus(stored, url, answer);
    const document = readSubmission(request);
    if (document === null) return answer(404);
    if (!ORGANISATION.test(document.receiver)) return answer(400, 'Invalid receiver');
    const outcome = outcomes.get(document.receiver);
    if (outcome === 'nothing-stored') return answer(422, 'The document could not be stored');
    const attempts = (stored.get(document.key)?.attempts ?? 0) + 1;
    if (outcome === undefined) {
      self.transmissions.push(document);
      stored.set(document.key, { ...SENT, attempts });
      return answer(200, { overallSuccess: true, sbdhInstanceIdentifier: document.key });
    }
    const failure = FAILURES[outcome];
    stored.set(document.key, { ...failure, attempts });
    if (outcome === 'retried') waiting.set(document.key, document);
    return answer(422, {
      overallSuccess: false,
      sendingException: { message: failure.errorDetails },
    });
  });
  const retry = () => {
    for (const [key, document] of waiting) {
      fake.transmissions.push(document);
      stored.set(key, { ...SENT, attempts: 2 });
    }
    waiting.clear();
  };
  return Object.assign(fake, { outcomes, stored, retry });
}

const ORGANISATION = /^\d{9}$/;
const SENT = { status: 'sent', errorDetails: null, mlsStatus: 'pending' } as const;
const FAILURES = {
  retried: { status: 'failed', errorDetails: 'Connection reset', mlsStatus: 'not_applicable' },
  'not-registered': {
    status: 'permanently_failed',
    errorDetails: 'Receiver is not registered in the SML',
    mlsStatus: 'not_applicable',
  },
} as const;

function tellStatus(stored: FakePhossAp['stored'], url: URL, answer: Respond): void {
  const key = /^\/api\/outbound\/status\/([^/]+)$/.exec(url.pathname)?.[1] ?? '';
  const found = stored.get(key);
  const isArchived = found && ['sent', 'rejected', 'permanently_failed'].includes(found.status);
  if (!found || (isArchived && url.searchParams.get('includeArchive') !== 'true')) {
    answer(404);
    return;
  }
  const { attempts: attemptCount, ...status } = found;
  answer(200, { sbdhInstanceID: key, attemptCount, nextRetryDT: null, ...status });
}

/** POST /api/outbound/submit/{sender}/{receiver}/{document type}/{process}/{country}; null for all else. */
function readSubmission({ method, url, headers, body }: Request): Transmission | null {
  const [, api, outbound, submit, ...names] = url.pathname.split('/').map(decodeURIComponent);
  const [sender = '', receiver = '', documentType = '', process, country] = names;
  const key = url.searchParams.get('sbdhInstanceID');
  const isSubmit = `${method} ${api}/${outbound}/${submit}` === 'POST api/outbound/submit';
  const isXml = headers['content-type'] === 'application/xml';
  if (!isSubmit || !isXml || !process?.startsWith('cenbii-procid-ubl::')) return null;
  if (country !== 'NO' || key === null) return null;
  const organisation = receiver.replace('iso6523-actorid-upis::0192:', '');
  return { key, sender, receiver: organisation, documentType, xml: body.toString('utf8') };
}
