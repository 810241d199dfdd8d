/** What Node or a library calls an error, such as ENOENT; '' where it has no code. */
export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
