import { z } from 'zod/mini';

import { described } from '../api/described.ts';
import { rule } from '../api/rules.ts';
import { needs, optional, optionalOr, urlBoolean } from '../api/validation.ts';
import { dateText, todayInOslo } from '../date.ts';
import { optionalText, requiredEmail, requiredText } from '../text.ts';
import { ROLES } from '../permission.ts';

/** Days that an invitation works. */
export const INVITATION_DAYS = 14;

const memberFields = z.object({
  name: described(optionalText(), 'What the others call the member'),
  role: z.enum(ROLES),
  mayRegister: described(
    optionalOr(z.boolean(), false),
    'May register, send and credit. An owner may anyway; not for an AUDITOR',
  ),
  mayHandlePayments: described(
    optionalOr(z.boolean(), false),
    'May handle payments, bank files and reminders. An OWNER and an ACCOUNTANT may anyway; not for an AUDITOR',
  ),
  endsOn: described(optional(dateText()), 'The last day in the company'),
});

/** An auditor only reads. */
function auditorOnlyReads<Form extends z.ZodMiniType>(form: Form) {
  return form.check(
    z.superRefine(
      (value, context) => {
        const member = value as z.output<typeof memberFields>;
        if (member.role !== 'AUDITOR') return;
        for (const field of ['mayRegister', 'mayHandlePayments'] as const) {
          if (member[field]) {
            context.addIssue({
              code: 'custom',
              path: [field],
              ...rule('{0} is not for an auditor, who only reads'),
            });
          }
        }
      },
      { when: needs('role', 'mayRegister', 'mayHandlePayments') },
    ),
  );
}

/** The role of a member, its switches and its last day. */
export const memberUpdate = auditorOnlyReads(memberFields);

/** An invitation of somebody by e-mail. */
export const memberForm = auditorOnlyReads(
  z.extend(memberFields, {
    email: requiredEmail(),
    endsOn: described(
      optional(
        dateText().check(
          z.refine((date) => date >= todayInOslo(), rule('{0} must not be before today')),
        ),
      ),
      'The last day in the company, today or later',
    ),
  }),
);

/** A link that a member shares, without its secret. */
const openLink = described(
  z.object({
    kind: described(
      z.enum(['EXPORT', 'OVERVIEW']),
      'EXPORT: the file of an export, also one whose link is yet to be mailed. OVERVIEW: figures',
    ),
    uuid: described(z.uuid(), 'Of the export or the link to the overview'),
    name: described(z.string(), 'The address that an export goes to, or the name of the link'),
    expiresAt: described(z.nullable(z.iso.datetime()), 'null while the file is being made'),
  }),
  { id: 'OpenLink' },
);

/** A member, or an invitation that nobody has accepted yet. */
export const member = described(
  z.object({
    uuid: z.uuid(),
    email: z.string(),
    name: z.nullable(z.string()),
    role: z.enum(ROLES),
    mayRegister: z.boolean(),
    mayHandlePayments: z.boolean(),
    endsOn: z.nullable(dateText()),
    state: described(
      z.enum(['ACTIVE', 'ENDED', 'INVITED', 'EXPIRED']),
      'ENDED after the last day; EXPIRED is an invitation not accepted in time',
    ),
    lastLoginAt: described(z.nullable(z.iso.datetime()), 'Of the account, to any company'),
    invitedAt: z.nullable(z.iso.datetime()),
    isYou: z.boolean(),
    openLinks: described(
      z.array(openLink),
      'The links for which the member answers, and that end with the membership',
    ),
  }),
  { id: 'Member' },
);

/** Whether what a removed member shared goes on. */
export const removalQuery = z.object({ keepLinks: z._default(urlBoolean, false) });

export const memberParams = z.object({ uuid: z.uuid() });

/** The token of a mailed invitation. */
export const invitationToken = z.object({ token: requiredText() });

/** An open invitation, for whoever has its link. */
export const invitation = described(
  z.object({
    company: described(z.string(), 'Empty while the company has no name'),
    invitedBy: described(
      z.nullable(z.object({ name: z.nullable(z.string()), email: z.string() })),
      'The member who invites; null when it has been removed',
    ),
    email: described(z.string(), 'The only address that may accept'),
    role: z.enum(ROLES),
    endsOn: z.nullable(dateText()),
  }),
  { id: 'Invitation' },
);

export const companyChoice = z.object({ companyUuid: z.uuid() });

export type OpenLink = z.infer<typeof openLink>;
export type Member = z.infer<typeof member>;
export type Invitation = z.infer<typeof invitation>;
