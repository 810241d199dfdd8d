const KEY = 'faktur.typed-email';

/** Why a code was asked for, so that another one is asked for in the same way. */
export type CodePurpose = 'login' | 'signup';

/** To whom a code was sent last. */
interface Sent {
  readonly email: string;
  readonly purpose: CodePurpose;
}

interface Kept extends Sent {
  /** What was typed since, and not sent. */
  readonly typed?: string;
}

const NOTHING: Kept = { email: '', purpose: 'login' };

/** Keeps the address from the login screen to the code screen, also over a reload. */
export function rememberEmail(email: string, purpose: CodePurpose): void {
  keep({ email, purpose });
}

/** Keeps what is typed from the login screen to the registration, and back. */
export function rememberTyped(typed: string): void {
  keep({ ...read(), typed });
}

export function rememberedEmail(): Sent {
  const { email, purpose } = read();
  return { email, purpose };
}

/** What the field begins with. */
export function typedEmail(): string {
  const { typed, email } = read();
  return typed ?? email;
}

function keep(kept: Kept): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(kept));
  } catch {
    // Storage may be switched off; then the code screen asks for the address again.
  }
}

function read(): Kept {
  try {
    return { ...NOTHING, ...(JSON.parse(sessionStorage.getItem(KEY) ?? '{}') as Partial<Kept>) };
  } catch {
    return NOTHING;
  }
}
