import { z } from 'zod';

import { allowMailing } from '../delivery/carriers/email/email-limit.service.ts';
import { requeueFailed } from '../delivery/delivery-by-hand.service.ts';
import { unsuppress } from '../platform/mail/suppressed-address.ts';
import {
  noAccount,
  OperatorError,
  readArguments,
  readEmail,
  refuseWords,
  unknownAction,
  UsageError,
  type Command,
  type OperatorContext,
  type Output,
} from './command.ts';

/** Sends waiting and failed deliveries. */
export const deliveryCommand: Command = {
  usage: `npm run delivery -- allow EMAIL     let a new company mail without a daily limit
npm run delivery -- unsuppress EMAIL  let an address that bounced or complained have mail again
npm run delivery -- requeue [--since TIME] [--reason TEXT]
                                    send invoices again whose delivery failed

TIME is as 2026-11-20 or 2026-11-20T14:30+01:00 (UTC without +01:00), TEXT a part of the reason that invoices
show, such as 5.7.1. A document that is not to be sent any more, or whose address takes no
mail, is left as it is. What is sent again goes within a minute or two.`,

  async run(context, args, output) {
    const { words, options } = readArguments(args, ['since', 'reason']);
    const [action, ...rest] = words;
    switch (action) {
      case 'allow':
        return allow(context, readEmail(onlyWord(rest)), output);
      case 'unsuppress':
        return letHaveMail(context, readEmail(onlyWord(rest)), output);
      case 'requeue':
        refuseWords(rest);
        return requeue(context, readTime(options.since), options.reason ?? '', output);
      default:
        throw unknownAction(action);
    }
  },
};

/** @throws UsageError when there is more than one word */
function onlyWord(words: readonly string[]): string | undefined {
  if (words.length > 1) refuseWords(words);
  return words[0];
}

async function allow({ db }: OperatorContext, email: string, output: Output): Promise<number> {
  const waiting = await allowMailing(db, email);
  if (waiting === null) throw noAccount(email);
  output.line(`${email} has no daily limit now. ${waiting} invoices waited for it.`);
  return 0;
}

async function letHaveMail(
  { db }: OperatorContext,
  email: string,
  output: Output,
): Promise<number> {
  if (!(await unsuppress(db, email))) {
    throw new OperatorError(`${email} is on no list: nothing keeps mail from it.`);
  }
  output.line(`${email} gets mail again. Invoices that failed are sent with requeue.`);
  return 0;
}

async function requeue(
  context: OperatorContext,
  since: Date | null,
  reason: string,
  output: Output,
): Promise<number> {
  const { requeued, left } = await requeueFailed(context, { since, reason });
  output.line(`${requeued} invoices are sent again.`);
  for (const [why, many] of left) output.line(`${many} are not: ${why}`);
  return 0;
}

/** A time that PostgreSQL can parse in any zone. */
const EARLIEST = new Date('2000-01-01');
const LATEST = new Date('9999-01-01');
const DAY = z.iso.date();
const MOMENT = z.iso.datetime({ offset: true });
const MINUTE = z.iso.datetime({ offset: true, precision: -1 });
const MOMENT_IN_UTC = z.iso.datetime({ local: true }).transform((text) => `${text}Z`);
const TIME = z
  .union([DAY, MINUTE, MOMENT, MOMENT_IN_UTC])
  .transform((text) => new Date(text))
  .refine((time) => time >= EARLIEST && time < LATEST);

/** Accepts only the format in the help: JavaScript reads 5.11.2026 as a day in May. */
function readTime(word: string | undefined): Date | null {
  if (word === undefined) return null;
  const time = TIME.safeParse(word);
  if (!time.success) throw new UsageError(`Not a time: ${word}`);
  return time.data;
}
