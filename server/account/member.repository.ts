import { sql } from 'kysely';

import type { Invitation } from '../../domain/member/member.schema.ts';
import type { Membership, Role } from '../../domain/permission.ts';
import type { FoundAccount } from '../context.ts';
import type { Db, Trx } from '../platform/db/database.ts';
import type { Row } from '../platform/db/tables.ts';

/** Whether the last day is not over. */
const IS_NOT_ENDED = sql<boolean>`(member.ends_on IS NULL
  OR member.ends_on >= (now() AT TIME ZONE 'Europe/Oslo')::date)`;

/** Whether an invitation works. */
const IS_OPEN = sql<boolean>`(member.account_id IS NULL AND member.expires_at > now() AND ${IS_NOT_ENDED})`;

/**
 * Whether a membership counts now, in a statement that joins its company: where members are off (MEM-2), and in a closed
 * company (CLO-3), only owners have access.
 */
export function isInForce(withMembers: boolean) {
  return sql<boolean>`(member.account_id IS NOT NULL AND ${IS_NOT_ENDED}
    AND ((${sql.lit(withMembers)} AND company.closed_at IS NULL) OR member.role = 'OWNER'))`;
}

/** The columns of a membership in the look-up of a caller. */
export const MEMBERSHIP = sql<FoundAccount>`member.company_id, company.uuid AS company_uuid, company.access_changes,
  company.closed_at IS NOT NULL AS is_closed, member.role, member.may_register, member.may_handle_payments`;

/** The membership of an account in a company that is in force now; null when there is none. */
export async function findMembership(
  db: Db,
  { companyId, accountId }: { readonly companyId: number; readonly accountId: number },
  withMembers: boolean,
): Promise<(Membership & { readonly isClosed: boolean }) | null> {
  const row = await db
    .selectFrom('member')
    .innerJoin('company', 'company.id', 'member.companyId')
    .select(['member.role', 'member.mayRegister', 'member.mayHandlePayments'])
    .select(sql<boolean>`company.closed_at IS NOT NULL`.as('isClosed'))
    .where('member.companyId', '=', companyId)
    .where('member.accountId', '=', accountId)
    .where(isInForce(withMembers))
    .executeTakeFirst();
  return row ?? null;
}

/** A member or an invitation, with the last login of its account. */
export interface MemberRow extends Row<
  'member',
  | 'accountId'
  | 'email'
  | 'endsOn'
  | 'expiresAt'
  | 'invitedAt'
  | 'mayHandlePayments'
  | 'mayRegister'
  | 'name'
  | 'role'
  | 'uuid'
> {
  readonly lastLoginAt: Date | null;
}

/** All members and invitations of a company, owners first; or the one with this uuid. */
export async function findMembers(db: Db, companyId: number, uuid?: string): Promise<MemberRow[]> {
  const query = db
    .selectFrom('member')
    .leftJoin('account', 'account.id', 'member.accountId')
    .select([
      'member.uuid',
      'member.accountId',
      'member.email',
      'member.name',
      'member.role',
      'member.mayRegister',
      'member.mayHandlePayments',
      'member.endsOn',
      'member.invitedAt',
      'member.expiresAt',
      'account.lastLoginAt',
    ])
    .where('member.companyId', '=', companyId)
    .orderBy(sql`member.role <> 'OWNER'`)
    .orderBy('member.email');
  return (uuid === undefined ? query : query.where('member.uuid', '=', uuid)).execute();
}

/** The name of a member, its role, its switches and its last day. */
export interface Access extends Membership {
  readonly endsOn: string | null;
  readonly name: string | null;
}

/** Invites an address, in place of its open invitation. Returns its uuid; null for the address of a member. */
export async function insertInvitation(
  trx: Trx,
  companyId: number,
  {
    email,
    name,
    role,
    mayRegister,
    mayHandlePayments,
    endsOn,
  }: Access & { readonly email: string },
  { days, invitedBy }: { readonly days: number; readonly invitedBy: number },
): Promise<string | null> {
  const open = {
    name,
    role,
    mayRegister,
    mayHandlePayments,
    endsOn,
    invitedAt: sql<Date>`now()`,
    invitedBy,
    expiresAt: sql<Date>`now() + make_interval(days => ${sql.lit(days)})`,
    tokenHash: null,
  };
  const row = await trx
    .insertInto('member')
    .values({ companyId, email, ...open })
    .onConflict((conflict) =>
      conflict
        .columns(['companyId', 'email'])
        .doUpdateSet(open)
        .where('member.accountId', 'is', null),
    )
    .returning('uuid')
    .executeTakeFirst();
  return row?.uuid ?? null;
}

