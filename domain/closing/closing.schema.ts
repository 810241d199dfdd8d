import { z } from 'zod/mini';

import { described } from '../api/described.ts';
import { obstacle } from '../api/error.ts';
import { optionalOr } from '../api/validation.ts';
import { COMPANY_STATES } from '../session/session.schema.ts';
import { requiredEmail, requiredText, tidyOrgNumber } from '../text.ts';

/** Days in which a closed company can be opened again (CLO-4). */
export const DAYS_TO_REGRET = 30;

/** Days for which the archive that was fetched is good for closing (CLO-2). */
export const ARCHIVE_DAYS = 7;

export const closing = described(
  z.object({
    state: z.enum(COMPANY_STATES),
    closedAt: z.nullable(z.iso.datetime()),
    deletesOn: described(z.nullable(z.iso.date()), 'It can be opened again until then'),
    keptUntil: described(
      z.nullable(z.iso.date()),
      'The last day of books that are kept; null of an open company and without documents',
    ),
    requiredUntil: described(
      z.nullable(z.iso.date()),
      'The last day for which the law asks for the books as they are now; null without documents and payments',
    ),
    keep: z.nullable(z.boolean()),
    obstacles: described(z.array(obstacle), 'Why an open company cannot be closed now'),
    archive: described(
      z.nullable(
        z.object({
          uuid: z.uuid(),
          madeAt: z.iso.datetime(),
          fetchedAt: z.nullable(z.iso.datetime()),
        }),
      ),
      'The newest export of the kind ARCHIVE',
    ),
  }),
  { id: 'Closing' },
);
export type Closing = z.infer<typeof closing>;

export const closingForm = z.object({
  keep: described(
    z.boolean(),
    'Whether the books stay here, to be read, for as long as the law asks for them',
  ),
  confirm: described(
    z.pipe(requiredText(), z.transform(tidyOrgNumber)),
    'The organisation number of the company',
  ),
  acceptCredit: described(
    optionalOr(z.boolean(), false),
    'With `keep`: close though customers have credit',
  ),
});
export const accountDeletionForm = z.object({
  confirm: described(requiredEmail(), 'The e-mail address of the account'),
});

export type ClosingForm = z.output<typeof closingForm>;
