import type { EhfAgreement } from '../../../../domain/ehf/ehf.schema.ts';
import type { Actor, Context } from '../../../context.ts';
import type { Db } from '../../../platform/db/database.ts';
import { AppError } from '../../../errors.ts';
import { getProfile } from '../../../company/profile.service.ts';
import { findOwners } from '../../../account/account.repository.ts';
import * as repository from './ehf.repository.ts';
import type { AgreementRow } from './ehf.repository.ts';

/** The company's agreement to send EHF. */
export async function getAgreement(context: Context, actor: Actor): Promise<EhfAgreement> {
  const row = await repository.findAgreement(context.db, actor.companyId);
  if (row) return toAgreement(row);
  const { orgNumber } = await getProfile(context, actor);
  return { status: 'NONE', orgNumber, requestedAt: null, approvedAt: null };
}

/** Requests the agreement. @throws AppError profile_incomplete, since the operator must see who requests it */
export async function requestAgreement(context: Context, actor: Actor): Promise<EhfAgreement> {
  const { orgNumber, isProfileCompleted } = await getProfile(context, actor);
  if (!isProfileCompleted || orgNumber === null) throw new AppError('profile_incomplete');
  await context.db
    .transaction()
    .execute(async (trx) => repository.request(trx, actor.companyId, orgNumber));
  return getAgreement(context, actor);
}

function toAgreement({ status, orgNumber, requestedAt, approvedAt }: AgreementRow): EhfAgreement {
  return {
    status,
    orgNumber,
    requestedAt: requestedAt.toISOString(),
    approvedAt: status === 'ACTIVE' ? (approvedAt?.toISOString() ?? null) : null,
  };
}

/** An agreement as an operator sees it. */
export interface ListedAgreement extends Pick<AgreementRow, 'status' | 'orgNumber' | 'entity'> {
  readonly email: string;
  readonly companyName: string | null;
  readonly since: Date;
}

/** All agreements, requested ones first. */
export async function listAgreements(db: Db): Promise<ListedAgreement[]> {
  const rows = await repository.listAgreements(db);
  const owners = await findOwners(
    db,
    rows.map(({ companyId }) => companyId),
  );
  return rows.map((row) => {
    const { companyId, status, orgNumber, entity } = row;
    const since = row.revokedAt ?? row.approvedAt ?? row.requestedAt;
    const { email = '', companyName = null } = owners.get(companyId) ?? {};
    return { status, orgNumber, entity, email, companyName, since };
  });
}

/** The result of an operator's answer. */
type Answered = { readonly orgNumber: string } | 'nothing to answer';

/** Approves a company's agreement. @param entity the company's name at the access point, if it has one */
export async function approveAgreement(
  db: Db,
  companyId: number,
  entity: string | null,
): Promise<Answered> {
  return toAnswered(await repository.approve(db, companyId, entity));
}

/** Revokes a company's agreement. */
export async function revokeAgreement(db: Db, companyId: number): Promise<Answered> {
  return toAnswered(await repository.revoke(db, companyId));
}

function toAnswered(orgNumber: string | null): Answered {
  return orgNumber === null ? 'nothing to answer' : { orgNumber };
}
