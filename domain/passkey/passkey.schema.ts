import { z } from 'zod/mini';

import { described } from '../api/described.ts';
import { optional } from '../api/validation.ts';
import { requiredText } from '../text.ts';

/** Longest name of a passkey. */
const NAME_LENGTH = 100;
/** Passkeys that an account may have (SEC-13). */
export const MOST_PASSKEYS = 10;

/** Bytes in base64url, of a length that no authenticator exceeds. */
const bytes = () => z.string().check(z.normalize('NFC'), z.minLength(1), z.maxLength(100_000));

/** The result of the browser's `credentials.create()` as JSON (WebAuthn Level 3, RegistrationResponseJSON). */
const registrationResponse = z.object({
  response: z.object({ clientDataJSON: bytes(), attestationObject: bytes() }),
});
export type RegistrationResponse = z.output<typeof registrationResponse>;

/** The result of the browser's `credentials.get()` as JSON (WebAuthn Level 3, AuthenticationResponseJSON). */
export const authenticationResponse = z.object({
  id: bytes(),
  response: z.object({
    clientDataJSON: bytes(),
    authenticatorData: bytes(),
    signature: bytes(),
    userHandle: optional(bytes()),
  }),
});
export type AuthenticationResponse = z.output<typeof authenticationResponse>;

/** A credential that is named in options. */
const descriptor = z.object({ id: z.string(), type: z.literal('public-key') });

/** For the browser's `credentials.create()` (PublicKeyCredentialCreationOptionsJSON). */
export const creationOptions = described(
  z.object({
    rp: z.object({ id: z.string(), name: z.string() }),
    user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
    challenge: z.string(),
    pubKeyCredParams: z.array(z.object({ type: z.literal('public-key'), alg: z.int() })),
    timeout: z.int(),
    excludeCredentials: z.array(descriptor),
    authenticatorSelection: z.object({
      residentKey: z.literal('required'),
      requireResidentKey: z.literal(true),
      userVerification: z.literal('required'),
    }),
    attestation: z.literal('none'),
  }),
  { id: 'PasskeyCreationOptions' },
);
export type CreationOptions = z.infer<typeof creationOptions>;

/** For the browser's `credentials.get()` (PublicKeyCredentialRequestOptionsJSON). */
export const requestOptions = described(
  z.object({
    challenge: z.string(),
    timeout: z.int(),
    rpId: z.string(),
    allowCredentials: z.optional(z.array(descriptor)),
    userVerification: z.literal('required'),
  }),
  { id: 'PasskeyRequestOptions' },
);
export type RequestOptions = z.infer<typeof requestOptions>;

/** A passkey of the account, without its key. */
export const passkey = described(
  z.object({
    uuid: z.uuid(),
    name: z.string(),
    createdAt: z.iso.datetime(),
    lastUsedAt: z.nullable(z.iso.datetime()),
    isSynced: described(
      z.boolean(),
      'Whether it is kept by a service of passkeys too, as its last use said',
    ),
  }),
  { id: 'Passkey' },
);
export type Passkey = z.infer<typeof passkey>;

export const passkeyForm = z.object({ name: requiredText(NAME_LENGTH) });
export const newPasskey = z.object({
  name: passkeyForm.shape.name,
  response: registrationResponse,
});
export const passkeyLogin = z.object({ response: authenticationResponse });
export const passkeyParams = z.object({ uuid: z.uuid() });
