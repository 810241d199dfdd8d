import { AsyncLocalStorage } from 'node:async_hooks';

import type { FastifyBaseLogger } from 'fastify';
import { pino, stdSerializers, type DestinationStream, type Logger as PinoLogger } from 'pino';

import { rootCause } from './outside-error.ts';

export type Logger = FastifyBaseLogger;

interface Work {
  readonly requestId: string;
  /** The API call being answered; absent in the background. */
  readonly call?: Call;
  /** The company whose mails a job sends. */
  readonly mailsOf?: number;
}

/**
 * The calling company, once known. 'look-up' is the batched query that finds the callers of many calls.
 *
 * @public profile.repository.ts adds how the caller is judged again
 */
export interface Call {
  companyId: number | 'look-up' | null;
  /** Aborted when nobody waits for the answer: work without effects may stop. */
  signal?: AbortSignal;
}

/** The request of the current work, for the log lines and jobs that it causes. */
export const requestContext = new AsyncLocalStorage<Work>();

/** The product's logger: JSON lines, without cookies, codes or tokens; to stdout by default. */
export function createLog(config: { readonly logLevel: string }, stream = openLogStream()): Logger {
  const options = {
    level: config.logLevel,
    // Adds the request to the lines of its effects, including its jobs. Fastify adds it to its own lines.
    mixin: (_: object, __: number, logger: PinoLogger) =>
      'requestId' in logger.bindings() ? {} : { requestId: requestContext.getStore()?.requestId },
    serializers: {
      // The query may contain a token, as in mailed links and unsubscribing.
      req: (request: { method: string; url: string; ip: string }) => ({
        method: request.method,
        path: pathOf(request.url),
        ip: request.ip,
      }),
      err: describeError,
      // Reasons may quote external services.
      reason: withoutEmails,
    },
  };
  return pino(options, stream);
}

/** The path of a URL, without the token of a shared link (EXP-12, OVER-10, PORT-2), however it is written. */
function pathOf(url: string): string {
  const [path = ''] = url.split('?', 1);
  return withoutShared(path);
}

/** The first words of the paths of links, in which any letter may be percent-encoded, and slashes repeated. */
const LINKS = [
  ['delt'],
  ['kunde'],
  ['tilbud'],
  ['api', 'shared'],
  ['api', 'portal'],
  ['api', 'offers'],
] as const;
const SLASH = '(?:/|%2f)+';
const SHARED = LINKS.map((words) => ({
  pattern: new RegExp(`${SLASH}${words.map(written).join(SLASH)}${SLASH}.*`, 'gi'),
  shown: `/${words.join('/')}/…`,
}));

/** A pattern of a word however its letters are encoded. */
function written(word: string): string {
  return word
    .split('')
    .map((letter) => {
      const codes = [letter, letter.toUpperCase()].map((one) => one.charCodeAt(0).toString(16));
      return `(?:${letter}|%${codes.join('|%')})`;
    })
    .join('');
}

/** A text with the path of a shared link in it, without its token. */
export function withoutShared(text: string): string {
  return SHARED.reduce((rest, { pattern, shown }) => rest.replaceAll(pattern, shown), text);
}

/** Logged beside type, message and stack: codes and names, never values. */
const LOGGED_PROPERTIES = ['code', 'statusCode', 'responseCode', 'table', 'constraint'] as const;

/** An error for the log, without user data: databases add parameters and rows to errors, mail servers add addresses. */
export function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { message: withoutEmails(rootCause(error).message) };
  const { type, message, stack, raw } = stdSerializers.err(error);
  const described: Record<string, unknown> = {
    type,
    message: withoutEmails(message || rootCause(error).message),
  };
  for (const name of LOGGED_PROPERTIES) {
    const value = (raw as unknown as Record<string, unknown>)[name];
    if (value !== undefined) described[name] = value;
  }
  return { ...described, stack: withoutEmails(stack) };
}

/** Does not match file paths with an @, such as `name@1.0.0`. */
const EMAIL = /[^\s<>@/:"'()]+@[\p{L}\p{N}.-]+\.\p{L}{2,}/gu;

/** Removes e-mail addresses from a text: mail servers quote the recipient. */
export function withoutEmails(text: string): string {
  return text.replaceAll(EMAIL, '…@…');
}

/** Largest amount of unwritten lines on a full disk; further lines are dropped (bytes). */
const WAITING_MAX = 16_000_000;

/** So many bytes are written at once, or what has waited so long (milliseconds): a writing costs a tenth of a call. */
const WRITTEN_AT_ONCE = 4096;
const WAITING = 50;

/** Streams whose last line could not be written. */
const failing = new Set<{ destroy(): void }>();

// On exit SonicBoom writes waiting lines until they are written: on a full disk that never ends.
process.prependListener('exit', () => {
  for (const stream of failing) stream.destroy();
});

/**
 * The stream of the log. A full disk does not end the process: unwritten lines wait for the next line, and the newest
 * are dropped when too many wait. Waiting lines are written when the process ends, possibly before lines still in
 * progress.
 */
function openLogStream(): DestinationStream {
  const stream = pino.destination({
    dest: 1,
    sync: false,
    minLength: WRITTEN_AT_ONCE,
    maxLength: WAITING_MAX,
  });
  let timer: NodeJS.Timeout | undefined;
  const flush = () => {
    timer = undefined;
    stream.flush();
  };
  const flushSoon = () => {
    timer ??= setTimeout(flush, WAITING).unref();
  };
  stream.on('error', () => failing.add(stream));
  stream.on('write', () => {
    // A flush after a failure writes only what failed; the lines behind it need another.
    if (failing.delete(stream)) flushSoon();
  });
  const write = (line: string) => {
    stream.write(line);
    flushSoon();
  };
  return { write };
}
