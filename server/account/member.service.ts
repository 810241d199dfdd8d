import { randomUUID } from 'node:crypto';

import type { z } from 'zod';

import { todayInOslo } from '../../domain/date.ts';
import {
  INVITATION_DAYS,
  type Invitation,
  type Member,
  type memberForm,
  type memberUpdate,
  type OpenLink,
} from '../../domain/member/member.schema.ts';
import { type Permission, permissionsOf } from '../../domain/permission.ts';
import type { Session } from '../../domain/session/session.schema.ts';
import type { Actor, Caller, Context } from '../context.ts';
import { AppError } from '../errors.ts';
import { keyedHash, makeToken } from '../platform/crypto.ts';
import type { Db, Trx } from '../platform/db/database.ts';
import { isCheckViolation } from '../platform/db/database-errors.ts';
import { memberMailJob } from '../platform/jobs/jobs.ts';
import { countAgainst } from '../platform/limits/rate-limit.ts';
import { insertCompany, lockCompany } from '../company/profile.repository.ts';
import { findEmailOfAccount, insertAccount, lockAccount } from './account.repository.ts';
import { limitByIp } from './login.service.ts';
import * as repository from './member.repository.ts';
import { chooseCompany as choose } from './session.repository.ts';
import {
  continueSession,
  describeSession,
  findCaller,
  type GivenSession,
  hashSession,
  type LoginFrom,
  startSession,
} from './session.service.ts';

/** Invitations that a company may mail (MEM-10). */
const MOST_INVITATIONS = 20;
const SECONDS = 3600;

/** Links of one kind that members share. Concepts above this one have them. */
export interface SharedLinks {
  /** The links that work or will be mailed, with the account that answers for each. */
  findOpen(db: Db, companyId: number): Promise<(OpenLink & { readonly accountId: number })[]>;
  /** Ends the links of an account, and what waits to be mailed of them. */
  end(trx: Trx, companyId: number, accountId: number): Promise<void>;
  /** Lets the links of an account go on in the name of another. */
  keep(trx: Trx, companyId: number, accountId: number, keeper: number): Promise<void>;
}

/** Members need these from concepts above this one. */
export interface Above {
  readonly links: readonly SharedLinks[];
  /** Counts a mail to a stranger. @throws AppError too_many_requests */
  readonly countMail: (context: Context, companyId: number) => Promise<void>;
}

/** Members and open invitations: owners first, then by e-mail. */
export async function listMembers(
  { db }: Context,
  actor: Actor,
  links: readonly SharedLinks[],
): Promise<Member[]> {
  const rows = await repository.findMembers(db, actor.companyId);
  const open = await findOpenLinks(db, actor.companyId, links);
  return rows.map((row) => toMember(row, actor, open));
}

type OpenLinks = ReadonlyMap<number | null, readonly OpenLink[]>;

/** The open links of a company by account. */
async function findOpenLinks(
  db: Db,
  companyId: number,
  links: readonly SharedLinks[],
): Promise<OpenLinks> {
  const open: (OpenLink & { readonly accountId: number })[] = [];
  for (const kind of links) open.push(...(await kind.findOpen(db, companyId)));
  return Map.groupBy(open, ({ accountId }) => accountId);
}

function toMember(row: repository.MemberRow, { accountId }: Actor, open: OpenLinks): Member {
  const links = row.accountId === null ? [] : (open.get(row.accountId) ?? []);
  return {
    uuid: row.uuid,
    email: row.email,
    name: row.name,
    role: row.role,
    mayRegister: row.mayRegister,
    mayHandlePayments: row.mayHandlePayments,
    endsOn: row.endsOn,
    state: stateOf(row),
    lastLoginAt: row.lastLoginAt?.toISOString() ?? null,
    invitedAt: row.invitedAt?.toISOString() ?? null,
    isYou: row.accountId === accountId,
    openLinks: links.map(({ kind, uuid, name, expiresAt }) => ({ kind, uuid, name, expiresAt })),
  };
}

function stateOf({ accountId, endsOn, expiresAt }: repository.MemberRow): Member['state'] {
  const isOver = endsOn !== null && endsOn < todayInOslo();
  if (accountId !== null) return isOver ? 'ENDED' : 'ACTIVE';
  return isOver || (expiresAt?.getTime() ?? 0) <= Date.now() ? 'EXPIRED' : 'INVITED';
}

async function requireMember(
  db: Db,
  actor: Actor,
  uuid: string,
  links: readonly SharedLinks[] = [],
): Promise<Member> {
  const [row] = await repository.findMembers(db, actor.companyId, uuid);
  if (!row) throw new AppError('not_found');
  return toMember(row, actor, await findOpenLinks(db, actor.companyId, links));
}

