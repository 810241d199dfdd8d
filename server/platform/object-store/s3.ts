import { addAbortSignal, type Readable } from 'node:stream';

import {
  DeleteObjectCommand,
  GetObjectCommand,
  NoSuchKey,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';

import { readAtMost } from '../limits/fetch-text.ts';
import { rootCause } from '../log/outside-error.ts';
import { ObjectStoreAway, type ObjectStore, type S3Settings } from './object-store.ts';

/** In milliseconds. */
interface Limits {
  readonly connect: number;
  /** One try, until its answer begins. */
  readonly try: number;
  /** A whole call with its retries and all bytes. */
  readonly call: number;
}

const LIMITS: Limits = { connect: 2_000, try: 5_000, call: 12_000 };
const TRIES = 2;
/** The deliveries that one process makes at once, and as many for users. */
const CONNECTIONS = 50;
/** Our objects are below a megabyte; a larger one is not ours. */
const MOST_BYTES = 50_000_000;

/** Opens a bucket of Amazon S3 or a compatible server. */
export function openS3(
  { bucket: Bucket, endpoint, region, credentials, takesNew }: S3Settings,
  limits: Limits = LIMITS,
): ObjectStore {
  const explained = within(limits.call);
  const client = new S3Client({
    region,
    ...(endpoint !== null && { endpoint, forcePathStyle: true }),
    ...(credentials && { credentials }),
    // Many servers do not know the newer checksums. The signature of each call covers the SHA-256 of the body, and
    // our rows have the SHA-256 of what is read.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: TRIES,
    requestHandler: {
      connectionTimeout: limits.connect,
      requestTimeout: limits.try,
      throwOnRequestTimeout: true,
      httpAgent: { keepAlive: true, maxSockets: CONNECTIONS },
      httpsAgent: { keepAlive: true, maxSockets: CONNECTIONS },
    },
  });

  return {
    takesNew,
    put: async (Key, content) =>
      explained(async (abortSignal) => {
        const input = { Bucket, Key, Body: content, ContentLength: content.byteLength };
        await client.send(new PutObjectCommand(input), { abortSignal });
      }),
    get: async (Key) =>
      explained(async (abortSignal) => {
        try {
          const { Body } = await client.send(new GetObjectCommand({ Bucket, Key }), {
            abortSignal,
          });
          return Body ? await readAll(Body as Readable, abortSignal) : null;
        } catch (error) {
          if (error instanceof NoSuchKey) return null;
          throw error;
        }
      }),
    delete: async (Key) =>
      explained(async (abortSignal) => {
        try {
          await client.send(new DeleteObjectCommand({ Bucket, Key }), { abortSignal });
        } catch (error) {
          // Amazon's answer is 204 also then; others differ.
          if (!(error instanceof S3ServiceException) || error.name !== 'NoSuchKey') throw error;
        }
      }),
    close: () => client.destroy(),
  };
}

/** The client's own limits end with the first byte; this one covers the whole body. */
async function readAll(body: Readable, signal: AbortSignal): Promise<Buffer> {
  const content = await readAtMost(addAbortSignal(signal, body), MOST_BYTES);
  if (content === null) throw new Error('It is larger than any document');
  return content;
}

class TooLate extends Error {
  override readonly message = 'No answer in time';
}

/** Runs calls with a time limit in milliseconds. */
function within(limit: number) {
  return async <T>(call: (signal: AbortSignal) => Promise<T>): Promise<T> => {
    const signal = AbortSignal.timeout(limit);
    try {
      return await call(signal);
    } catch (error) {
      throw explain(signal.aborted ? new TooLate() : error);
    }
  };
}

function explain(error: unknown): ObjectStoreAway {
  const isAnswer = error instanceof S3ServiceException;
  const status = isAnswer ? (error.$metadata.httpStatusCode ?? 0) : 0;
  const reason = isAnswer ? `${error.name}: ${error.message}` : reasonOf(error);
  // Except for "later", every refusal concerns the settings or their rights.
  const isUrgent =
    (status >= 300 && status < 500 && ![408, 409, 429].includes(status)) ||
    MISTAKEN.has(codeOf(error));
  return new ObjectStoreAway(`S3 did not do it (${reason})`, {
    advice: isUrgent
      ? 'look at DOCUMENT_STORE, the AWS_… variables and what they may do with the bucket'
      : 'documents wait for S3, and are tried again',
    isUrgent,
    cause: error,
  });
}

/** Unknown host names, invalid certificates, missing credentials: none passes by itself. */
const MISTAKEN = new Set([
  'CredentialsProviderError',
  'ENOTFOUND',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'CERT_HAS_EXPIRED',
  'ERR_TLS_CERT_ALTNAME_INVALID',
]);

function codeOf(error: unknown): string {
  const cause: NodeJS.ErrnoException = rootCause(error);
  return cause.code ?? cause.name;
}

function reasonOf(error: unknown): string {
  const { name, message } = rootCause(error);
  return message === '' ? name : message;
}
