import { z } from 'zod/mini';

import { described } from '../api/described.ts';
import { rule } from '../api/rules.ts';
import { addDays, dateText, todayInOslo } from '../date.ts';
import { PERMISSIONS } from '../permission.ts';
import { requiredText } from '../text.ts';

/** The permissions that a key may have (INT-2). */
export const SCOPES = ['see', 'edit', 'issue', 'payments', 'export'] as const;
export type Scope = (typeof SCOPES)[number];

/** Most keys of a company that work at a time (INT-3). */
export const MOST_KEYS = 20;
/** Longest name of a key. */
const NAME_LENGTH = 100;
/** Days ahead that a key may work (INT-3). */
const TOKEN_DAYS = 365;

/** A new key. It may always see. */
export const tokenForm = z.object({
  name: requiredText(NAME_LENGTH),
  scopes: described(
    z.array(z.enum(SCOPES)).check(
      z.maxLength(SCOPES.length),
      z.overwrite((named) => SCOPES.filter((scope) => scope === 'see' || named.includes(scope))),
    ),
    'What the key may do, as far as its maker may; see is always there',
  ),
  expiresOn: described(
    dateText().check(
      z.refine(
        (date) => {
          const today = todayInOslo();
          return date > today && date <= addDays(today, TOKEN_DAYS);
        },
        rule('{0} must be one of the next {1} days', TOKEN_DAYS),
      ),
    ),
    'The last day on which the key works, in Oslo',
  ),
});
export type TokenForm = z.output<typeof tokenForm>;

const tokenFields = {
  uuid: z.uuid(),
  name: z.string(),
  scopes: z.array(z.enum(PERMISSIONS)),
  expiresOn: described(z.nullable(z.iso.date()), 'null for a token of the operator'),
  createdAt: z.iso.datetime(),
  createdBy: described(
    z.nullable(z.string()),
    'The address of the maker; null for a token of the operator',
  ),
  lastUsedOn: z.nullable(z.iso.date()),
};

/** A key in the list, without its secret. */
export const apiToken = described(z.object(tokenFields), { id: 'ApiToken' });
export type ApiToken = z.infer<typeof apiToken>;

/** A new key, in the only answer that tells its secret. */
export const newApiToken = described(z.object({ ...tokenFields, token: z.string() }), {
  id: 'NewApiToken',
});
export type NewApiToken = z.infer<typeof newApiToken>;

export const tokenParams = z.object({ uuid: z.uuid() });
