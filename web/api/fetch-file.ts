import { ApiError, ConnectionLost } from './api-error.ts';

/**
 * A file that the server makes, with the session's cookie.
 *
 * @throws ApiError for every answer that is not a success
 * @throws ConnectionLost when no answer came
 */
export async function fetchFile(url: string, name: string): Promise<File> {
  const response = await answerTo(url);
  const { status, statusText } = response;
  if (!response.ok) throw new ApiError({ url, status, statusText, body: await response.text() });
  const bytes = await response.blob();
  return new File([bytes], name, { type: bytes.type });
}

async function answerTo(url: string): Promise<Response> {
  try {
    return await fetch(url, { credentials: 'include' });
  } catch (error) {
    throw new ConnectionLost(error);
  }
}
