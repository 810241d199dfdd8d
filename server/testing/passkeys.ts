import {
  createHash,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
  type webcrypto,
} from 'node:crypto';

import { isoCBOR } from '@simplewebauthn/server/helpers';

import type { CreationOptions } from '../../domain/passkey/passkey.schema.ts';
import type { Answer, TestClient } from './client.ts';

export type KeyKind = 'Ed25519' | 'P-256' | 'RSA';

/** Faults that an authenticator or its browser has on purpose. */
interface Lies {
  readonly origin?: string;
  readonly rpId?: string;
  readonly type?: string;
  readonly crossOrigin?: boolean;
  readonly flags?: number;
  readonly counter?: number;
  readonly userHandle?: string | null;
  /** Changes the signature's last byte. */
  readonly isForged?: boolean;
}

/** WebAuthn Level 3 § 6.1: presence, verification, backup eligibility and state, and a new credential in the data. */
const [UP, UV, BE, BS, AT] = [0x01, 0x04, 0x08, 0x10, 0x40] as const;
/** The flags of a passkey that was used as it should be, and is synced. */
const FLAGS = UP | UV | BE | BS;
export const WITHOUT_PRESENCE = FLAGS & ~UP;
export const WITHOUT_VERIFICATION = FLAGS & ~UV;

const toText = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url');
const bytesOf = (text = '') => new Uint8Array(Buffer.from(text, 'base64url'));
const sha256 = (data: string | Uint8Array) => createHash('sha256').update(data).digest();

/** An authenticator with one passkey, and the browser around it. */
export class Authenticator {
  readonly id = randomBytes(32);
  readonly #publicKey: KeyObject;
  readonly #privateKey: KeyObject;
  readonly #kind: KeyKind;
  readonly #site: URL;
  counter = 0;
  userHandle = '';

  constructor(kind: KeyKind = 'P-256', site = 'http://faktur.test') {
    const pair = makePair(kind);
    this.#kind = kind;
    this.#publicKey = pair.publicKey;
    this.#privateKey = pair.privateKey;
    this.#site = new URL(site);
  }

  /** As the browser's `credentials.create()`, for the options of the API. */
  create(options: Pick<CreationOptions, 'challenge' | 'user'>, lies: Lies = {}) {
    this.userHandle = options.user.id;
    const length = Buffer.alloc(2);
    length.writeUInt16BE(this.id.length);
    const key = isoCBOR.encode(
      coseOf(this.#publicKey.export({ format: 'jwk' }), this.#kind) as never,
    );
    const credential = Buffer.concat([Buffer.alloc(16), length, this.id, key]);
    const authData = Buffer.concat([
      this.#authenticatorData({ ...lies, flags: (lies.flags ?? FLAGS) | AT }),
      credential,
    ]);
    const attestation = new Map<string, unknown>([
      ['fmt', 'none'],
      ['attStmt', new Map()],
      ['authData', new Uint8Array(authData)],
    ]);
    return {
      id: toText(this.id),
      rawId: toText(this.id),
      type: 'public-key',
      clientExtensionResults: { credProps: { rk: true } },
      response: {
        clientDataJSON: this.#clientData('webauthn.create', options.challenge, lies),
        attestationObject: toText(isoCBOR.encode(attestation as never)),
        transports: ['internal'],
      },
    };
  }

  /** As the browser's `credentials.get()`, for the options of the API. */
  get({ challenge }: { readonly challenge: string }, lies: Lies = {}) {
    const clientDataJSON = this.#clientData('webauthn.get', challenge, lies);
    const authenticatorData = this.#authenticatorData(lies);
    const hash = sha256(new Uint8Array(Buffer.from(clientDataJSON, 'base64url')));
    const signed = Buffer.concat([authenticatorData, hash]);
    const algorithm = this.#kind === 'Ed25519' ? null : 'sha256';
    const signature = sign(algorithm, signed, this.#privateKey);
    if (lies.isForged)
      signature.writeUInt8(signature.readUInt8(signature.length - 1) ^ 1, signature.length - 1);
    const { userHandle = this.userHandle } = lies;
    return {
      id: toText(this.id),
      rawId: toText(this.id),
      type: 'public-key',
      clientExtensionResults: {},
      response: {
        clientDataJSON,
        authenticatorData: toText(authenticatorData),
        signature: toText(signature),
        ...(userHandle !== null && { userHandle }),
      },
    };
  }

  #clientData(type: string, challenge: string, lies: Lies): string {
    const data = {
      type: lies.type ?? type,
      challenge,
      origin: lies.origin ?? this.#site.origin,
      ...(lies.crossOrigin !== undefined && { crossOrigin: lies.crossOrigin }),
    };
    return Buffer.from(JSON.stringify(data)).toString('base64url');
  }

  #authenticatorData({ rpId = this.#site.hostname, flags = FLAGS, counter = this.counter }: Lies) {
    const counted = Buffer.alloc(4);
    counted.writeUInt32BE(counter);
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), counted]);
  }
}

function makePair(kind: KeyKind) {
  if (kind === 'Ed25519') return generateKeyPairSync('ed25519');
  if (kind === 'RSA') return generateKeyPairSync('rsa', { modulusLength: 2048 });
  return generateKeyPairSync('ec', { namedCurve: 'P-256' });
}

/** A public key as COSE_Key (RFC 9053 § 7, RFC 8230 § 4). */
function coseOf({ x, y, n, e }: webcrypto.JsonWebKey, kind: KeyKind): Map<number, unknown> {
  if (kind === 'Ed25519')
    return new Map<number, unknown>([
      [1, 1],
      [3, -8],
      [-1, 6],
      [-2, bytesOf(x)],
    ]);
  if (kind === 'RSA')
    return new Map<number, unknown>([
      [1, 3],
      [3, -257],
      [-1, bytesOf(n)],
      [-2, bytesOf(e)],
    ]);
  return new Map<number, unknown>([
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, bytesOf(x)],
    [-3, bytesOf(y)],
  ]);
}

/** Adds a passkey to the account of a client. */
export async function addTo(
  client: TestClient,
  authenticator: Authenticator,
  lies: Lies = {},
): Promise<Answer> {
  const options = await client.post('/api/users/passkeys/options/');
  const response = authenticator.create(options.body as CreationOptions, lies);
  return client.post('/api/users/passkeys/', { name: 'Telefon', response });
}

/** Adds a passkey to the account of a client. @returns its uuid */
export async function addPasskey(client: TestClient): Promise<string> {
  const answer = await addTo(client, new Authenticator());
  if (answer.status !== 201) throw new Error(`The passkey was not added: ${answer.text}`);
  return (answer.body as { uuid: string }).uuid;
}
