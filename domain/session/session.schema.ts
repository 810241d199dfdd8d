import { z } from 'zod/mini';

import { described } from '../api/described.ts';
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
  registrationToken: z.string().check(
    z.normalize('NFKC'),
    z.overwrite((text) => text.replaceAll(/[\s\p{Cf}]/gu, '')),
    z.length(LOGIN_CODE_LENGTH),
    z.toUpperCase(),
  ),
});

/** Either the token of a mailed link, or an address and its mailed code. */
export const verifyBody = z
  .object({
    token: optional(requiredText()),
    email: optional(requiredEmail()),
    registrationToken: optional(codeForm.shape.registrationToken),
  })
  .check(
    z.superRefine(
      (body, context) => {
        if (body.token !== null) return;
        for (const field of ['email', 'registrationToken'] as const) {
          if (body[field] === null) {
            context.addIssue({ code: 'custom', path: [field], ...rule('{0} is a required field') });
          }
        }
      },
      { when: needs() },
    ),
  );

/** How a session began. */
const LOGIN_WAYS = ['CODE', 'LINK', 'PASSKEY', 'INVITATION'] as const;
export type LoginWay = (typeof LOGIN_WAYS)[number];

/** One of an account's sessions. */
export const ownSession = described(
  z.object({
    uuid: z.uuid(),
    createdAt: z.iso.datetime(),
    lastSeenAt: described(z.iso.datetime(), 'Right to the hour'),
    browser: described(z.string(), 'Family and system of the browser that logged in'),
    how: z.enum(LOGIN_WAYS),
    isThis: described(z.boolean(), 'Whether it is the session of this call'),
  }),
  { id: 'OwnSession' },
);
export type OwnSession = z.infer<typeof ownSession>;

export const ownSessionParams = z.object({ uuid: z.uuid() });

/** Whether a company works, or was closed by its owner (CLO-1). */
export const COMPANY_STATES = ['OPEN', 'CLOSED'] as const;

/** A company that an account is a member of. Its name is empty until the profile has one. */
const sessionCompany = z.object({ uuid: z.uuid(), name: z.string() });

export const session = described(
  z.object({
    email: z.string(),
    isStaff: z.boolean(),
    isProfileCompleted: z.boolean(),
    /** Features that the operator has turned on. */
    features: z.array(z.enum(FEATURES)),
    /** With `security`: the end of the session's proof; null when it is over. */
    provedUntil: z.optional(z.nullable(z.iso.datetime())),
    /** With `closing`: of the company of the session; null without one. */
    companyState: z.optional(z.nullable(z.enum(COMPANY_STATES))),
    /** With `members`: the company of the session, and what its caller may do there. Null without one, also with `members` off. */
    company: z.optional(z.nullable(sessionCompany)),
    companies: z.optional(z.array(sessionCompany)),
    role: z.optional(z.nullable(z.enum(ROLES))),
    permissions: z.optional(z.array(z.enum(PERMISSIONS))),
    /** Only where the account owns no company, and may create one. */
    mayCreateCompany: z.optional(z.literal(true)),
  }),
  { id: 'Session' },
);

export type Session = z.infer<typeof session>;
