import { stdSerializers } from 'pino';

import { rootCause } from './root-cause.ts';

/** Beside type, message and stack: codes and names, never values. */
const TOLD = ['code', 'statusCode', 'responseCode', 'table', 'constraint'] as const;

/**
 * What the log tells of an error. Databases add statements with their parameters and the row that
 * failed, mail servers add addresses: what people wrote stays out.
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