/** Invites an address by mail (MEM-6). @throws AppError is_member, too_many_requests */
export async function inviteMember(
  context: Context,
  actor: Actor,
  form: z.output<typeof memberForm>,
  { countMail }: Above,
): Promise<Member> {
  const { db, jobs } = context;
  const { companyId } = actor;
  const key = `invitations:${companyId}`;
  await countAgainst(db, { key, most: MOST_INVITATIONS, seconds: SECONDS });
  await countMail(context, companyId);
  return db.transaction().execute(async (trx) => {
    const uuid = await repository.insertInvitation(trx, companyId, form, {
      days: INVITATION_DAYS,
      invitedBy: actor.accountId,
    });
    if (uuid === null) throw new AppError('is_member', { field: 'email' });
    await jobs.enqueue(trx, memberMailJob, {
      mail: 'INVITED',
      companyId,
      memberUuid: uuid,
      accountId: actor.accountId,
      messageUuid: randomUUID(),
    });
    return requireMember(trx, actor, uuid);
  });
}

/** Changes what a member may do, at once. @throws AppError not_found, last_owner */
export async function updateMember(
  { db }: Context,
  actor: Actor,
  uuid: string,
  form: z.output<typeof memberUpdate>,
  links: readonly SharedLinks[],
): Promise<Member> {
  return db.transaction().execute(async (trx) => {
    // First, so that a caller who lowers itself is judged by what it was.
    await lockCompany(trx, actor.companyId);
    await keepingOwner(repository.updateMember(trx, actor.companyId, uuid, form));
    return requireMember(trx, actor, uuid, links);
  });
}

/** The member to remove, and what becomes of the links that it shared. */
export interface Removal {
  readonly companyId: number;
  readonly uuid: string;
  readonly keepLinks: boolean;
}

/**
 * Removes a member, or an invitation, and ends the links that the member shared, unless they are kept: these go on in
 * the name of an owner (MEM-9).
 *
 * @returns the account that was removed; null for an invitation
 * @throws AppError not_found, last_owner
 */
export async function endMembership(
  trx: Trx,
  { companyId, uuid, keepLinks }: Removal,
  links: readonly SharedLinks[],
): Promise<number | null> {
  const removed = await keepingOwner(repository.deleteMember(trx, companyId, uuid));
  if (!removed) throw new AppError('not_found');
  const { accountId } = removed;
  if (accountId === null) return null;
  const [owner] = await repository.findMembers(trx, companyId);
  const keeper = keepLinks ? owner?.accountId : null;
  for (const kind of links) {
    if (typeof keeper === 'number') await kind.keep(trx, companyId, accountId, keeper);
    else await kind.end(trx, companyId, accountId);
  }
  return accountId;
}

/** Removes a member and tells it, or an invitation (MEM-9). @throws AppError not_found, last_owner */
export async function removeMember(
  { db, jobs }: Context,
  { accountId, companyId }: Actor,
  removal: Omit<Removal, 'companyId'>,
  links: readonly SharedLinks[],
): Promise<undefined> {
  await db.transaction().execute(async (trx) => {
    // First, so that a caller who leaves is judged by what it was.
    await lockCompany(trx, companyId);
    const removed = await endMembership(trx, { companyId, ...removal }, links);
    if (removed === null || removed === accountId) return;
    await jobs.enqueue(trx, memberMailJob, {
      mail: 'REMOVED',
      companyId,
      accountId: removed,
      messageUuid: randomUUID(),
    });
  });
}

/** A trigger of the database keeps the last owner, also when two owners act at once (MEM-5). */
async function keepingOwner<Result>(change: Promise<Result>): Promise<Result> {
  try {
    return await change;
  } catch (error) {
    if (isCheckViolation(error)) throw new AppError('last_owner', { cause: error });
    throw error;
  }
}

/** Gives an open invitation a new token, in place of the one before; null when the invitation is gone. */
export async function makeInvitation(
  { config, db }: Pick<Context, 'config' | 'db'>,
  companyId: number,
  memberUuid: string,
): Promise<(Invitation & { readonly token: string }) | null> {
  const token = makeToken();
  const hash = hashInvitation(config.secretKey, token);
  if (!(await repository.setToken(db, companyId, memberUuid, hash))) return null;
  const invitation = await repository.findInvitation(db, hash);
  return invitation && { ...invitation, token };
}

