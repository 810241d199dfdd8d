import { createHash, type Hash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';

import type { FastifyRequest } from 'fastify';
import { sql } from 'kysely';

import { makesSomething, type Endpoint } from '../../../domain/api/endpoint.ts';
import { AppError, statusOf } from '../../errors.ts';
import { Cipher, keyedHash } from '../crypto.ts';
import { KEPT_HOURS, underWay, type CallKey } from '../db/call-key.ts';
import type { Db } from '../db/database.ts';
import { requestContext } from '../log/log.ts';
import { uploadOf } from './bodies.ts';

/** Where answers are kept, and the secret that they are encrypted with. */
export interface AnswerStore {
  readonly db: Db;
  readonly secretKey: string;
}

/** An answer as it is sent. */
export interface Answer {
  readonly status: number;
  /** JSON; empty when there is none. */
  readonly body: string | AsyncIterable<string | Uint8Array>;
}

const KEY = /^[\x20-\x7E]{1,100}$/;
/** Larger answers are not kept (bytes). */
const MOST_KEPT = 1024 * 1024;
/** Longest wait for the answer of the first call (milliseconds). */
const PATIENCE = 4000;
const PAUSE = 100;
/** No call takes longer (seconds). A key without an answer is of one that ended without it. */
const LONGEST_CALL = 180;

/**
 * The `Idempotency-Key` of a call that makes something; null without one.
 * @throws AppError validation_failed
 */
export function keyOf(endpoint: Endpoint, request: FastifyRequest): string | null {
  const { 'idempotency-key': key } = request.headers;
  if (!makesSomething(endpoint) || key === undefined || key === '') return null;
  if (typeof key !== 'string' || !KEY.test(key)) {
    throw new AppError('validation_failed', {
      detail: [{ message: 'Idempotency-Key must have 1 to 100 printable ASCII characters' }],
    });
  }
  return key;
}

/**
 * Answers a call by what its key was answered first, or makes what it asks for and keeps the answer (WIRE-22).
 *
 * The key is claimed in the first transaction of the call (`claimingKeys`), so a killed process leaves what was made
 * and the key, or neither. A refusal gives the key back. After a fault of ours it stays, without an answer: nobody
 * knows whether the thing was made.
 *
 * @throws AppError idempotency_key_used, idempotency_key_under_way, idempotency_key_unanswered, and what `make` throws
 */
export async function answerOnce(
  { db, secretKey }: AnswerStore,
  request: FastifyRequest,
  key: string,
  make: () => Promise<Answer>,
): Promise<Answer> {
  const call = requestContext.getStore()?.call;
  if (!call) throw new TypeError('A key belongs to a call');
  const { accountId, company } = request.requireCaller();
  const name = JSON.stringify([accountId, company?.companyId ?? null, key]);
  const hashed = hashBody(request);
  const claim: CallKey = {
    id: keyedHash(secretKey, 'idempotency-key', name),
    accountId,
    requestHash: hashed.known,
    isClaimed: false,
  };
  // Answers may contain tokens that no table has in the clear: they are read with the caller's key alone.
  const cipher = new Cipher(keyedHash(secretKey, 'idempotency-answer', name));
  const first = await find(db, claim);
  if (first) return replay(db, claim, first, { hashed, cipher });
  call.key = claim;
  let answer: Answer;
  try {
    answer = await make();
  } catch (error) {
    if (claim.isClaimed) {
      if (isRefusal(error)) await giveBack(db, claim);
      throw error;
    }
    // Another call may have made it meanwhile, and this one may be refused because of that.
    const other = await find(db, claim);
    if (other) return await replay(db, claim, other, { hashed, cipher });
    throw error;
  } finally {
    // Work that goes on after the call claims nothing.
    delete call.key;
  }
  const { body, isWhole } = await beginningOf(answer.body);
  if (isWhole) {
    try {
      await keep(db, claim, {
        hash: await hashed.whole(),
        status: answer.status,
        answer: cipher.encrypt(body),
      });
    } catch (error) {
      // It is made, and its maker should know.
      request.log.error({ err: error }, 'The answer of an Idempotency-Key was not kept');
    }
  }
  return { status: answer.status, body };
}

interface Hashed {
  /** Null when the body is an upload that is not read yet. */
  readonly known: Buffer | null;
  /** Reads the rest of an upload. */
  whole(): Promise<Buffer>;
}

/** The hash of a call's method, address and body. */
function hashBody(request: FastifyRequest): Hashed {
  const hash = createHash('sha256').update(`${request.method} ${request.url}\n`);
  if (request.routeOptions.config.endpoint?.upload === undefined) {
    const known = hash.update(JSON.stringify(request.body) ?? '').digest();
    return { known, whole: async () => known };
  }
  const upload = hashing(uploadOf(request), hash);
  request.body = upload;
  let digest: Buffer | undefined;
  return {
    known: null,
    async whole() {
      for (;;) if ((await upload.next()).done) break;
      return (digest ??= hash.digest());
    },
  };
}

async function* hashing(file: AsyncIterable<Buffer>, hash: Hash): AsyncGenerator<Buffer> {
  for await (const chunk of file) {
    hash.update(chunk);
    yield chunk;
  }
}

interface Kept {
  readonly requestHash: Uint8Array | null;
  readonly status: number | null;
  readonly answer: Uint8Array | null;
  /** Seconds since it was claimed. */
  readonly age: number;
}

async function find(db: Db, { id }: CallKey): Promise<Kept | undefined> {
  return db
    .selectFrom('idempotencyKey')
    .select(['requestHash', 'status', 'answer'])
    .select(sql<number>`extract(epoch FROM now() - created_at)::int`.as('age'))
    .where('id', '=', id)
    .where(sql<boolean>`created_at >= now() - make_interval(hours => ${KEPT_HOURS})`)
    .executeTakeFirst();
}

/** The answer that the first call got, when it has been answered. */
async function replay(
  db: Db,
  claim: CallKey,
  first: Kept,
  { hashed, cipher }: { readonly hashed: Hashed; readonly cipher: Cipher },
): Promise<Answer> {
  const hash = await hashed.whole();
  const deadline = performance.now() + PATIENCE;
  for (let kept: Kept | undefined = first; kept; kept = await find(db, claim)) {
    const { requestHash, status, answer, age } = kept;
    if (requestHash && !hash.equals(requestHash)) throw new AppError('idempotency_key_used');
    if (status !== null && answer) return { status, body: cipher.decrypt(answer) };
    if (age > LONGEST_CALL) throw new AppError('idempotency_key_unanswered');
    if (performance.now() > deadline) break;
    await delay(PAUSE);
  }
  throw underWay();
}

async function keep(
  db: Db,
  { id, accountId }: CallKey,
  { hash, status, answer }: { hash: Buffer; status: number; answer: Buffer },
): Promise<void> {
  // A call that wrote without a transaction has not claimed it.
  await db
    .insertInto('idempotencyKey')
    .values({ id, accountId, requestHash: hash, status, answer })
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet({ requestHash: hash, status, answer }),
    )
    .execute();
}

