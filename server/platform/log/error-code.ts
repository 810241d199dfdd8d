/** The code of an error of Node or a library, such as ENOENT; '' when it has none. */
export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
