import { z } from 'zod';

import { rule } from '../api/rules.ts';
import { needs, optional } from '../api/validation.ts';
import { FEATURES } from '../api/endpoint.ts';
import { PERMISSIONS, ROLES } from '../permission.ts';
import { requiredEmail, requiredText } from '../text.ts';

export const LOGIN_CODE_LENGTH = 6;
/** Lifetime of a login code and a login link (ACC-8). */
export const LOGIN_MINUTES = 10;

/** Login and registration: the address to which the code is mailed. */
export const emailForm = z.object({ email: requiredEmail() });

/** The code as typed or pasted: case, blanks and invisible characters do not matter. */
export const codeForm = z.object({
  registrationToken: z
    .string()
    .normalize('NFKC')
    .overwrite((text) => text.replaceAll(/[\s\p{Cf}]/gu, ''))
    .length(LOGIN_CODE_LENGTH)
    .toUpperCase(),
});

/** Either the token of a mailed link, or an address and its mailed code. */
export const verifyBody = z
  .object({
    token: optional(requiredText()),
    email: optional(requiredEmail()),
    registrationToken: optional(codeForm.shape.registrationToken),
  })
  .superRefine(
    (body, context) => {
      if (body.token !== null) return;
      for (const field of ['email', 'registrationToken'] as const) {
        if (body[field] === null) {
          context.addIssue({ code: 'custom', path: [field], ...rule('{0} is a required field') });
        }
      }
    },
    { when: needs() },
  );

/** A company that an account is a member of. Its name is empty until the profile has one. */
const sessionCompany = z.object({ uuid: z.uuid(), name: z.string() });

export const session = z
  .object({
    email: z.string(),
    isStaff: z.boolean(),
    isProfileCompleted: z.boolean(),
    /** Features that the operator has turned on. */
    features: z.array(z.enum(FEATURES)),
    /** With `members`: the company of the session, and what its caller may do there. Null without one. */
    company: sessionCompany.nullable().optional(),
    companies: z.array(sessionCompany).optional(),
    role: z.enum(ROLES).nullable().optional(),
    permissions: z.array(z.enum(PERMISSIONS)).optional(),
  })
  .meta({ id: 'Session' });

export type Session = z.infer<typeof session>;
