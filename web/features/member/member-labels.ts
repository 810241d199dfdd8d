import type { Member } from '../../../domain/member/member.schema.ts';
import type { Role } from '../../../domain/permission.ts';
import { formatDate } from '../../../domain/date.ts';
import type { Label } from '../../ui/Badge.tsx';

export const ROLE_TEXTS: Readonly<Record<Role, { readonly name: string; readonly hint: string }>> =
  {
    OWNER: {
      name: 'Eier',
      hint: 'Kan alt, også endre profilen og bestemme hvem som har tilgang.',
    },
    EMPLOYEE: {
      name: 'Medarbeider',
      hint: 'Ser alt, og lager utkast, kunder og maler. Du bestemmer resten under.',
    },
    ACCOUNTANT: {
      name: 'Regnskapsfører',
      hint: 'Som en medarbeider. Fører innbetalinger, purrer og eksporterer til regnskapet.',
    },
    AUDITOR: { name: 'Revisor', hint: 'Ser alt og eksporterer, men endrer ingenting.' },
  };

/** The state of a member that is not simply a member; null for one that is. */
export function stateLabel({ state }: Member): Label | null {
  if (state === 'INVITED') return { text: 'Invitert', tone: 'blue' };
  if (state === 'EXPIRED') return { text: 'Invitasjonen er utløpt', tone: 'amber' };
  return state === 'ENDED' ? { text: 'Avsluttet', tone: 'gray' } : null;
}

/** For example 'Kan sende fakturaer. Til og med 31.12.2026'. */
export function accessText({ role, mayRegister, mayHandlePayments, endsOn }: Member): string {
  const own = role === 'EMPLOYEE' || role === 'ACCOUNTANT';
  const parts = [
    own && mayRegister ? 'Kan sende fakturaer' : null,
    role === 'EMPLOYEE' && mayHandlePayments ? 'Kan føre innbetalinger og purre' : null,
    endsOn ? `Til og med ${formatDate(endsOn)}` : null,
  ];
  return parts.filter((part) => part !== null).join('. ');
}
