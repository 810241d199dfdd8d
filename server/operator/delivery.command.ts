import { z } from 'zod';

import { allowMailing } from '../delivery/carriers/email/email.carrier.ts';
import { requeueFailed } from '../delivery/delivery-by-hand.service.ts';
import { unsuppress } from '../platform/mail/refusals.ts';
import { companyOf } from './company-of.ts';
import { commandOf, OperatorError, readEmail, refuseWords, TEXT, UsageError } from './command.ts';

/** Sends waiting and failed deliveries. */
export const deliveryCommand = commandOf({
  usage: `npm run delivery -- allow EMAIL     let a new company mail without a daily limit (--company UUID
                                    where the owner has several)
npm run delivery -- unsuppress EMAIL  let an address that bounced or complained have mail again
npm run delivery -- requeue [--since TIME] [--reason TEXT]
                                    send invoices again whose delivery failed

TIME is as 2026-11-20 or 2026-11-20T14:30+01:00 (UTC without +01:00), TEXT a part of the reason that invoices
show, such as 5.7.1. A document that is not to be sent any more, or whose address takes no
mail, is left as it is. What is sent again goes within a minute or two.`,

  options: { since: TEXT, reason: TEXT, company: TEXT },
  actions: {
    async allow({ db }, { word, options: { company } }, output) {
      const { companyId, email } = await companyOf(db, { word, company });
      const waiting = await allowMailing(db, companyId);
      output.line(`${email} has no daily limit now. ${waiting} invoices waited for it.`);
    },

    async unsuppress({ db }, { word }, output) {
      const email = readEmail(word);
      if (!(await unsuppress(db, email))) {
        throw new OperatorError(`${email} is on no list: nothing keeps mail from it.`);
      }
      output.line(`${email} gets mail again. Invoices that failed are sent with requeue.`);
    },

    async requeue(context, { word, options: { since, reason = '' } }, output) {
      refuseWords(word === undefined ? [] : [word]);
      const { requeued, left } = await requeueFailed(context, { since: readTime(since), reason });
      output.line(`${requeued} invoices are sent again.`);
      for (const [why, many] of left) output.line(`${many} are not: ${why}`);
    },
  },
});

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
