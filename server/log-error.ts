import { stdSerializers } from 'pino';

import { rootCause } from './root-cause.ts';

/** Logged beside type, message and stack: codes and names, never values. */
const TOLD = ['code', 'statusCode', 'responseCode', 'table', 'constraint'] as const;

/**
 * An error as the log shows it, without what people wrote: databases add parameters and rows to errors,
 * mail servers add addresses.
 */
export function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { message: rootCause(error).message };
  const { type, message, stack, raw } = stdSerializers.err(error);
  const told: Record<string, unknown> = { type, message: message || rootCause(error).message };
  for (const name of TOLD) {
    const value = (raw as unknown as Record<string, unknown>)[name];
    if (value !== undefined) told[name] = value;
  }
  return { ...told, stack };
}
