/** The part of the requests of which Sentry gets a trace. */
export const TRACE_RATE = 0.1;

/** Attributes of a span that may have e-mail addresses, headers, addresses with queries, or messages of errors. */
export const PRIVATE_ATTRIBUTE = /query|url|target|header|cookie|client|peer|user|message/i;
