import {
  LISTED_MEMBERS_MAX,
  type CustomerGroup,
  type CustomerGroupForm,
  type CustomerGroupUpdate,
} from '../../domain/customer-group/customer-group.schema.ts';
import type { Actor, Context } from '../context.ts';
import { findCustomersByIds, requireByNumbers, toCustomer } from '../customer/customer.service.ts';
import type { Db, Trx } from '../db/database.ts';
import { AppError, changedMeanwhile } from '../errors.ts';
import * as repository from './customer-group.repository.ts';
import type { GroupRow } from './customer-group.repository.ts';

/** Every group of the company, by name, with its first members. */
export async function listGroups(context: Context, actor: Actor): Promise<CustomerGroup[]> {
  const groups = await repository.listGroups(context.db, actor.companyId);
  return describe(context.db, actor.companyId, groups, LISTED_MEMBERS_MAX);
}

/** The groups that a query finds, best match first. */
export async function searchGroups(
  context: Context,
  actor: Actor,
  search: { query: string; size: number },
): Promise<CustomerGroup[]> {
  const groups = await repository.searchGroups(context.db, actor.companyId, search);
  return describe(context.db, actor.companyId, groups, LISTED_MEMBERS_MAX);
}

/** One group. @throws AppError not_found */
export async function getGroup(
  context: Context,
  actor: Actor,
  uuid: string,
): Promise<CustomerGroup> {
  const group = await repository.findGroup(context.db, actor.companyId, uuid);
  if (!group) throw new AppError('not_found');
  return describeOne(context.db, actor.companyId, group);
}

/** Adds a group. @throws AppError unknown_customer */
export async function createGroup(
  context: Context,
  actor: Actor,
  form: CustomerGroupForm,
): Promise<CustomerGroup> {
  const { companyId } = actor;
  return context.db.transaction().execute(async (trx) => {
    const group = await repository.insertGroup(trx, companyId, form.groupName);
    await setMembers(trx, companyId, group, form.customers);
    return describeOne(trx, companyId, group);
  });
}

/** Saves a group and who is in it. @throws AppError not_found, changed_meanwhile, unknown_customer */
export async function updateGroup(
  context: Context,
  actor: Actor,
  uuid: string,
  form: CustomerGroupUpdate,
): Promise<CustomerGroup> {
  const { companyId } = actor;
  return context.db.transaction().execute(async (trx) => {
    const group = await repository.renameGroup(trx, companyId, uuid, form);
    if (!group) {
      const isThere = await repository.findGroup(trx, companyId, uuid);
      throw isThere ? changedMeanwhile() : new AppError('not_found');
    }
    await setMembers(trx, companyId, group, form.customers);
    return describeOne(trx, companyId, group);
  });
}

/** Deletes a group and no customer. @throws AppError not_found */
export async function deleteGroup(context: Context, actor: Actor, uuid: string): Promise<void> {
  const isDeleted = await repository.deleteGroup(context.db, actor.companyId, uuid);
  if (!isDeleted) throw new AppError('not_found');
}

/** The ids of the members of a group to be invoiced. @throws AppError unknown_group, empty_group */
export async function requireMembers(
  db: Db,
  companyId: number,
  groupUuid: string,
): Promise<readonly number[]> {
  const group = await repository.findGroup(db, companyId, groupUuid);
  if (!group) throw new AppError('unknown_group', { field: 'groupUuid' });
  const [members] = await repository.findMembers(db, companyId, [group.id], null);
  if (!members?.count) throw new AppError('empty_group', { field: 'groupUuid' });
  return members.customerIds;
}

async function setMembers(
  trx: Trx,
  companyId: number,
  group: GroupRow,
  numbers: readonly number[],
): Promise<void> {
  const customerIds = await requireByNumbers(trx, companyId, [...new Set(numbers)], 'customers');
  await repository.replaceMembers(trx, companyId, group.id, customerIds);
}

async function describeOne(db: Db, companyId: number, group: GroupRow): Promise<CustomerGroup> {
  const [described] = await describe(db, companyId, [group], null);
  if (!described) throw new Error('A group was not described');
  return described;
}

async function describe(
  db: Db,
  companyId: number,
  groups: readonly GroupRow[],
  most: number | null,
): Promise<CustomerGroup[]> {
  const groupIds = groups.map((group) => group.id);
  const members = await repository.findMembers(db, companyId, groupIds, most);
  const membersOf = new Map(members.map((row) => [row.groupId, row]));
  const ids = new Set(members.flatMap((row) => row.customerIds));
  const customers = await findCustomersByIds(db, companyId, [...ids]);
  return groups.map(({ id, uuid, groupName, version }) => {
    const { count = 0, customerIds = [] } = membersOf.get(id) ?? {};
    const found = customerIds.flatMap((customerId) => customers.get(customerId) ?? []);
    return { uuid, groupName, customerCount: count, customers: found.map(toCustomer), version };
  });
}
