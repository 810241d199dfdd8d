import { readableEmail } from '../../domain/email.ts';
import { listStaff } from '../account/account.service.ts';
import { setStaff } from '../account/account.repository.ts';
import { commandOf, noAccount, OperatorError, readEmail } from './command.ts';

/** Manages staff, who may send the registered invoices of all companies. */
export const staffCommand = commandOf({
  usage: `npm run staff -- list            who is staff, and by what
npm run staff -- add EMAIL       make an account staff, at once
npm run staff -- remove EMAIL    take it back`,

  options: {},
  actions: {
    async list(context, _, output) {
      const staff = await listStaff(context);
      if (staff.length === 0) output.line('Nobody is staff.');
      for (const { email, byCommand, bySetting, hasAccount } of staff) {
        const reasons = [byCommand && 'by command', bySetting && 'by STAFF_EMAILS'].filter(Boolean);
        const note = hasAccount ? '' : ', has not signed up';
        output.line(`${readableEmail(email)}  (${reasons.join(' and ')}${note})`);
      }
    },

    async add({ db }, { word }, output) {
      const email = readEmail(word);
      if (!(await setStaff(db, email, true))) throw noAccount(email);
      output.line(`${readableEmail(email)} is staff now.`);
    },

    async remove({ config, db }, { word }, output) {
      const email = readEmail(word);
      if (!(await setStaff(db, email, false))) throw noAccount(email);
      if (config.staffEmails.has(email)) {
        throw new OperatorError(
          `${readableEmail(email)} is still staff: STAFF_EMAILS names it. Take it out there.`,
        );
      }
      output.line(`${readableEmail(email)} is not staff any more.`);
    },
  },
});