/** Gives an open invitation the token that is mailed; false when there is no such invitation. */
export async function setToken(
  db: Db,
  companyId: number,
  uuid: string,
  tokenHash: Buffer,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('member')
    .set({ tokenHash })
    .where('companyId', '=', companyId)
    .where('uuid', '=', uuid)
    .where('accountId', 'is', null)
    .where(sql<boolean>`expires_at > now()`)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** The invitation with this token, as its mail and its screen tell it; null when it does not work. */
export async function findInvitation(db: Db, tokenHash: Buffer): Promise<Invitation | null> {
  const row = await db
    .selectFrom('member')
    .innerJoin('company', 'company.id', 'member.companyId')
    .leftJoin('member as inviter', (join) =>
      join
        .onRef('inviter.companyId', '=', 'member.companyId')
        .onRef('inviter.accountId', '=', 'member.invitedBy'),
    )
    .select(['member.email', 'member.endsOn', 'member.role', 'company.companyName'])
    .select(['inviter.name as inviterName', 'inviter.email as inviterEmail'])
    .where('member.tokenHash', '=', tokenHash)
    .where(IS_OPEN)
    .executeTakeFirst();
  if (!row) return null;
  const { companyName, inviterName, inviterEmail, ...invited } = row;
  const invitedBy = inviterEmail === null ? null : { name: inviterName, email: inviterEmail };
  return { ...invited, company: companyName ?? '', invitedBy };
}

/** Changes a member or an invitation; false when there is none. The database refuses to lose the last owner. */
export async function updateMember(
  trx: Trx,
  companyId: number,
  uuid: string,
  { name, role, mayRegister, mayHandlePayments, endsOn }: Access,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('member')
    .set({ name, role, mayRegister, mayHandlePayments, endsOn })
    .where('companyId', '=', companyId)
    .where('uuid', '=', uuid)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Removes a member with all tokens for the company, or an invitation; null when there is none. */
export async function deleteMember(
  db: Db,
  companyId: number,
  uuid: string,
): Promise<Row<'member', 'accountId'> | null> {
  const row = await db
    .deleteFrom('member')
    .where('companyId', '=', companyId)
    .where('uuid', '=', uuid)
    .returning('accountId')
    .executeTakeFirst();
  return row ?? null;
}

/** Locks the open invitation with this token until the transaction ends. */
export async function lockInvitation(
  trx: Trx,
  tokenHash: Buffer,
): Promise<Row<'member', 'companyId' | 'id' | 'email'> | null> {
  const row = await trx
    .selectFrom('member')
    .select(['companyId', 'id', 'email'])
    .where('tokenHash', '=', tokenHash)
    .where(IS_OPEN)
    .forUpdate()
    .executeTakeFirst();
  return row ?? null;
}

/** Makes the account of the invited address a member. Uses up the invitation. */
export async function acceptInvitation(
  trx: Trx,
  { companyId, id }: Row<'member', 'companyId' | 'id'>,
): Promise<void> {
  await trx
    .updateTable('member')
    .set({
      accountId: sql<number>`(SELECT account.id FROM account WHERE account.email = member.email)`,
      expiresAt: null,
      tokenHash: null,
    })
    .where('companyId', '=', companyId)
    .where('id', '=', id)
    .execute();
}

/** A company of which an account is a member. */
export interface MembershipRow extends Row<'member', 'companyId' | 'role' | 'uuid'> {
  readonly companyUuid: string;
  readonly companyName: string | null;
}

/** The memberships of an address, oldest first. */
export async function findMemberships(db: Db, email: string): Promise<MembershipRow[]> {
  return db
    .selectFrom('member')
    .innerJoin('company', 'company.id', 'member.companyId')
    .select([
      'member.companyId',
      'member.role',
      'member.uuid',
      'company.uuid as companyUuid',
      'company.companyName',
    ])
    .where('member.email', '=', email)
    .where('member.accountId', 'is not', null)
    .orderBy('member.id')
    .execute();
}

/** The company with this uuid; null when there is none. */
export async function findCompanyByUuid(db: Db, uuid: string): Promise<number | null> {
  const row = await db
    .selectFrom('company')
    .select('id')
    .where('uuid', '=', uuid)
    .executeTakeFirst();
  return row?.id ?? null;
}

/** Makes an existing account a member, in place of its open invitation; false when it is one already. */
export async function insertMember(
  trx: Trx,
  companyId: number,
  { email, role }: Row<'member', 'email' | 'role'>,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await trx
    .insertInto('member')
    .values({
      companyId,
      email,
      role,
      accountId: sql<number>`(SELECT account.id FROM account WHERE account.email = ${email})`,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['companyId', 'email'])
        .doUpdateSet((insert) => ({
          accountId: insert.ref('excluded.accountId'),
          role,
          mayRegister: false,
          mayHandlePayments: false,
          endsOn: null,
          expiresAt: null,
          tokenHash: null,
        }))
        .where('member.accountId', 'is', null),
    )
    .executeTakeFirst();
  return numInsertedOrUpdatedRows > 0n;
}

/** Makes the account of an imported company its owner, where no trigger does. */
export async function insertFirstOwner(trx: Trx, companyId: number): Promise<void> {
  await sql`
    INSERT INTO member (company_id, account_id, email, role)
    SELECT company.id, account.id, account.email, 'OWNER'
    FROM account JOIN company ON company.account_id = account.id WHERE company.id = ${companyId}`.execute(
    trx,
  );
}

/** The companies that an account may call for, its session's order of choice. */
export async function findCompaniesOf(
  db: Db,
  accountId: number,
  withMembers: boolean,
): Promise<{ readonly uuid: string; readonly name: string; readonly role: Role }[]> {
  return db
    .selectFrom('member')
    .innerJoin('company', 'company.id', 'member.companyId')
    .select([
      'company.uuid',
      sql<string>`COALESCE(company.company_name, '')`.as('name'),
      'member.role',
    ])
    .where('member.accountId', '=', accountId)
    .where(isInForce(withMembers))
    .orderBy('member.id')
    .execute();
}
