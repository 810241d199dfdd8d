import { withStorage } from '../../lib/storage.ts';

const KEY = 'faktur.typed-email';

/** The reason for a code, so that another one is requested in the same way. */
export type CodePurpose = 'login' | 'signup';

interface Sent {
  readonly email: string;
  readonly purpose: CodePurpose;
}

interface Kept extends Sent {
  /** Typed after that, and not sent. */
  readonly typed?: string;
}

const NOTHING: Kept = { email: '', purpose: 'login' };

/** Keeps the address from the login screen for the code screen, also after a reload. */
export function rememberEmail(email: string, purpose: CodePurpose): void {
  keep({ email, purpose });
}

/** Keeps the typed address between the login and the registration screens. */
export function rememberTyped(typed: string): void {
  keep({ ...read(), typed });
}

export function rememberedEmail(): Sent {
  const { email, purpose } = read();
  return { email, purpose };
}

export function typedEmail(): string {
  const { typed, email } = read();
  return typed ?? email;
}

function keep(kept: Kept): void {
  withStorage((storage) => storage.setItem(KEY, JSON.stringify(kept)), 'sessionStorage');
}

/** Storage may be switched off; then the code screen asks for the address again. */
function read(): Kept {
  const kept = withStorage((storage) => storage.getItem(KEY), 'sessionStorage');
  return { ...NOTHING, ...(JSON.parse(kept ?? '{}') as Partial<Kept>) };
}
