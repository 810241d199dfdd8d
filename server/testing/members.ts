import type { Membership, Role } from '../../domain/permission.ts';
import type { TestApp } from './app.ts';
import type { TestClient } from './client.ts';

interface Account {
  readonly client: TestClient;
  readonly accountId: number;
}

/** Logs in an account that has no company of its own, as an invitation makes it. */
export async function addAccount(testApp: TestApp, email: string): Promise<Account> {
  const { id: accountId } = await testApp.context.db
    .insertInto('account')
    .values({ email })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { client: await testApp.login(email), accountId };
}

type NewMember = Partial<Membership> & {
  readonly role: Role;
  readonly companyId: number;
  readonly email: string;
  readonly endsOn?: string | null;
};

/** Adds a member without an invitation. Returns a client of it, and its uuid. */
export async function addMember(
  testApp: TestApp,
  member: NewMember,
): Promise<{ client: TestClient; uuid: string }> {
  const { client, accountId } = await addAccount(testApp, member.email);
  const { uuid } = await testApp.context.db
    .insertInto('member')
    .values({ ...member, accountId })
    .returning('uuid')
    .executeTakeFirstOrThrow();
  return { client, uuid };
}
