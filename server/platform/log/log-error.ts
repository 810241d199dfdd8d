import { stdSerializers } from 'pino';

import { rootCause } from './root-cause.ts';

/** Logged beside type, message and stack: codes and names, never values. */
const LOGGED_PROPERTIES = ['code', 'statusCode', 'responseCode', 'table', 'constraint'] as const;

/** Does not match file paths with an @, such as `name@1.0.0`. */
const EMAIL = /[^\s<>@/:"'()]+@[\p{L}\p{N}.-]+\.\p{L}{2,}/gu;

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

/** Removes e-mail addresses from a text: mail servers quote the recipient. */
export function withoutEmails(text: string): string {
  return text.replaceAll(EMAIL, '…@…');
}
