const KEY = 'faktur.typed-email';

/** What a code was asked for, to ask for another one in the same way. */
export type CodePurpose = 'login' | 'signup';

interface Typed {
  readonly email: string;
  readonly purpose: CodePurpose;
}

const NOTHING: Typed = { email: '', purpose: 'login' };

/** Keeps the address between the login and the code screen, also when the page is loaded anew. */
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
