import { z } from 'zod';

import { joinPath } from './case.ts';

/** One fault in an input: where, and an English rule such as 'is a required field'. */
export interface Fault {
  readonly path: readonly PropertyKey[];
  /** The path as the reader knows it: 'bank_accounts[0].is_primary'; '' for the whole input. */
  readonly field: string;
  /** The full message. It begins with the field's name, or is a sentence of its own. */
  readonly message: string;
}

type Result<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly faults: readonly Fault[] };

/** For a custom issue: the message is a whole sentence, without the field's name before it. */
export const sentence = { sentence: true } as const;

/**
 * For `when` of a check of several fields: the check runs when these fields are valid, even if others are not, so
 * that every fault is reported at once. Without it zod runs such a check only when nothing is wrong. Other fields may
 * have values of any type then.
 */
export function needs(...fields: readonly string[]) {
  return ({ issues }: z.core.ParsePayload): boolean =>
    issues.every(({ path = [], continue: isOfRightType }) => {
      const field = path.find((part) => typeof part === 'string');
      return field === undefined ? isOfRightType === true : !fields.includes(field);
    });
}

/** An integer of a body. Not `z.number().int()`: its fault ends every check, also those with `when`. */
export function wholeNumber(): z.ZodNumber {
  return z.number().refine(Number.isInteger, 'must be an integer').meta({ type: 'integer' });
}

/**
 * Checks an input against a schema. The messages are English rules such as 'is a required field' (WIRE-14). `rename`
 * writes property names as the reader knows them: snake_case on the wire.
 */
export function validate<S extends z.ZodType>(
  schema: S,
  input: unknown,
  rename?: (key: string) => string,
): Result<z.output<S>> {
  const result = schema.safeParse(input, { error: describe });
  if (result.success) return { ok: true, value: result.data };
  const { issues } = result.error;
  const mistyped = new Set(issues.filter(isMistyped).map(({ path }) => joinPath(path)));
  // A wrong length says nothing when the type is already wrong.
  const isMoot = (issue: z.core.$ZodIssue) =>
    (issue.code === 'too_small' || issue.code === 'too_big') && mistyped.has(joinPath(issue.path));
  const faults = issues.filter((issue) => !isMoot(issue));
  return { ok: false, faults: faults.map((issue) => toFault(issue, rename)) };
}

/** Whether a value has another type. A fraction where an integer is due is still a number. */
function isMistyped(issue: z.core.$ZodIssue): boolean {
  return issue.code === 'invalid_type' && issue.expected !== 'int';
}

function toFault(issue: z.core.$ZodIssue, rename?: (key: string) => string): Fault {
  const standsAlone = issue.code === 'custom' && issue.params?.['sentence'] === true;
  const field = joinPath(issue.path, rename);
  const message = standsAlone ? issue.message : `${field || 'body'} ${issue.message}`;
  return { path: issue.path, field, message };
}

/** The broken rule in English (WIRE-14). */
function describe(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return describeType(issue);
    case 'too_small':
      return describeTooSmall(issue);
    case 'too_big':
      return describeTooBig(issue);
    case 'invalid_format':
      return missing(issue.input) ? 'is a required field' : describeFormat(issue.format);
    case 'invalid_value':
      return missing(issue.input)
        ? 'is a required field'
        : `must be one of the following values: ${issue.values.join(', ')}`;
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`;
    default:
      return issue.message ?? 'is invalid';
  }
}

function missing(input: unknown): boolean {
  return input === undefined || input === null || input === '';
}

const TYPE_RULES: Readonly<Record<string, string>> = {
  string: 'must be a string',
  number: 'must be a number',
  int: 'must be an integer',
  boolean: 'must be a boolean',
  array: 'must be a list',
  object: 'must be an object',
};

function describeType(issue: z.core.$ZodRawIssue<z.core.$ZodIssueInvalidType>): string {
  if (missing(issue.input)) return 'is a required field';
  return TYPE_RULES[issue.expected] ?? `must be a ${issue.expected}`;
}

function describeTooSmall(issue: z.core.$ZodRawIssue<z.core.$ZodIssueTooSmall>): string {
  const least = Number(issue.minimum);
  if (issue.origin === 'string') {
    if (missing(issue.input)) return 'is a required field';
    return issue.exact
      ? `must be exactly ${least} characters`
      : `must be at least ${least} characters`;
  }
  if (issue.origin === 'array') return `field must have at least ${least} items`;
  if (least === 0 && issue.inclusive === false) return 'must be a positive number';
  return `must be greater than or equal to ${least}`;
}

function describeTooBig(issue: z.core.$ZodRawIssue<z.core.$ZodIssueTooBig>): string {
  const most = Number(issue.maximum);
  if (issue.origin === 'string') {
    return issue.exact
      ? `must be exactly ${most} characters`
      : `must be at most ${most} characters`;
  }
  if (issue.origin === 'array') return `field must have less than or equal to ${most} items`;
  return `must be less than or equal to ${most}`;
}

const FORMAT_RULES: Readonly<Record<string, string>> = {
  email: 'must be a valid email',
  uuid: 'must be a valid UUID',
  date: 'must be a valid date in the form YYYY-MM-DD',
};

function describeFormat(format: string): string {
  return FORMAT_RULES[format] ?? 'is invalid';
}

/** The type of `schema.nullish()` when null is the only form of absence. */
type Optional<S extends z.ZodType> = z.ZodPipe<
  z.ZodOptional<z.ZodNullable<S>>,
  z.ZodTransform<z.output<S> | null, z.output<S> | null | undefined>
>;

/**
 * Turns absent, null and '' into null (WIRE-5). Any other value must satisfy the schema. The type excludes '' for
 * numbers and lists: the wire accepts it, forms do not need it.
 */
export function optional<S extends z.ZodType>(schema: S): Optional<S> {
  return z
    .preprocess((value) => (isBlank(value) ? null : value), schema.nullish())
    .transform((value) => value ?? null) as unknown as Optional<S>;
}

/** As `optional`, with a default in place of null. */
export function optionalOr<S extends z.ZodType>(schema: S, meaning: z.output<S>) {
  return optional(schema).transform((value) => value ?? meaning);
}

/** Whether nothing of a text is visible: it has spaces and invisible characters (Cf) alone. */
function isBlank(value: unknown): boolean {
  return typeof value === 'string' && /^[\s\p{Cf}]*$/u.test(value);
}

/**
 * A whole number in a path or query. Digits only: JavaScript also accepts '0x10', '1e1' and ' 1 ' as numbers, which
 * would give one thing many addresses.
 */
export function urlNumber(most: number) {
  return z.preprocess(
    (value) =>
      typeof value === 'string' && /^(0|[1-9]\d{0,15})$/.test(value) ? Number(value) : value,
    z.number().int().positive().max(most),
  );
}

/** A boolean in a query. */
export const urlBoolean = z.enum(['true', 'false']).transform((text) => text === 'true');

/** Query of a call with a trial run: `dry_run=true` answers what the call would do, and does nothing. */
export const dryRunQuery = z.object({ dryRun: urlBoolean.default(false) });

const VERSION_MAX = 2 ** 31 - 1;

/** Version of a saved thing: 1 when it is made, plus one for each change. */
export const version = wholeNumber().positive().max(VERSION_MAX);

/** The version that a change is based on. Without it, the change overwrites any version. */
export const basedOnVersion = optional(version).meta({
  description: 'What was read: 409 if it was changed since. Absent, whatever is there is replaced',
});
