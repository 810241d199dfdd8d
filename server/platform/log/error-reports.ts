import { PRIVATE_ATTRIBUTE, TRACE_RATE } from '../../../domain/error-reports.ts';
import { AppError } from '../../errors.ts';
import { withoutEmails, withoutShared } from './log.ts';

/** Reports internal errors to Sentry, in addition to the log. */
export interface ErrorReports {
  /** Reports an error with its request or job. Never throws. */
  report(error: unknown, tags: Readonly<Record<string, string>>): void;
  /** Sends waiting reports. */
  close(): Promise<void>;
}

const FLUSH_TIMEOUT = 2_000;

/** Sentry's default data that may contain personal data or secrets. */
const COLLECTED = {
  userInfo: false,
  cookies: false,
  httpHeaders: false,
  httpBodies: [],
  urlQueryParams: false,
  databaseQueryData: false,
  queues: false,
  stackFrameVariables: false,
};

const NOWHERE: ErrorReports = { report: () => undefined, close: async () => undefined };

/**
 * Starts reporting to Sentry if the settings have a DSN; otherwise nothing is loaded or sent. Cookies, bodies, e-mail
 * addresses, variables and query strings are never sent: they may contain tokens.
 */
export async function openErrorReports(config: {
  readonly sentryDsn: string | null;
  readonly publicUrl: string;
}): Promise<ErrorReports> {
  if (config.sentryDsn === null) return NOWHERE;
  const sentry = await import('@sentry/node');
  sentry.init({
    dsn: config.sentryDsn,
    tracesSampleRate: TRACE_RATE,
    tracePropagationTargets: ['localhost', new URL(config.publicUrl).host],
    dataCollection: COLLECTED,
    beforeSend: (event, hint) => {
      // A refusal is an answer, not an internal error.
      if (hint.originalException instanceof AppError) return null;
      if (event.request) event.request = { method: event.request.method };
      delete event.user;
      if (event.transaction) event.transaction = withoutShared(event.transaction);
      for (const exception of event.exception?.values ?? []) {
        if (exception.value) exception.value = withoutEmails(exception.value);
      }
      return event;
    },
    beforeSendSpan: (span) => {
      span.name = withoutShared(span.name);
      for (const name of Object.keys(span.attributes)) {
        if (PRIVATE_ATTRIBUTE.test(name)) delete span.attributes[name];
      }
      return span;
    },
  });
  return {
    report: (error, tags) => {
      sentry.captureException(error, { tags: { ...tags } });
    },
    close: async () => {
      await sentry.close(FLUSH_TIMEOUT);
    },
  };
}
