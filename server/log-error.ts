import { stdSerializers } from 'pino';

import { rootCause } from './root-cause.ts';

/** Logged beside type, message and stack: codes and names, never values. */
const TOLD = ['code', 'statusCode', 'responseCode', 'table', 'constraint'] as const;

/** Not what stands in paths of files, such as `name@1.0.0`. */
const EMAIL = /[^\s<>@/:"'()]+@[\p{L}\p{N}.-]+\.\p{L}{2,}/gu;

/**
 * An error as the log shows it, without what people wrote: databases add parameters and rows to errors,
 * mail servers add addresses.
 */
export function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { message: withoutEmails(rootCause(error).message) };
  const { type, message, stack, raw } = stdSerializers.err(error);
  const told: Record<string, unknown> = {
    type,
    message: withoutEmails(message || rootCause(error).message),
  };
  for (const name of TOLD) {
    const value = (raw as unknown as Record<string, unknown>)[name];
    if (value !== undefined) told[name] = value;
  }
  return { ...told, stack: withoutEmails(stack) };
}

/** A text that may hold addresses of people: mail servers put the recipient into what they say. */
export function withoutEmails(text: string): string {
  return text.replaceAll(EMAIL, '…@…');
}
