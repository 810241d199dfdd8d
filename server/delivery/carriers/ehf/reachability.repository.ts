import { sql, type Selectable } from 'kysely';

import type { Db } from '../../../platform/db/database.ts';
import type { Tables } from '../../../platform/db/tables.ts';
import type { PeppolType } from './participant.ts';

type AnswerRow = Selectable<Tables['peppolAnswer']>;
type Answer = Pick<AnswerRow, 'outcome' | 'checkedAt'>;

/** How long an answer is believed (seconds): a new receiver may be registered at any time. */
const YES_LASTS = 24 * 3600;
const NO_LASTS = 3600;

const IS_BELIEVED = sql<boolean>`checked_at > now() - make_interval(secs =>
  CASE outcome WHEN 'REACHABLE' THEN ${YES_LASTS}::integer ELSE ${NO_LASTS}::integer END)`;

interface Asked {
  readonly companyId: number;
  readonly orgNumber: string;
  readonly documentType: PeppolType;
}

/** The network's latest answer, unless it is too old. */
export async function findAnswer(
  db: Db,
  { companyId, orgNumber, documentType }: Asked,
): Promise<Answer | null> {
  const row = await db
    .selectFrom('peppolAnswer')
    .select(['outcome', 'checkedAt'])
    .where('companyId', '=', companyId)
    .where('orgNumber', '=', orgNumber)
    .where('documentType', '=', documentType)
    .where(IS_BELIEVED)
    .executeTakeFirst();
  return row ?? null;
}

/** All that is believed of a company's receivers. */
export async function findAnswers(
  db: Db,
  companyId: number,
  documentType: PeppolType,
): Promise<Pick<AnswerRow, 'orgNumber' | 'outcome'>[]> {
  return db
    .selectFrom('peppolAnswer')
    .select(['orgNumber', 'outcome'])
    .where('companyId', '=', companyId)
    .where('documentType', '=', documentType)
    .where(IS_BELIEVED)
    .execute();
}

/** Keeps an answer, and returns when it came. */
export async function keepAnswer(
  db: Db,
  { companyId, orgNumber, documentType }: Asked,
  outcome: AnswerRow['outcome'],
): Promise<Date> {
  const { checkedAt } = await db
    .insertInto('peppolAnswer')
    .values({ companyId, orgNumber, documentType, outcome })
    .onConflict((conflict) =>
      conflict
        .columns(['companyId', 'orgNumber', 'documentType'])
        .doUpdateSet({ outcome, checkedAt: sql`now()` }),
    )
    .returning('checkedAt')
    .executeTakeFirstOrThrow();
  return checkedAt;
}
