import type { Session } from '../../../domain/session/session.schema.ts';
import { laterCode } from '../../lib/later-code.ts';
import { useLaterCode } from '../../ui/useLaterCode.ts';

/** Only those who share companies load it. */
const companies = laterCode(async () => import('../../features/member/Companies.tsx'));

interface CompanyCodeProps {
  readonly session: Session;
  readonly show: 'CompanySwitcher' | 'NoCompany' | 'OtherCompany';
}

/** Shows a part about the session's company, with `members`. Renders nothing until its code is loaded. */
export function CompanyCode({ session, show }: CompanyCodeProps) {
  const code = useLaterCode(companies);
  const Part = code?.[show];
  return Part ? <Part session={session} /> : null;
}
