import { set, type FieldErrors, type FieldValues, type Resolver } from 'react-hook-form';
import type { z } from 'zod';

import { joinPath } from '../../domain/api/case.ts';
import { validate, type Fault } from '../../domain/api/validation.ts';

/**
 * Checks a form against a schema of the contract with the contract's own `validate`, so that the
 * browser and the server refuse the same things with the same words.
 */
export function schemaResolver<I extends FieldValues, O extends FieldValues>(
  schema: z.ZodType<O>,
): Resolver<I, unknown, O> {
  return (values) => {
    const result = validate(schema, values);
    if (result.ok) return { values: result.value, errors: {} };
    return { values: {}, errors: nest<I>(result.faults) };
  };
}

function nest<T extends FieldValues>(faults: readonly Fault[]): FieldErrors<T> {
  const errors: FieldErrors<T> = {};
  const taken = new Set<string>();
  for (const fault of faults) {
    const name = fault.path.join('.');
    // One message a field: the first.
    if (taken.has(name)) continue;
    taken.add(name);
    set(errors, name, { type: 'validate', message: shortened(fault) });
  }
  return errors;
}

/** 'bankAccounts[0].bankAccountNumber is a …' → 'bankAccountNumber is a …', since it is shown at the field. */
function shortened({ path, message }: Fault): string {
  const whole = joinPath(path);
  const name = path.findLast((part) => typeof part === 'string');
  if (name === undefined || !message.startsWith(`${whole} `)) return message;
  return `${name}${message.slice(whole.length)}`;
}
