import { ApiError, ConnectionLost } from './api-error.ts';

/**
 * A file that the server makes, with the session's cookie.
 *
 * @throws ApiError for every answer that is not a success
 * @throws ConnectionLost when no answer came, or not all of it
 */
export async function fetchFile(url: string, name: string): Promise<File> {
  const { response, bytes } = await answerTo(url);
  const { status, statusText } = response;
  if (!response.ok) throw new ApiError({ url, status, statusText, body: await bytes.text() });
  return new File([bytes], name, { type: bytes.type });
}

/** The whole answer: its line may break off in the middle, too. */
async function answerTo(url: string): Promise<{ response: Response; bytes: Blob }> {
  try {
    const response = await fetch(url, { credentials: 'include' });
    return { response, bytes: await response.blob() };
  } catch (error) {
    throw new ConnectionLost(error);
  }
}
