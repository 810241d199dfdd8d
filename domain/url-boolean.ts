import { z } from 'zod';

/** A choice in a query. */
export const urlBoolean = z.enum(['true', 'false']).transform((text) => text === 'true');

/** Query of a call that can be tried: with `dry_run=true` it answers what it would do, and does nothing. */
export const dryRunQuery = z.object({ dryRun: urlBoolean.default(false) });
