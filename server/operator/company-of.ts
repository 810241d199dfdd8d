import { readableEmail } from '../../domain/email.ts';
import { accountExists } from '../account/account.repository.ts';
import { findMemberships, type MembershipRow } from '../account/member.repository.ts';
import type { Db } from '../platform/db/database.ts';
import { noAccount, OperatorError, readEmail } from './command.ts';

export interface Named {
  /** The address of a member. */
  readonly word: string | undefined;
  /** `--company`, which is needed when the member has several. */
  readonly company: string | undefined;
}

/** The company that a command is about, by the address of a member. @throws OperatorError, UsageError */
export async function companyOf(
  db: Db,
  { word, company }: Named,
  isOfOwner = true,
): Promise<MembershipRow & { readonly email: string }> {
  const email = readEmail(word);
  const all = await findMemberships(db, email);
  const fitting = all.filter(
    ({ role, companyUuid }) =>
      (!isOfOwner || role === 'OWNER') &&
      (company === undefined || companyUuid === company.toLowerCase()),
  );
  const [only, ...others] = fitting;
  if (only && others.length === 0) return { ...only, email };
  if (!only && !(await accountExists(db, email))) throw noAccount(email);
  const owner = isOfOwner ? 'an owner' : 'a member';
  throw new OperatorError(
    only
      ? `${readableEmail(email)} is ${owner} of several companies. Say which, with --company:\n${fitting.map(lineOf).join('\n')}`
      : `${readableEmail(email)} is not ${owner} of ${company === undefined ? 'any company' : 'that company'}.`,
  );
}

/** A company in a list. */
export function lineOf({ companyUuid, companyName }: MembershipRow): string {
  return `${companyUuid}  ${companyName ?? ''}`.trimEnd();
}
