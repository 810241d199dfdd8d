import { readableEmail } from '../../domain/email.ts';
import { type Role, ROLES } from '../../domain/permission.ts';
import { insertAccount } from '../account/account.repository.ts';
import {
  findCompanyByUuid,
  findMembers,
  findMemberships,
  insertMember,
} from '../account/member.repository.ts';
import { endMembership } from '../account/member.service.ts';
import { AppError } from '../errors.ts';
import { exportLinks } from '../export/shared-file.service.ts';
import { overviewLinks } from '../overview/overview-link.service.ts';
import { companyOf, lineOf } from './company-of.ts';
import { commandOf, noAccount, OperatorError, readEmail, TEXT, UsageError } from './command.ts';

/** Manages who has access to a company. */
export const membersCommand = commandOf({
  usage: `npm run members -- list EMAIL            the companies of an account, and who is in each
npm run members -- add EMAIL --company UUID [--role ROLE]
                                       let an address into a company, at once and without an
                                       invitation; ROLE is one of ${ROLES.join(', ')}
npm run members -- remove EMAIL [--company UUID]
                                       end access, also by tokens and the
                                       links that the member shared, at once

Members other than owners have access where FEATURES has members. Nobody is mailed.`,

  options: { company: TEXT, role: TEXT },
  actions: {
    async list({ db }, { word }, output) {
      const email = readEmail(word);
      const memberships = await findMemberships(db, email);
      if (memberships.length === 0) throw noAccount(email);
      for (const membership of memberships) {
        output.line(lineOf(membership));
        for (const member of await findMembers(db, membership.companyId)) {
          const end = member.endsOn === null ? '' : `, until ${member.endsOn}`;
          const note = member.accountId === null ? ', invited' : '';
          output.line(`  ${member.role}  ${readableEmail(member.email)}${end}${note}`);
        }
      }
    },

    async add({ db }, { word, options: { company, role = 'EMPLOYEE' } }, output) {
      const email = readEmail(word);
      if (!isRole(role)) throw new UsageError(`Not a role: ${role}`);
      const companyId = await findCompanyByUuid(db, readUuid(company));
      if (companyId === null) throw new OperatorError(`There is no company ${company}.`);
      const isAdded = await db.transaction().execute(async (trx) => {
        await insertAccount(trx, email);
        return insertMember(trx, companyId, { email, role });
      });
      if (!isAdded) throw new OperatorError(`${readableEmail(email)} is a member already.`);
      output.line(`${readableEmail(email)} is a member now (${role}).`);
    },

    async remove({ db }, { word, options: { company } }, output) {
      const { companyId, uuid, email } = await companyOf(db, { word, company }, false);
      try {
        const removal = { companyId, uuid, keepLinks: false };
        await db
          .transaction()
          .execute(async (trx) => endMembership(trx, removal, [exportLinks, overviewLinks]));
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'last_owner') throw error;
        throw new OperatorError(
          `${readableEmail(email)} is the last owner without a last day. Add another owner first.`,
          { cause: error },
        );
      }
      output.line(`${readableEmail(email)} has no access any more.`);
    },
  },
});

function isRole(word: string): word is Role {
  return ROLES.some((role) => role === word);
}

function readUuid(word: string | undefined): string {
  if (word === undefined || !/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(word)) {
    throw new UsageError('The uuid of a company is needed: --company UUID');
  }
  return word.toLowerCase();
}
