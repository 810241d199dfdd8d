import { generateKeyPairSync } from 'node:crypto';

import type {
  AuthenticationResponse,
  RegistrationResponse,
} from '../../domain/passkey/passkey.schema.ts';
import type { Config } from '../config.ts';

/** COSE algorithms: ES256, EdDSA and RS256. Windows needs the last, and not every authenticator has the first. */
export const ALGORITHMS = [-7, -8, -257];
/** WebAuthn Level 3 § 6.5.1. */
const CREDENTIAL_ID_BYTES_MAX = 1023;
/** It is loaded when somebody uses a passkey: its packages, nearly all for attestation, take a tenth of a start. */
const load = async () => import('@simplewebauthn/server');
const loadHelpers = async () => import('@simplewebauthn/server/helpers');

/** The site that passkeys are for: they work at this host alone, and from this origin. */
export interface RelyingParty {
  readonly id: string;
  readonly origin: string;
}

export function relyingPartyOf({ publicUrl }: Pick<Config, 'publicUrl'>): RelyingParty {
  const { hostname, origin } = new URL(publicUrl);
  return { id: hostname, origin };
}

/** The challenge that a browser says it answers, unverified; null when the bytes cannot be read. */
export function readClientData(
  clientDataJSON: string,
): { readonly challenge: string; readonly isCrossOrigin: boolean } | null {
  try {
    const data: unknown = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString('utf8'));
    const { challenge, crossOrigin = false } = data as Readonly<Record<string, unknown>>;
    return typeof challenge === 'string'
      ? { challenge, isCrossOrigin: crossOrigin !== false }
      : null;
  } catch {
    return null;
  }
}

/** A credential as its authenticator made it. */
export interface NewCredential {
  readonly credentialId: Buffer;
  /** COSE_Key. */
  readonly publicKey: Buffer;
  readonly counter: number;
  readonly isSynced: boolean;
}

/** The credential of a registration for this challenge; null when anything is wrong with it (SEC-14). */
export async function verifyRegistration(
  { id: expectedRPID, origin: expectedOrigin }: RelyingParty,
  { response }: RegistrationResponse,
  expectedChallenge: string,
): Promise<NewCredential | null> {
  const { verifyRegistrationResponse } = await load();
  try {
    const attestationObject = await withoutStatement(response.attestationObject);
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: credentialOf('unused', {
        clientDataJSON: response.clientDataJSON,
        attestationObject,
      }),
      expectedChallenge,
      expectedOrigin,
      expectedRPID,
      supportedAlgorithmIDs: ALGORITHMS,
    });
    if (!verified) return null;
    const { credential, credentialBackedUp } = registrationInfo;
    const credentialId = Buffer.from(credential.id, 'base64url');
    const isPossible = credentialId.length > 0 && credentialId.length <= CREDENTIAL_ID_BYTES_MAX;
    if (!isPossible) return null;
    const publicKey = Buffer.from(credential.publicKey);
    return { credentialId, publicKey, counter: credential.counter, isSynced: credentialBackedUp };
  } catch {
    return null;
  }
}

/**
 * The attestation object without its statement. None is asked for, and nothing of one is believed; to read it would mean to
 * fetch lists of certificates from addresses that it names.
 */
async function withoutStatement(attestationObject: string): Promise<string> {
  const { decodeAttestationObject, isoBase64URL, isoCBOR } = await loadHelpers();
  const decoded = decodeAttestationObject(isoBase64URL.toBuffer(attestationObject));
  const none = new Map<string, unknown>([
    ['fmt', 'none'],
    ['attStmt', new Map()],
    ['authData', decoded.get('authData')],
  ]);
  return isoBase64URL.fromBuffer(isoCBOR.encode(none as never));
}

/** A use of a passkey. */
interface Use {
  readonly counter: number;
  readonly isSynced: boolean;
}

/**
 * The use of a passkey for this challenge; null when anything but the counter is wrong with it (SEC-14). Takes as long for
 * an unknown passkey (a null key).
 */
export async function verifyUse(
  { id: expectedRPID, origin: expectedOrigin }: RelyingParty,
  { id, response }: AuthenticationResponse,
  expectedChallenge: string,
  key: Uint8Array | null,
): Promise<Use | null> {
  const { verifyAuthenticationResponse } = await load();
  const { clientDataJSON, authenticatorData, signature } = response;
  const publicKey = new Uint8Array(key ?? (await decoyKey()));
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: credentialOf(id, { clientDataJSON, authenticatorData, signature }),
      expectedChallenge,
      expectedOrigin,
      expectedRPID,
      // The caller compares counters: only after a right signature does a wrong one mean anything.
      credential: { id, publicKey, counter: 0 },
    });
    if (!verified || key === null) return null;
    const { newCounter, credentialBackedUp } = authenticationInfo;
    return { counter: newCounter, isSynced: credentialBackedUp };
  } catch {
    return null;
  }
}

function credentialOf<Response>(id: string, response: Response) {
  return { id, rawId: id, type: 'public-key' as const, response, clientExtensionResults: {} };
}

let decoy: Promise<Uint8Array> | undefined;

/** A key that nobody has the private half of. */
async function decoyKey(): Promise<Uint8Array> {
  decoy ??= loadHelpers().then(({ isoCBOR }) => {
    const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
    const coordinates = [x, y].map((text) => new Uint8Array(Buffer.from(text, 'base64url')));
    const cose = [
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, coordinates[0]],
      [-3, coordinates[1]],
    ];
    return isoCBOR.encode(new Map(cose as [number, number][]));
  });
  return decoy;
}
