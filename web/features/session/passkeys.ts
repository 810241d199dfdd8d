import type { RequestOf, ResponseOf } from '../../../domain/api/endpoint.ts';
import type {
  addPasskey,
  getLoginOptions,
  getPasskeyOptions,
  loginWithPasskey,
} from '../../../domain/passkey/passkey.endpoints.ts';
import { RequestAborted } from '../../lib/api-error.ts';
import { showToast } from '../../lib/toasts.ts';

const load = async () => import('@simplewebauthn/browser');

type MadeKey = RequestOf<typeof addPasskey>['body']['response'];
type UsedKey = RequestOf<typeof loginWithPasskey>['body']['response'];

/** Whether this browser has passkeys. */
export function hasPasskeys(): boolean {
  return typeof window.PublicKeyCredential === 'function';
}

/** Lets the browser make a passkey. @throws RequestAborted when it makes none */
export async function makePasskey(
  optionsJSON: ResponseOf<typeof getPasskeyOptions>,
): Promise<MadeKey> {
  const { startRegistration } = await load();
  return startRegistration({ optionsJSON }).catch(giveUp);
}

/** Lets a person use a passkey. @throws RequestAborted when none is used */
export async function askForPasskey(
  optionsJSON: ResponseOf<typeof getLoginOptions>,
): Promise<UsedKey> {
  const { startAuthentication } = await load();
  return startAuthentication({ optionsJSON }).catch(giveUp);
}

/**
 * Offers passkeys in a field with `autocomplete="username webauthn"`, until another use of one begins or the signal aborts.
 * @returns null when none was chosen
 */
export async function offerPasskeys(
  optionsJSON: ResponseOf<typeof getLoginOptions>,
  signal: AbortSignal,
): Promise<UsedKey | null> {
  const { browserSupportsWebAuthnAutofill, startAuthentication, WebAuthnAbortService } =
    await load();
  if (signal.aborted || !(await browserSupportsWebAuthnAutofill())) return null;
  signal.addEventListener('abort', () => WebAuthnAbortService.cancelCeremony());
  return startAuthentication({ optionsJSON, useBrowserAutofill: true }).catch(() => null);
}

/** Browsers say the same when a person declines and when time is up, so nothing is said to who declined. */
function giveUp(error: unknown): never {
  const isDeclined = error instanceof Error && error.name === 'NotAllowedError';
  if (!isDeclined) {
    showToast({
      tone: 'error',
      title: 'Passnøkkelen kunne ikke brukes',
      description: 'Prøv igjen, eller bruk kode på e-post.',
    });
  }
  throw new RequestAborted();
}
