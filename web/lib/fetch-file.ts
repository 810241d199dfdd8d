import { ApiError, ConnectionLost } from './api-error.ts';

/**
 * Fetches a file from the server with the session cookie.
 *
 * @throws ApiError when the status is not 2xx
 * @throws ConnectionLost when no response arrives, or only a part of it
 */
export async function fetchFile(url: string, name: string): Promise<File> {
  const { response, bytes } = await answerTo(url);
  const { status, statusText } = response;
  if (!response.ok) throw new ApiError({ url, status, statusText, body: await bytes.text() });
  return new File([bytes], name, { type: bytes.type });
}

/** Reads the whole response, because the connection may also break while the body arrives. */
async function answerTo(url: string): Promise<{ response: Response; bytes: Blob }> {
  try {
    const response = await fetch(url, { credentials: 'include' });
    return { response, bytes: await response.blob() };
  } catch (error) {
    throw new ConnectionLost(error);
  }
}
