import type { z } from 'zod';

import {
  MOST_LINKS,
  type newOverviewLink,
  type OverviewLink,
  type OverviewLinkForm,
} from '../../domain/overview/overview-link.schema.ts';
import type { SharedLinks } from '../account/member.service.ts';
import { lockCompany } from '../company/profile.repository.ts';
import type { Actor, Context } from '../context.ts';
import { AppError } from '../errors.ts';
import { authorOf } from '../invoice/history.repository.ts';
import { sha256 } from '../platform/crypto.ts';
import { makeLinkToken } from '../platform/http/shared-link.ts';
import * as repository from './overview-link.repository.ts';
import type { UsedLink } from './overview-link.repository.ts';

/** The company's links, the latest first; ended ones for 30 days. */
export async function listLinks({ db }: Context, { companyId }: Actor): Promise<OverviewLink[]> {
  return (await repository.listLinks(db, companyId)).map(toLink);
}

/** Makes a link. Nobody learns its address later. @throws AppError too_many_links */
export async function createLink(
  { config, db }: Context,
  actor: Actor,
  form: OverviewLinkForm,
): Promise<z.input<typeof newOverviewLink>> {
  const { companyId } = actor;
  const token = makeLinkToken();
  const row = await db.transaction().execute(async (trx) => {
    await lockCompany(trx, companyId);
    if ((await repository.countLive(trx, companyId)) >= MOST_LINKS) {
      throw new AppError('too_many_links');
    }
    const { accountId } = actor;
    const added = { form, tokenHash: sha256(token), by: authorOf(actor), accountId };
    return repository.insertLink(trx, companyId, added);
  });
  const url = `${config.publicUrl}/delt/${token}/`;
  return { ...toLink({ ...row, lastUsedAt: null, daysUsed: 0 }), url };
}

/** Ends a link at once. @throws AppError not_found */
export async function deleteLink(
  { db }: Context,
  { companyId }: Actor,
  uuid: string,
): Promise<undefined> {
  await db.transaction().execute(async (trx) => {
    if (!(await repository.revokeLink(trx, companyId, uuid))) throw new AppError('not_found');
  });
}

/** The links to the overview, for the members who shared them. */
export const overviewLinks: SharedLinks = {
  findOpen: repository.findOpenLinks,
  end: repository.endLinks,
  keep: repository.keepLinks,
};

function toLink(row: UsedLink): OverviewLink {
  return {
    uuid: row.uuid,
    name: row.name,
    shows: [...row.shows],
    from: row.fromDate,
    to: row.toDate,
    period: row.period,
    email: row.email,
    createdAt: row.createdAt.toISOString(),
    expiresAt: row.expiresAt.toISOString(),
    revokedAt: row.revokedAt?.toISOString() ?? null,
    lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
    daysUsed: row.daysUsed,
  };
}

/** Deletes links a month after their end (OVER-14). */
export async function deleteOldLinks({ db }: Pick<Context, 'db'>): Promise<void> {
  await repository.deleteOld(db);
}
