const KEY = 'faktur.typed-email';

/** Why a code was asked for, so that another one is asked for in the same way. */
export type CodePurpose = 'login' | 'signup';

interface Typed {
  readonly email: string;
  readonly purpose: CodePurpose;
}

const NOTHING: Typed = { email: '', purpose: 'login' };

/** Keeps the address from the login screen to the code screen, also over a reload. */
export function rememberEmail(email: string, purpose: CodePurpose): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify({ email, purpose }));
  } catch {
    // Storage may be switched off; then the code screen asks for the address again.
  }
}

export function rememberedEmail(): Typed {
  try {
    return { ...NOTHING, ...(JSON.parse(sessionStorage.getItem(KEY) ?? '{}') as Partial<Typed>) };
  } catch {
    return NOTHING;
  }
}
