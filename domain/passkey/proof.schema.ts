import { z } from 'zod/mini';

import { rule } from '../api/rules.ts';
import { needs, optional } from '../api/validation.ts';
import { codeForm } from '../session/session.schema.ts';
import { authenticationResponse } from './passkey.schema.ts';

/** The proof of a session: a mailed code, or a use of one of the account's passkeys. */
export const proofBody = z
  .object({
    code: optional(codeForm.shape.registrationToken),
    response: optional(authenticationResponse),
  })
  .check(
    z.superRefine(
      ({ code, response }, context) => {
        if ((code === null) !== (response === null)) return;
        context.addIssue({
          code: 'custom',
          path: ['code'],
          ...rule('{0} or response is required, and not both'),
        });
      },
      { when: needs() },
    ),
  );
