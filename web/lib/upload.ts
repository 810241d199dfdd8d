import { toWireText } from '../../domain/api/case.ts';
import type { Endpoint, RequestOf, ResponseOf } from '../../domain/api/endpoint.ts';
import { ConnectionLost, RequestAborted } from './api-error.ts';
import { headers, read, urlOf, withKey, type Answer, type LooseRequest } from './client.ts';

export interface Sending {
  readonly onProgress?: (share: number) => void;
  readonly signal?: AbortSignal;
}

/**
 * Uploads a file's bytes unchanged.
 *
 * @returns the response, and whether the file is new to the server (status 201)
 * @throws the same errors as `call`
 */
export async function upload<E extends Endpoint>(
  endpoint: E,
  request: Pick<RequestOf<E>, ('params' | 'query') & keyof RequestOf<E>>,
  file: Blob,
  sending: Sending = {},
): Promise<{ answer: ResponseOf<E>; isNew: boolean }> {
  // Another file of the same name is no second try of this one. Phones date a file anew whenever it is chosen.
  const url = `${urlOf(endpoint, request)} ${file.size}`;
  const answer = await withKey(endpoint, { url, text: null }, async (key) =>
    sendWithProgress(endpoint, request, file, sending, key),
  );
  return { answer: read(answer) as ResponseOf<E>, isNew: answer.status === 201 };
}

/** The same as `call`, with upload progress, for large bodies. */
export async function callWithProgress<E extends Endpoint>(
  endpoint: E,
  request: RequestOf<E>,
  sending: Sending,
): Promise<ResponseOf<E>> {
  const { body, ...address } = request as LooseRequest;
  const text = toWireText(body);
  const json = new Blob([text], { type: 'application/json' });
  const answer = await withKey(endpoint, { url: urlOf(endpoint, address), text }, async (key) =>
    sendWithProgress(endpoint, address, json, sending, key),
  );
  return read(answer) as ResponseOf<E>;
}

/** Uses XMLHttpRequest because fetch does not report upload progress. */
async function sendWithProgress(
  endpoint: Endpoint,
  address: LooseRequest,
  content: Blob,
  { onProgress, signal }: Sending,
  key: Readonly<Record<string, string>>,
): Promise<Answer> {
  const url = urlOf(endpoint, address);
  const sent = new XMLHttpRequest();
  const abort = () => sent.abort();
  const answered = new Promise<Answer>((resolve, reject) => {
    sent.upload.addEventListener('progress', ({ loaded, total }) => onProgress?.(loaded / total));
    sent.addEventListener('load', () => {
      const { status, statusText, responseText: text } = sent;
      const isUnderWay = status === 409 && sent.getResponseHeader('retry-after') !== null;
      resolve({ url, status, statusText, isUnderWay, text });
    });
    sent.addEventListener('abort', () => reject(new RequestAborted()));
    sent.addEventListener('error', () => reject(new ConnectionLost(undefined)));
  });
  sent.open(endpoint.method, url);
  for (const [name, value] of Object.entries({ ...headers(), ...key })) {
    sent.setRequestHeader(name, value);
  }
  const isAsItIs = endpoint.upload !== undefined && !endpoint.uploadTypes;
  const type = isAsItIs ? 'application/octet-stream' : content.type;
  sent.setRequestHeader('content-type', type);
  sent.send(content);
  signal?.addEventListener('abort', abort);
  if (signal?.aborted) abort();
  return answered.finally(() => signal?.removeEventListener('abort', abort));
}
