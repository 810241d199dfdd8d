const TRACE_RATE = 0.1;

/**
 * Sends errors to Sentry when the operator has named a place to send them. Without one, nothing is
 * loaded. Trace headers go to localhost and our own host alone: others could tell people by them.
 */
export async function reportErrors(dsn: string | null): Promise<void> {
  if (!dsn) return;
  const { browserTracingIntegration, init } = await import('@sentry/react');
  init({
    dsn,
    integrations: [browserTracingIntegration()],
    tracesSampleRate: TRACE_RATE,
    tracePropagationTargets: ['localhost', window.location.host],
  });
}
