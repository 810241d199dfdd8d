import { z } from 'zod';

/** A boolean in a query. */
export const urlBoolean = z.enum(['true', 'false']).transform((text) => text === 'true');

/** Query of a call with a trial run: `dry_run=true` answers what the call would do, and does nothing. */
export const dryRunQuery = z.object({ dryRun: urlBoolean.default(false) });
