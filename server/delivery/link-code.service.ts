import { randomUUID, timingSafeEqual } from 'node:crypto';

import { LOGIN_MINUTES } from '../../domain/session/session.schema.ts';
import { CODE_ATTEMPTS, limitByAddress, limitByIp, makeCode } from '../account/login.service.ts';
import type { Context } from '../context.ts';
import { AppError } from '../errors.ts';
import { keyedHash } from '../platform/crypto.ts';
import type { Trx } from '../platform/db/database.ts';
import type { CodedLink, LinkCodes } from '../platform/db/link-codes.ts';
import { sendLetter } from '../platform/mail/notice.ts';
import { code as codeBlock, type Letter, remark } from '../platform/mail/layout.ts';
import { countStrangerMail } from './carriers/email/email.carrier.ts';

/** The codes of links of one kind. A code has the attempts, lifetime and limits of log-in codes (ACC-8, ACC-9, ACC-12). */
export interface CodeKind {
  readonly purpose: string;
  readonly codes: LinkCodes;
}

/** Counts a mail with a code: of the network, of the address, and of a company that is new. @throws AppError too_many_requests */
export async function countCodeMail(
  context: Context,
  companyId: number,
  { address, ip }: { readonly address: string; readonly ip: string },
): Promise<void> {
  await limitByIp(context, 'mail', ip);
  await limitByAddress(context.db, address, ip);
  await countStrangerMail(context, companyId);
}

/** Uses up the code of a link. @throws AppError wrong_code, too_many_requests */
export async function spendCode(
  context: Context,
  kind: CodeKind,
  link: CodedLink,
  { code, ip }: { readonly code: string; readonly ip: string },
): Promise<void> {
  await limitByIp(context, 'verify', ip);
  // Not thrown inside the transaction: the count of wrong codes must be committed.
  const refusal = await context.db
    .transaction()
    .execute(async (trx) => redeemLinkCode(context, trx, { kind, link, code }));
  if (refusal) throw refusal;
}

/** Uses up the code of a link, or counts a wrong one and returns its refusal, which is thrown after the transaction. */
export async function redeemLinkCode(
  context: Context,
  trx: Trx,
  typed: { readonly kind: CodeKind; readonly link: CodedLink; readonly code: string },
): Promise<AppError | null> {
  const { purpose, codes } = typed.kind;
  const { link, code } = typed;
  const expected = await codes.lock(trx, link, CODE_ATTEMPTS);
  const given = hashCode(context, purpose, link, code);
  const isRight = expected !== null && timingSafeEqual(expected, given);
  if (expected !== null) await codes.close(trx, link, isRight);
  return isRight ? null : new AppError('wrong_code', { field: 'code' });
}

/** The words of a mail around the code of a link. */
interface CodeWords {
  /** Completes 'er koden din for å'. */
  readonly purpose: string;
  readonly heading: string;
  readonly why: string;
  /** The reward for typing it in. */
  readonly after: string;
}

/** Mails a new code for a link; the one before is void. A second run makes a second code. */
export async function mailCode(
  context: Context,
  { purpose, codes }: CodeKind,
  link: CodedLink,
  address: string,
  words: CodeWords,
): Promise<void> {
  const { config, db, log } = context;
  const code = makeCode();
  const hash = hashCode(context, purpose, link, code);
  await codes.store(db, link, { hash, seconds: LOGIN_MINUTES * 60 });
  const envelope = { to: address, key: randomUUID(), isAwaited: true };
  await sendLetter(context, envelope, codeMail(code, words));
  // Only where no mail leaves the machine, for a person who tries the product.
  if (config.smtpUrl === null) log.info(`Code for the link of ${address}: ${code}`);
}

function hashCode({ config }: Context, purpose: string, { uuid }: CodedLink, code: string): Buffer {
  return keyedHash(config.secretKey, purpose, `${uuid}\0${code}`);
}

function codeMail(code: string, { purpose, heading, why, after }: CodeWords): Letter {
  return {
    subject: `${code} er koden din for å ${purpose}`,
    preheader: `Koden virker i ${LOGIN_MINUTES} minutter.`,
    heading,
    body: [
      why,
      codeBlock({ label: 'Koden din er', value: code }),
      `Skriv den inn på siden der du ba om den. ${after}`,
      remark(`Koden virker i ${LOGIN_MINUTES} minutter, og bare én gang.`),
    ],
    footer: [
      'Har du ikke bedt om koden, kan du se bort fra denne e-posten. Gi aldri koden til noen.',
    ],
  };
}