async function giveBack(db: Db, { id }: CallKey): Promise<void> {
  await db.deleteFrom('idempotencyKey').where('id', '=', id).where('answer', 'is', null).execute();
}

/** Whether the call was answered that it cannot be done, so that nothing was made. */
function isRefusal(error: unknown): boolean {
  const status =
    error instanceof AppError ? statusOf(error) : (error as { statusCode?: number }).statusCode;
  return status !== undefined && status < 500;
}

/** A text as far as it may be kept, and otherwise the text as it comes. */
async function beginningOf(
  body: Answer['body'],
): Promise<
  { body: string; isWhole: true } | { body: AsyncIterable<string | Uint8Array>; isWhole: false }
> {
  if (typeof body === 'string') return { body, isWhole: true };
  const chunks = body[Symbol.asyncIterator]();
  const read: Buffer[] = [];
  for (let size = 0; size <= MOST_KEPT; size += read.at(-1)?.length ?? 0) {
    const next = await chunks.next();
    if (next.done) return { body: Buffer.concat(read).toString(), isWhole: true };
    read.push(Buffer.from(next.value));
  }
  async function* all(): AsyncGenerator<string | Uint8Array> {
    yield* read;
    yield* { [Symbol.asyncIterator]: () => chunks };
  }
  return { body: all(), isWhole: false };
}

/** Deletes the keys that have expired. */
export async function deleteOldKeys(db: Db): Promise<void> {
  await sql`DELETE FROM idempotency_key
    WHERE created_at < now() - make_interval(hours => ${KEPT_HOURS})`.execute(db);
}
