import { readableEmail } from '../../domain/email.ts';
import { listStaff, setStaff } from '../account/account.service.ts';
import {
  noAccount,
  OperatorError,
  readAction,
  readEmail,
  unknownAction,
  type Command,
  type OperatorContext,
  type Output,
} from './command.ts';

/** Manages staff, who may send the registered invoices of all companies. */
export const staffCommand: Command = {
  usage: `npm run staff -- list            who is staff, and by what
npm run staff -- add EMAIL       make an account staff, at once
npm run staff -- remove EMAIL    take it back`,

  async run(context, args, output) {
    const { action, word } = readAction(args);
    switch (action) {
      case 'list':
        return list(context, output);
      case 'add':
        return add(context, readEmail(word), output);
      case 'remove':
        return remove(context, readEmail(word), output);
      default:
        throw unknownAction(action);
    }
  },
};

async function list(context: OperatorContext, output: Output): Promise<number> {
  const staff = await listStaff(context);
  if (staff.length === 0) output.line('Nobody is staff.');
  for (const { email, byCommand, bySetting, hasAccount } of staff) {
    const reasons = [byCommand && 'by command', bySetting && 'by STAFF_EMAILS'].filter(Boolean);
    const note = hasAccount ? '' : ', has not signed up';
    output.line(`${readableEmail(email)}  (${reasons.join(' and ')}${note})`);
  }
  return 0;
}

async function add({ db }: OperatorContext, email: string, output: Output): Promise<number> {
  if (!(await setStaff(db, email, true))) throw noAccount(email);
  output.line(`${readableEmail(email)} is staff now.`);
  return 0;
}

async function remove(
  { config, db }: OperatorContext,
  email: string,
  output: Output,
): Promise<number> {
  if (!(await setStaff(db, email, false))) throw noAccount(email);
  if (config.staffEmails.has(email)) {
    throw new OperatorError(
      `${readableEmail(email)} is still staff: STAFF_EMAILS names it. Take it out there.`,
    );
  }
  output.line(`${readableEmail(email)} is not staff any more.`);
  return 0;
}
