import { formatDate, todayInOslo } from '../../domain/date.ts';
import { readableEmail } from '../../domain/email.ts';
import { invitationText } from '../../domain/member/invitation-text.ts';
import { INVITATION_DAYS, type Invitation } from '../../domain/member/member.schema.ts';
import { formatBankAccount } from '../../domain/parties.ts';
import { findAccounts, findContact } from '../company/profile.service.ts';
import type { Context } from '../context.ts';
import { handlerOf, type JobHandler } from '../platform/jobs/job.ts';
import { memberMailJob, type MemberMail } from '../platform/jobs/jobs.ts';
import {
  button,
  facts,
  type Letter,
  type MailContent,
  remark,
  renderMail,
} from '../platform/mail/layout.ts';
import { sendNotice } from '../platform/mail/notice.ts';
import { nameInSubject } from '../platform/mail/outgoing-mail.ts';
import { noticeJobs, notifyCompany } from './company-notice.service.ts';
import { findAddress, findMemberWith, makeInvitation } from './member.service.ts';

/** Mails to members: invited, removed, or that the bank account was changed; and notices that an owner lacks. */
export function memberJobs(context: Context): JobHandler[] {
  return [
    ...noticeJobs(context),
    handlerOf(memberMailJob, async (order) => mailMember(context, order), { feature: 'members' }),
  ];
}

/** A second run may mail the same again; an invitation then has a new token, which replaces the first. */
async function mailMember(context: Context, order: MemberMail): Promise<void> {
  const { config, db } = context;
  const { accountId, companyId, messageUuid: key } = order;
  const notice = { companyId, key, isAwaited: true };
  if (order.mail === 'INVITED') {
    // Nothing is mailed for a member who may not any more (MEM-9).
    if ((await findMemberWith(context, companyId, { accountId }, 'members')) === null) return;
    const invitation = await makeInvitation(context, companyId, order.memberUuid);
    if (!invitation) return;
    const url = `${config.publicUrl}/auth/invitation/?token=${invitation.token}`;
    const addresses = [invitation.email];
    await sendNotice(context, { ...notice, addresses }, invitationMail(invitation, url));
    return;
  }
  const address = await findAddress(db, accountId);
  if (order.mail === 'REMOVED') {
    const addresses = address === null ? [] : [address];
    const { name } = await findContact(db, companyId);
    await sendNotice(context, { ...notice, addresses }, removedMail(name));
  } else {
    const accounts = await findAccounts(db, companyId);
    const toOwners = { ...notice, to: 'OWNERS', path: '/profile/' } as const;
    await notifyCompany(context, toOwners, (url, company) =>
      bankAccountMail(company, address, accounts, url),
    );
  }
}

function invitationMail(invitation: Invitation, url: string): MailContent {
  const { company, email, endsOn } = invitation;
  return renderMail({
    subject:
      company === ''
        ? 'Invitasjon til Faktur'
        : `Invitasjon til ${nameInSubject(company)} i Faktur`,
    preheader: invitationText(invitation),
    heading: `Bli med i ${company || 'en bedrift'}`,
    body: [
      `${invitationText(invitation)} Bedriften lager og sender fakturaer i Faktur.`,
      ...(endsOn === null ? [] : [`Tilgangen varer til og med ${formatDate(endsOn)}.`]),
      button('Bli med', url),
      remark(
        `Lenken virker i ${INVITATION_DAYS} dager, bare én gang, og bare for ${readableEmail(email)}. Du trenger ikke å ha en konto fra før.`,
      ),
    ],
    footer: [
      'Kjenner du ikke dem som inviterer, kan du se bort fra denne e-posten. Send ikke lenken videre.',
    ],
  });
}

function removedMail(company: string | null): MailContent {
  const name = company ?? 'en bedrift';
  return renderMail({
    subject: `Tilgangen din til ${nameInSubject(name)} er avsluttet`,
    preheader: 'Du kan ikke lenger logge inn der i Faktur.',
    heading: 'Tilgangen din er avsluttet',
    body: [
      `En eier har avsluttet tilgangen din til ${name} i Faktur, så du kan ikke lenger se eller endre noe der.`,
      'Alt du har gjort, står der fortsatt. Takk for innsatsen!',
    ],
    footer: ['Tror du at det er en feil, kan du spørre dem som har bedriften.'],
  });
}

function bankAccountMail(
  company: string | null,
  by: string | null,
  accounts: readonly string[],
  url: string,
): Letter {
  const name = company ?? 'bedriften din';
  return {
    // The words name it.
    about: null,
    subject: `Bankkontoen til ${name} er endret`,
    preheader: 'Kontroller at den stemmer.',
    heading: 'Bankkontoen er endret',
    body: [
      `${by === null ? 'Noen' : readableEmail(by)} har endret bankkontoene til ${name} i Faktur. Nå er de:`,
      facts(accounts.map((account) => ({ label: 'Konto', value: formatBankAccount(account) }))),
      'Stemmer det ikke, logg inn og rett det med en gang.',
      button('Se bankkontoene', url),
    ],
    footer: [`Alle eiere får denne e-posten. Sendt ${formatDate(todayInOslo())}.`],
  };
}
