const TRACE_RATE = 0.1;
/** Addresses in errors and traces. Links in mail contain tokens. */
const ADDRESSES = ['url', 'from', 'to'] as const;
/** Of spans: whole addresses with their queries, headers, and who somebody is. */
const PRIVATE_ATTRIBUTE = /query|url|target|header|cookie|client|peer|user|message/i;
/** What Sentry would collect by itself and may contain personal data or secrets. */
const COLLECTED = {
  userInfo: false,
  cookies: false,
  httpHeaders: false,
  httpBodies: [],
  urlQueryParams: false,
};

/**
 * Sends errors to Sentry when the operator has set an address for it; otherwise nothing is loaded. Trace
 * headers go to localhost and our own host only, since others could recognise people by them. Queries are
 * removed from addresses: they contain tokens of mailed links, and searches.
 */
export async function reportErrors(dsn: string | null): Promise<void> {
  if (!dsn) return;
  const { browserTracingIntegration, init } = await import('@sentry/react');
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
