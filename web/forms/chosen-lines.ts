import type { z } from 'zod/mini';

/**
 * Judges the body of a request that was made of some lines of a form. Its faults get the places of the form.
 *
 * @param places of the body's lines, among those of the form
 */
export function judgeChosen<T>(
  schema: z.ZodMiniType<T>,
  body: unknown,
  places: readonly number[],
  context: z.core.ParsePayload,
): T | undefined {
  const parsed = schema.safeParse(body, { reportInput: true });
  for (const issue of parsed.error?.issues ?? []) {
    const [field, index, ...rest] = issue.path;
    const place = field === 'lines' && typeof index === 'number' ? places[index] : index;
    context.issues.push({
      ...issue,
      path: place === undefined ? issue.path : [field ?? '', place, ...rest],
    } as z.core.$ZodRawIssue);
  }
  return parsed.data;
}

/** Adds a fault in words for the form's own field. */
export function addFault(
  context: z.core.ParsePayload,
  path: readonly (string | number)[],
  message: string,
): void {
  context.issues.push({ code: 'custom', input: undefined, path: [...path], message });
}
