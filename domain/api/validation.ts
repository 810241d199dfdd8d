import { z } from 'zod/mini';

import { described } from './described.ts';
import { joinPath } from './case.ts';
import { inEnglish, rule, type Rule, type Sentence } from './rules.ts';

export interface Fault {
  readonly path: readonly PropertyKey[];
  /** The path as the reader knows it: 'bank_accounts[0].is_primary'; '' for the whole input. */
  readonly field: string;
  /** The broken rule; null for a check of a screen alone, which has words of its own. */
  readonly rule: Rule | null;
  /** The rule in English, or the check's own words. */
  readonly message: string;
}

type Result<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly faults: readonly Fault[] };

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

/** An integer of a body. Not `z.int()`: its fault ends every check, also those with `when`. */
export function wholeNumber(): z.ZodMiniNumber<number> {
  return described(z.number().check(z.refine(Number.isInteger, rule('{0} must be an integer'))), {
    type: 'integer',
  });
}

/**
 * Checks an input against a schema.
 *
 * @param nameOf names a field as the reader knows it: by its path, in snake_case on the wire
 */
export function validate<S extends z.ZodMiniType>(
  schema: S,
  input: unknown,
  nameOf: (path: readonly PropertyKey[]) => string = joinPath,
): Result<z.output<S>> {
  const result = schema.safeParse(input, { reportInput: true });
  if (result.success) return { ok: true, value: result.data };
  const { issues } = result.error;
  const mistyped = new Set(issues.filter(isMistyped).map(({ path }) => joinPath(path)));
  // A wrong length says nothing when the type is already wrong.
  const isMoot = (issue: z.core.$ZodIssue) =>
    (issue.code === 'too_small' || issue.code === 'too_big') && mistyped.has(joinPath(issue.path));
  const faults = issues.filter((issue) => !isMoot(issue));
  return { ok: false, faults: faults.map((issue) => toFault(issue, nameOf(issue.path))) };
}

/** Whether a value has another type. A fraction where an integer is due is still a number. */
function isMistyped(issue: z.core.$ZodIssue): boolean {
  return issue.code === 'invalid_type' && issue.expected !== 'int';
}

function toFault(issue: z.core.$ZodIssue, field: string): Fault {
  const broken = ruleOf(issue);
  const message = broken ? inEnglish(field || 'body', ...broken) : issue.message;
  return { path: issue.path, field, rule: broken, message };
}

function ruleOf(issue: z.core.$ZodIssue): Rule | null {
  // A check of ours names its rule (`rule`). Zod leaves the values out where there can be none.
  const { values } = (issue.code === 'custom' && issue.params) || {};
  if (values) return [issue.message as Sentence, ...(values as (string | number)[])];
  if (issue.message.startsWith('{0}')) return [issue.message as Sentence];
  if (issue.code === 'custom') return null;
  if (missing(issue.input)) return ['{0} is a required field'];
  switch (issue.code) {
    case 'invalid_type':
      return [TYPES[issue.expected] ?? INVALID];
    case 'too_small':
      return tooSmall(issue);
    case 'too_big':
      return tooBig(issue);
    case 'invalid_format':
      return [FORMATS[issue.format] ?? INVALID];
    case 'invalid_value':
      return ['{0} must be one of the following values: {1}', issue.values.join(', ')];
    default:
      return [INVALID];
  }
}

function missing(input: unknown): boolean {
  return input === undefined || input === null || input === '';
}

const INVALID = '{0} is invalid';

const TYPES: Readonly<Record<string, Sentence>> = {
  string: '{0} must be a string',
  number: '{0} must be a number',
  int: '{0} must be an integer',
  boolean: '{0} must be a boolean',
  array: '{0} must be a list',
  object: '{0} must be an object',
  record: '{0} must be a record',
};

const FORMATS: Readonly<Record<string, Sentence>> = {
  email: '{0} must be a valid email',
  uuid: '{0} must be a valid UUID',
  date: '{0} must be a valid date in the form YYYY-MM-DD',
};

function tooSmall({ origin, minimum, exact, inclusive }: z.core.$ZodIssueTooSmall): Rule {
  const least = Number(minimum);
  if (origin === 'string')
    return [exact ? EXACT_LENGTH : '{0} must be at least {1} characters', least];
  if (origin === 'array')
    return least === 1
      ? ['{0} field must have at least 1 items']
      : ['{0} field must have at least {1} items', least];
  if (least === 0 && inclusive === false) return ['{0} must be a positive number'];
  return ['{0} must be greater than or equal to {1}', least];
}

const EXACT_LENGTH = '{0} must be exactly {1} characters';

function tooBig({ origin, maximum, exact }: z.core.$ZodIssueTooBig): Rule {
  const most = Number(maximum);
  if (origin === 'string')
    return [exact ? EXACT_LENGTH : '{0} must be at most {1} characters', most];
  if (origin === 'array') return ['{0} field must have less than or equal to {1} items', most];
  return ['{0} must be less than or equal to {1}', most];
}

/** The schema, with each value changed before it is checked. */
export function preprocess<S extends z.ZodMiniType>(
  change: (value: unknown) => unknown,
  schema: S,
) {
  return z.pipe(z.transform(change), schema);
}

/** The type of `z.nullish(schema)` when null is the only form of absence. */
type Optional<S extends z.ZodMiniType> = z.ZodMiniPipe<
  z.ZodMiniOptional<z.ZodMiniNullable<S>>,
  z.ZodMiniTransform<z.output<S> | null, z.output<S> | null | undefined>
>;

/**
 * Turns absent, null and '' into null (WIRE-5). Any other value must satisfy the schema. The type excludes '' for
 * numbers and lists: the wire accepts it, forms do not need it.
 */
export function optional<S extends z.ZodMiniType>(schema: S): Optional<S> {
  return z.pipe(
    preprocess((value) => (isBlank(value) ? null : value), z.nullish(schema)),
    z.transform((value) => value ?? null),
  ) as unknown as Optional<S>;
}

/** As `optional`, but absence stays undefined. */
export function stated<S extends z.ZodMiniType>(
  schema: S,
): z.ZodMiniOptional<z.ZodMiniNullable<S>> {
  return preprocess(
    (value) => (isBlank(value) ? null : value),
    z.nullish(schema),
  ) as unknown as z.ZodMiniOptional<z.ZodMiniNullable<S>>;
}

/** As `optional`, with a default in place of null. */
export function optionalOr<S extends z.ZodMiniType>(schema: S, meaning: z.output<S>) {
  return z.pipe(
    optional(schema),
    z.transform((value) => value ?? meaning),
  );
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
  return preprocess(
    (value) =>
      typeof value === 'string' && /^(0|[1-9]\d{0,15})$/.test(value) ? Number(value) : value,
    z.int().check(z.positive(), z.maximum(most)),
  );
}

/** A boolean in a query. */
export const urlBoolean = z.pipe(
  z.enum(['true', 'false']),
  z.transform((text) => text === 'true'),
);

/** Query of a call with a trial run: `dry_run=true` answers what the call would do, and does nothing. */
export const dryRunQuery = z.object({ dryRun: z._default(urlBoolean, false) });

const VERSION_MAX = 2 ** 31 - 1;

/** Version of a saved thing: 1 when it is made, plus one for each change. */
export const version = wholeNumber().check(z.positive(), z.maximum(VERSION_MAX));

/** The version that a change is based on. Without it, the change overwrites any version. */
export const basedOnVersion = described(
  optional(version),
  'What was read: 409 if it was changed since. Absent, whatever is there is replaced',
);
