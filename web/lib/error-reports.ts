import { browserTracingIntegration, init } from '@sentry/react';

import { PRIVATE_ATTRIBUTE, TRACE_RATE } from '../../domain/error-reports.ts';

/** Breadcrumb fields with addresses. Their queries are removed: links in e-mails contain tokens. */
const ADDRESSES = ['url', 'from', 'to'] as const;
/** Turns off Sentry's own collection of data that may contain personal data or secrets. */
const COLLECTED = {
  userInfo: false,
  cookies: false,
  httpHeaders: false,
  httpBodies: [],
  urlQueryParams: false,
};

/**
 * Sends errors to Sentry. This file and Sentry are loaded only when the operator has configured a DSN. Trace headers go
 * only to localhost and the app's own host, because other hosts could identify users by them. Queries are
 * removed from addresses, because they contain search text and tokens of e-mailed links.
 */
export function reportErrors(dsn: string): void {
  init({
    dsn,
    integrations: [browserTracingIntegration()],
    tracesSampleRate: TRACE_RATE,
    tracePropagationTargets: ['localhost', window.location.host],
    dataCollection: COLLECTED,
    beforeSend: (event) => {
      const { url = '', headers } = event.request ?? {};
      const agent = headers?.['User-Agent'];
      event.request = { url: withoutQuery(url), headers: agent ? { 'User-Agent': agent } : {} };
      delete event.user;
      return event;
    },
    beforeBreadcrumb: (crumb) => {
      for (const name of ADDRESSES) {
        const address: unknown = crumb.data?.[name];
        if (crumb.data && typeof address === 'string') crumb.data[name] = withoutQuery(address);
      }
      return crumb;
    },
    beforeSendSpan: (span) => {
      span.name = withoutQuery(span.name);
      for (const name of Object.keys(span.attributes)) {
        if (PRIVATE_ATTRIBUTE.test(name)) delete span.attributes[name];
      }
      return span;
    },
  });
}

function withoutQuery(address: string): string {
  return address.replace(/[?#].*$/s, '');
}
