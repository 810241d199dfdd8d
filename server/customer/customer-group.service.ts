import {
  GROUP_SIZE_MAX,
  LISTED_MEMBERS_MAX,
  type CustomerGroup,
  type CustomerGroupForm,
  type CustomerGroupUpdate,
} from '../../domain/customer/customer.schema.ts';
import type { Actor, BeforeChange, Context } from '../context.ts';
import { toCustomer } from './customer.service.ts';
import {
  findCustomersByIds,
  lockByNumbers as lockCustomersByNumbers,
} from './customer.repository.ts';
import { lockCompany } from '../company/profile.repository.ts';
import type { Db, Trx } from '../platform/db/database.ts';
import { AppError, changedMeanwhile } from '../errors.ts';
import { describeInParts, Streamed, streamWith } from '../platform/http/streamed.ts';
import * as repository from './customer-group.repository.ts';
import type { GroupRow } from './customer-group.repository.ts';

/** Members of a group in memory at a time. */
const READ_AT_ONCE = 2000;
/** Groups of the list in memory at a time, each with its first members. */
const LISTED_AT_ONCE = 50;

/** A group with all its members; a long list of members is read during the answer. */
type WholeGroup = CustomerGroup | Streamed<CustomerGroup>;

/** Every group of the company, by name, with its first members; a long list is read during the answer. */
export async function listGroups(
  context: Context,
  { companyId }: Actor,
): Promise<CustomerGroup[] | Streamed<CustomerGroup[]>> {
  const groups = await repository.listGroups(context.db, companyId);
  return describeInParts(groups, LISTED_AT_ONCE, async (part) =>
    describe(context, companyId, part),
  );
}

/** The groups that a query finds, best match first. */
export async function searchGroups(
  context: Context,
  actor: Actor,
  search: { query: string; size: number },
): Promise<CustomerGroup[]> {
  const groups = await repository.searchGroups(context.db, actor.companyId, search);
  return describe(context, actor.companyId, groups);
}

/** One group. @throws AppError not_found */
export async function getGroup(context: Context, actor: Actor, uuid: string): Promise<WholeGroup> {
  const group = await repository.findGroup(context.db, actor.companyId, uuid);
  if (!group) throw new AppError('not_found');
  return describeWhole(context, context.db, actor.companyId, group);
}

/** Adds a group. @throws AppError unknown_customer */
export async function createGroup(
  context: Context,
  actor: Actor,
  form: CustomerGroupForm,
): Promise<WholeGroup> {
  const { companyId } = actor;
  return context.db.transaction().execute(async (trx) => {
    const group = await repository.insertGroup(trx, companyId, form.groupName);
    await setMembers(trx, companyId, group, form.customers);
    return describeWhole(context, trx, companyId, group);
  });
}

/** A group whose members change. */
export interface ChangedGroup {
  readonly groupId: number;
}

/**
 * Saves a group and its members.
 * @throws AppError not_found, changed_meanwhile, unknown_customer, and as `beforeChange`
 */
export async function updateGroup(
  context: Context,
  actor: Actor,
  uuid: string,
  form: CustomerGroupUpdate,
  beforeChange: BeforeChange<ChangedGroup>,
): Promise<WholeGroup> {
  const { companyId } = actor;
  return context.db.transaction().execute(async (trx) => {
    // Deleting a customer locks the company first and then changes groups: keep that order.
    await lockCompany(trx, companyId);
    const group = await repository.renameGroup(trx, companyId, uuid, form);
    if (!group) {
      const isThere = await repository.findGroup(trx, companyId, uuid);
      throw isThere ? changedMeanwhile() : new AppError('not_found');
    }
    await beforeChange(context, trx, actor, { groupId: group.id });
    await setMembers(trx, companyId, group, form.customers);
    return describeWhole(context, trx, companyId, group);
  });
}

/** Deletes a group but not its customers. @throws AppError not_found */
export async function deleteGroup(context: Context, actor: Actor, uuid: string): Promise<void> {
  await context.db.transaction().execute(async (trx) => {
    const isDeleted = await repository.deleteGroup(trx, actor.companyId, uuid);
    if (!isDeleted) throw new AppError('not_found');
  });
}

/** The group that gets more customers: an existing one, or a new one. */
export type Receiving = { readonly uuid: string } | { readonly name: string };

/** Checks that the group exists. @throws AppError unknown_group */
export async function requireGroup(db: Db, companyId: number, group: Receiving): Promise<void> {
  if ('uuid' in group) await findNamed(db, companyId, group.uuid);
}

