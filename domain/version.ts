import { wholeNumber } from './api/validation.ts';
import { optional } from './optional.ts';

const VERSION_MAX = 2 ** 31 - 1;

/** Version of a saved thing: 1 when it is made, plus one for each change. */
export const version = wholeNumber().positive().max(VERSION_MAX);

/** The version that a change is based on. Without it, the change overwrites any version. */
export const basedOnVersion = optional(version).meta({
  description: 'What was read: 409 if it was changed since. Absent, whatever is there is replaced',
});
