import type { Actor, Context } from '../../context.ts';
import type { Db } from '../../platform/db/database.ts';
import { AppError } from '../../errors.ts';
import { tryEach } from '../../platform/limits/try-each.ts';
import { deleteEntries } from './bank-entry.repository.ts';
import * as repository from './bank-file.repository.ts';
import { lockFile } from './bank-file.service.ts';

/** Entries deleted per statement: bounds how long others of the company wait. */
const REMOVED_AT_ONCE = 5000;
/** Minutes after which an incomplete file counts as interrupted. */
const CUT_OFF_AFTER = 60;
const PREVIEW_DAYS = 30;
const PREVIEWS_KEPT = 20;

/** Deletes a file without booked entries. @throws AppError not_found, bank_file_booked */
export async function forgetFile(
  { db }: Context,
  { companyId }: Actor,
  uuid: string,
): Promise<void> {
  const id = await db.transaction().execute(async (trx) => {
    const file = await lockFile(trx, companyId, uuid);
    if (file.state !== 'PREVIEW') throw new AppError('bank_file_booked');
    await repository.updateFile(trx, companyId, file.id, { state: 'INCOMPLETE' });
    return file.id;
  });
  await removeIncomplete(db, companyId, id);
}

/** Deletes a hidden file in batches. */
export async function removeIncomplete(db: Db, companyId: number, id: number): Promise<void> {
  while (await deleteEntries(db, companyId, id, REMOVED_AT_ONCE));
  await repository.deleteFile(db, companyId, id);
}

/** Deletes files whose reading or removal was interrupted. */
export async function removeCutOff({ db }: Pick<Context, 'db'>): Promise<void> {
  await tryEach(await repository.findCutOff(db, CUT_OFF_AFTER), async ({ companyId, id }) =>
    removeIncomplete(db, companyId, id),
  );
}

/** Deletes previews after 30 days, and all but the newest 20 of a company (BANK-8). */
export async function removeOldPreviews({ db }: Pick<Context, 'db'>): Promise<void> {
  const old = await repository.findOldPreviews(db, { days: PREVIEW_DAYS, kept: PREVIEWS_KEPT });
  await tryEach(old, async ({ companyId, id }) => {
    if (await repository.hidePreview(db, companyId, id)) await removeIncomplete(db, companyId, id);
  });
}
