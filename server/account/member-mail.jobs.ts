import { formatDate, todayInOslo } from '../../domain/date.ts';
import { readableEmail } from '../../domain/email.ts';
import { invitationText } from '../../domain/member/invitation-text.ts';
import { INVITATION_DAYS, type Invitation } from '../../domain/member/member.schema.ts';
import { formatBankAccount } from '../../domain/parties.ts';
import { findAccounts, findContact, findScreenUrl } from '../company/profile.service.ts';
import type { Context } from '../context.ts';
import { handlerOf, type JobHandler } from '../platform/jobs/job.ts';
import { memberMailJob, noticeJob, type MemberMail } from '../platform/jobs/jobs.ts';
import {
  button,
  facts,
  type MailContent,
  paragraph,
  remark,
  renderMail,
} from '../platform/mail/layout.ts';
import { sendNotice } from '../platform/mail/notice.ts';
import { nameInSubject } from '../platform/mail/outgoing-mail.ts';
import {
  findMemberWith,
  findNoticeAddresses,
  findOwnerAddresses,
  makeInvitation,
  findAddress,
} from './member.service.ts';

/** Mails to members: invited, removed, or that the bank account was changed; and notices that an owner lacks. */
export function memberJobs(context: Context): JobHandler[] {
  return [
    handlerOf(memberMailJob, async (order) => mailMember(context, order), { feature: 'members' }),
    handlerOf(
      noticeJob,
      async ({ companyId, address, key, content }) => {
        const addresses = await findNoticeAddresses(context, companyId);
        // Nothing is mailed to an owner who is none any more (MEM-9).
        if (!addresses.some((one) => one.toLowerCase() === address.toLowerCase())) return;
        await sendNotice(context, { companyId, addresses: [address], key }, content);
      },
      { feature: 'members' },
    ),
  ];
}

/** A second run may mail the same again; an invitation then has a new token, which replaces the first. */
async function mailMember(context: Context, order: MemberMail): Promise<void> {
  const { config, db } = context;
  const { accountId, companyId, messageUuid } = order;
  if (order.mail === 'INVITED') {
    // Nothing is mailed for a member who may not any more (MEM-9).
    if ((await findMemberWith(context, companyId, { accountId }, 'members')) === null) return;
    const invitation = await makeInvitation(context, companyId, order.memberUuid);
    if (!invitation) return;
    const url = `${config.publicUrl}/auth/invitation/?token=${invitation.token}`;
    const content = invitationMail(invitation, url);
    await mail(context, { companyId, addresses: [invitation.email], key: messageUuid }, content);
    return;
  }
  const company = (await findContact(db, companyId)).name;
  const address = await findAddress(db, accountId);
  if (order.mail === 'REMOVED') {
    const addresses = address === null ? [] : [address];
    await mail(context, { companyId, addresses, key: messageUuid }, removedMail(company));
  } else {
    const accounts = await findAccounts(db, companyId);
    const url = await findScreenUrl(context, companyId, '/profile/');
    const content = bankAccountMail({ company, by: address, accounts }, url);
    const addresses = await findOwnerAddresses(db, companyId);
    await mail(context, { companyId, addresses, key: messageUuid }, content);
  }
}

async function mail(
  context: Context,
  notice: Parameters<typeof sendNotice>[1],
  content: MailContent,
): Promise<void> {
  await sendNotice({ ...context, mailer: context.loginMailer }, notice, content);
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
      paragraph(`${invitationText(invitation)} Bedriften lager og sender fakturaer i Faktur.`),
      ...(endsOn === null ? [] : [paragraph(`Tilgangen varer til og med ${formatDate(endsOn)}.`)]),
      button('Bli med', url),
      remark(
        `Lenken virker i ${INVITATION_DAYS} dager, bare én gang, og bare for ${readableEmail(email)}. Du trenger ikke å ha en konto fra før.`,
      ),
    ],
    footer: [
      remark(
        'Kjenner du ikke dem som inviterer, kan du se bort fra denne e-posten. Send ikke lenken videre.',
      ),
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
      paragraph(
        `En eier har avsluttet tilgangen din til ${name} i Faktur, så du kan ikke lenger se eller endre noe der.`,
      ),
      paragraph('Alt du har gjort, står der fortsatt. Takk for innsatsen!'),
    ],
    footer: [remark('Tror du at det er en feil, kan du spørre dem som har bedriften.')],
  });
}

function bankAccountMail(
  {
    company,
    by,
    accounts,
  }: {
    readonly company: string | null;
    readonly by: string | null;
    readonly accounts: readonly string[];
  },
  url: string,
): MailContent {
  const name = company ?? 'bedriften din';
  return renderMail({
    subject: `Bankkontoen til ${name} er endret`,
    preheader: 'Kontroller at den stemmer.',
    heading: 'Bankkontoen er endret',
    body: [
      paragraph(
        `${by === null ? 'Noen' : readableEmail(by)} har endret bankkontoene til ${name} i Faktur. Nå er de:`,
      ),
      facts(accounts.map((account) => ({ label: 'Konto', value: formatBankAccount(account) }))),
      paragraph('Stemmer det ikke, logg inn og rett det med en gang.'),
      button('Se bankkontoene', url),
    ],
    footer: [remark(`Alle eiere får denne e-posten. Sendt ${formatDate(todayInOslo())}.`)],
  });
}