async function findNamed(db: Db, companyId: number, uuid: string): Promise<GroupRow> {
  return orUnknown(await repository.findGroup(db, companyId, uuid));
}

function orUnknown(group: GroupRow | null): GroupRow {
  if (!group) throw new AppError('unknown_group', { field: 'groupUuid' });
  return group;
}

/** A group, locked: nobody can delete it before the transaction ends. @throws AppError unknown_group */
export async function lockGroup(trx: Trx, companyId: number, uuid: string): Promise<GroupRow> {
  return orUnknown(await repository.lockGroup(trx, companyId, uuid));
}

/**
 * Adds customers to the members of a group, and returns its uuid.
 *
 * @param beforeChange may refuse it for a group that exists
 * @throws AppError unknown_group, group_too_large
 */
export async function addToGroup(
  trx: Trx,
  companyId: number,
  receiving: Receiving,
  customerIds: readonly number[],
  beforeChange: (group: ChangedGroup) => Promise<void>,
): Promise<string> {
  const isNew = 'name' in receiving;
  const group = isNew
    ? await repository.insertGroup(trx, companyId, receiving.name)
    : await lockGroup(trx, companyId, receiving.uuid);
  if (!isNew) await beforeChange({ groupId: group.id });
  const count = await repository.addMembers(trx, companyId, group.id, customerIds);
  if (count > GROUP_SIZE_MAX) throw new AppError('group_too_large', { field: 'groupUuid' });
  return group.uuid;
}

/** The ids of the members of a group to be invoiced. @throws AppError unknown_group, empty_group */
export async function requireMembers(
  db: Db,
  companyId: number,
  groupUuid: string,
): Promise<readonly number[]> {
  const group = await findNamed(db, companyId, groupUuid);
  const memberIds = await findMemberIds(db, companyId, group.id);
  if (memberIds.length === 0) throw new AppError('empty_group', { field: 'groupUuid' });
  return memberIds;
}

async function findMemberIds(
  db: Db,
  companyId: number,
  groupId: number,
): Promise<readonly number[]> {
  const [members] = await repository.findMembers(db, companyId, [groupId], null);
  return members?.customerIds ?? [];
}

/** Sets the members of a group to exactly these customers. */
async function setMembers(
  trx: Trx,
  companyId: number,
  group: GroupRow,
  numbers: readonly number[],
): Promise<void> {
  const customers = await lockCustomersByNumbers(
    trx,
    companyId,
    [...new Set(numbers)],
    'customers',
  );
  const customerIds = customers.map(({ id }) => id);
  await repository.replaceMembers(trx, companyId, group.id, customerIds);
}

/**
 * A group with its members, at the moment of the call or a little later.
 *
 * @param db reads the group and its first members. Use the transaction that has just saved it: the answer then fails
 * before the commit if they cannot be read
 */
async function describeWhole(
  context: Context,
  db: Db,
  companyId: number,
  { id, uuid, groupName, version }: GroupRow,
): Promise<WholeGroup> {
  const memberIds = await findMemberIds(db, companyId, id);
  const customers = await describeInParts(memberIds, READ_AT_ONCE, async (ids, start) => {
    const found = await findCustomersByIds(start === 0 ? db : context.db, companyId, ids);
    return ids.flatMap((memberId) => {
      const row = found.get(memberId);
      return row ? [toCustomer(context, row)] : [];
    });
  });
  const rest = { uuid, groupName, customerCount: memberIds.length, version };
  return customers instanceof Streamed
    ? streamWith<CustomerGroup, 'customers'>(rest, 'customers', customers)
    : { ...rest, customers };
}

/** Groups with their first members. */
async function describe(
  context: Context,
  companyId: number,
  groups: readonly GroupRow[],
): Promise<CustomerGroup[]> {
  const groupIds = groups.map((group) => group.id);
  const members = await repository.findMembers(context.db, companyId, groupIds, LISTED_MEMBERS_MAX);
  const membersOf = new Map(members.map((row) => [row.groupId, row]));
  const ids = new Set(members.flatMap((row) => row.customerIds));
  const customers = await findCustomersByIds(context.db, companyId, [...ids]);
  return groups.map(({ id, uuid, groupName, version }) => {
    const { count = 0, customerIds = [] } = membersOf.get(id) ?? {};
    const found = customerIds.flatMap((customerId) => customers.get(customerId) ?? []);
    const shown = found.map((row) => toCustomer(context, row));
    return { uuid, groupName, customerCount: count, customers: shown, version };
  });
}
