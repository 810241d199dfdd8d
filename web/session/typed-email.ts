const KEY = 'faktur.typed-email';

/** Keeps the address between the login and the code screen, also when the page is loaded anew. */
export function rememberEmail(email: string): void {
  try {
    sessionStorage.setItem(KEY, email);
  } catch {
    // Storage may be switched off; then the code screen asks for the address again.
  }
}

export function rememberedEmail(): string {
  try {
    return sessionStorage.getItem(KEY) ?? '';
  } catch {
    return '';
  }
}
