import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { sql, type RawBuilder } from 'kysely';

import type { ExportKind } from '../../domain/export/export.schema.ts';
import type { ExportScope } from '../export/books.ts';
import { beginByFetch, insertExport } from '../export/export.repository.ts';
import type { FileTask } from '../export/file-maker.ts';
import { sumUp } from '../export/open-books.ts';
import { SYSTEM } from '../invoice/history.repository.ts';
import type { Db } from '../platform/db/database.ts';
import type { TestApp } from './app.ts';
import type { Answer, TestClient } from './client.ts';
import { until } from './until.ts';

const run = promisify(execFile);

/** An export as the API answers it. */
export interface AnsweredExport {
  readonly uuid: string;
  readonly state: string;
  readonly sha256: string | null;
  readonly expires_at: string;
  readonly sent_to: string | null;
  readonly link_sent_at: string | null;
  readonly first_number: number | null;
  readonly last_number: number | null;
}

export const ALL_YEARS = { from: '2020-01-01', to: '2035-12-31' };

/** Asks for an export of all years, or as the changes say. */
export async function askForExport(client: TestClient, changes: object = {}): Promise<Answer> {
  return client.post('/api/exports/', { kind: 'DOCUMENTS', ...ALL_YEARS, ...changes });
}

/** Waits until an export is in this state. */
export async function untilExport(
  client: TestClient,
  uuid: string,
  state = 'DONE',
): Promise<AnsweredExport> {
  return until(
    async () => (await client.get(`/api/exports/${uuid}/`)).body as AnsweredExport,
    (answered) => answered.state === state,
    // A job's file is made while nobody else needs a processor.
    240_000,
    150,
  );
}

/** Makes an export by a job, and returns it when it is done. */
export async function makeExport(
  client: TestClient,
  changes: object = {},
): Promise<AnsweredExport> {
  const asked = await askForExport(client, changes);
  if (asked.status !== 201) throw new Error(`The export got ${asked.status}: ${asked.text}`);
  return untilExport(client, (asked.body as AnsweredExport).uuid);
}

/** Begins to make an export as one who fetches its file: housekeeping gives it no job. */
export async function beginMaking(
  db: Db,
  wanted: ExportScope,
  kind: ExportKind,
): Promise<FileTask> {
  const { scope, sums } = await sumUp(db, wanted);
  const added = { kind, scope, sums, byJob: false, sentTo: null, by: SYSTEM };
  const name = await db.transaction().execute(async (trx) => insertExport(trx, added));
  const row = await beginByFetch(db, name);
  if (!row) throw new Error('The making did not begin');
  return { row, listed: scope.listed ?? null };
}

/** The bytes at an address, as the client's session gets them. */
export async function bytesAt(
  { app }: Pick<TestApp, 'app'>,
  client: TestClient,
  url: string,
): Promise<Buffer> {
  const { rawPayload } = await app.http.inject({ url, headers: { cookie: client.cookieHeader } });
  return rawPayload;
}

/** The names of the files in a ZIP, after a test of all of its bytes by a program of others. */
export async function namesInZip(content: Uint8Array): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'faktur-zip-'));
  const path = join(folder, 'file.zip');
  try {
    await writeFile(path, content);
    await run('unzip', ['-tq', path]);
    const { stdout } = await run('unzip', ['-Z1', path]);
    return stdout.split('\n').filter(Boolean);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Moves the end of an export into the past. */
export async function expire(db: Db, companyId: number, uuid: string): Promise<void> {
  await changeExport(db, sql`expires_at = now() - interval '1 minute'`, { companyId, uuid });
}

/** Changes an export as the database itself never allows. */
export async function changeExport(
  db: Db,
  change: RawBuilder<unknown>,
  { companyId, uuid }: { readonly companyId: number; readonly uuid: string },
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await sql`ALTER TABLE export DISABLE TRIGGER USER`.execute(trx);
    await sql`UPDATE export SET ${change} WHERE company_id = ${companyId} AND uuid = ${uuid}`.execute(
      trx,
    );
    await sql`ALTER TABLE export ENABLE TRIGGER USER`.execute(trx);
  });
}
