import { readableEmail } from '../email.ts';
import type { Role } from '../permission.ts';
import type { Invitation } from './member.schema.ts';

const ROLE_NAMES: Readonly<Record<Role, string>> = {
  OWNER: 'eier',
  EMPLOYEE: 'medarbeider',
  ACCOUNTANT: 'regnskapsfører',
  AUDITOR: 'revisor',
};

/** The sentence of an invitation's mail and screen: 'Kari (kari@fjord.no) inviterer deg til Fjord AS som revisor.' (MEM-20). */
export function invitationText({ company, invitedBy, role }: Invitation): string {
  const to = `${company || 'en bedrift'} som ${ROLE_NAMES[role]}`;
  if (invitedBy === null) return `Du er invitert til ${to}.`;
  const { name, email } = invitedBy;
  const address = readableEmail(email);
  return `${name === null ? address : `${name} (${address})`} inviterer deg til ${to}.`;
}