/** Reads an open invitation for whoever has its link (MEM-20). @throws AppError not_found, too_many_requests */
export async function readInvitation(
  context: Context,
  token: string,
  ip: string,
): Promise<Invitation> {
  await limitByIp(context, 'verify', ip);
  const hash = hashInvitation(context.config.secretKey, token);
  const invitation = await repository.findInvitation(context.db, hash);
  if (!invitation) throw new AppError('not_found');
  return invitation;
}

/** The address of an account; null when there is none. */
export async function findAddress(db: Db, accountId: number): Promise<string | null> {
  return findEmailOfAccount(db, accountId);
}

/**
 * The address of the member that has this account or address, when it has this permission now; null for anybody else.
 * With `members` off, only owners have access (MEM-2).
 */
export async function findMemberWith(
  { config, db }: Pick<Context, 'config' | 'db'>,
  companyId: number,
  who: { readonly accountId: number } | { readonly email: string },
  permission: Permission,
): Promise<string | null> {
  const members = await repository.findMembers(db, companyId);
  const member = members.find((one) =>
    'email' in who ? one.email === who.email : one.accountId === who.accountId,
  );
  if (!member || stateOf(member) !== 'ACTIVE') return null;
  if (!config.features.has('members') && member.role !== 'OWNER') return null;
  return permissionsOf(member).includes(permission) ? member.email : null;
}

/** The addresses of a company's owners. */
export async function findOwnerAddresses(db: Db, companyId: number): Promise<string[]> {
  const members = await repository.findMembers(db, companyId);
  return members
    .filter((member) => member.role === 'OWNER' && stateOf(member) === 'ACTIVE')
    .map(({ email }) => email);
}

function hashInvitation(key: string, token: string): Buffer {
  return keyedHash(key, 'invitation', token);
}

/**
 * Accepts an invitation and logs in, for the mail proves the address (MEM-7). A session of the address goes on with
 * another token.
 *
 * @param caller the one that the browser is logged in as
 * @throws AppError not_found, other_address, too_many_requests
 */
export async function acceptInvitation(
  context: Context,
  token: string,
  caller: Caller | null,
  from: LoginFrom,
): Promise<GivenSession> {
  const { config, db } = context;
  await limitByIp(context, 'verify', from.ip);
  return db.transaction().execute(async (trx) => {
    const hash = hashInvitation(config.secretKey, token);
    const invitation = await repository.lockInvitation(trx, hash);
    if (!invitation) throw new AppError('not_found');
    const { companyId, email } = invitation;
    if (caller && caller.email !== email) throw new AppError('other_address');
    // An account that only an invitation makes has no company of its own.
    await insertAccount(trx, email);
    await repository.acceptInvitation(trx, invitation);
    const sessionId = caller?.sessionId ?? null;
    const continued =
      sessionId === null ? null : await continueSession(context, trx, sessionId, companyId);
    return continued ?? startSession(context, trx, { email, companyId, how: 'INVITATION' }, from);
  });
}

/** Goes on with another company in this session (MEM-8). @throws AppError not_found */
export async function chooseCompany(
  context: Context,
  { tokenName }: Caller,
  sessionToken: string | null,
  companyUuid: string,
): Promise<Session> {
  // The company of an API token never changes.
  if (sessionToken === null || tokenName !== null) throw new AppError('not_found');
  const hash = hashSession(context.config.secretKey, sessionToken);
  const withMembers = context.config.features.has('members');
  if (!(await choose(context.db, hash, companyUuid, withMembers))) throw new AppError('not_found');
  return describeAnew(context, sessionToken);
}

/**
 * Creates a company of the caller's own, and goes on with it in this session (MEM-16). One for an account: the limit on
 * the mails of a new company would else be none. @throws AppError not_found, registration_closed, owns_company
 */
export async function createCompany(
  context: Context,
  { accountId, email, tokenName }: Caller,
  sessionToken: string | null,
): Promise<Session> {
  const { config, db } = context;
  if (sessionToken === null || tokenName !== null) throw new AppError('not_found');
  if (config.registration === 'closed') throw new AppError('registration_closed');
  await db.transaction().execute(async (trx) => {
    // Two calls at once create one company.
    await lockAccount(trx, accountId);
    const companies = await repository.findCompaniesOf(trx, accountId, true);
    if (companies.some(({ role }) => role === 'OWNER')) throw new AppError('owns_company');
    const uuid = await insertCompany(trx, accountId, email);
    await choose(trx, hashSession(config.secretKey, sessionToken), uuid, true);
  });
  return describeAnew(context, sessionToken);
}

/** A session after it has gone over to another company. */
async function describeAnew(context: Context, sessionToken: string): Promise<Session> {
  const found = await findCaller(context, sessionToken);
  if (!found) throw new AppError('not_logged_in');
  return describeSession(context, found.caller);
}
