import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';

import { showCount } from '../../../lib/number-text.ts';
import { paths } from '../../../lib/paths.ts';
import { customerQuery, useReachabilities } from '../../customer/customer.api.ts';
import type { Recipients } from '../../editor/recipients.ts';
import { einvoiceSettingsQuery } from '../../einvoice/einvoice.api.ts';
import { useMaySendEhf } from '../../profile/profile.api.ts';
import { useCan, useFeature } from '../../session/session.api.ts';

/** Above this many, the server says who can receive EHF when they are registered. */
const ASKED_MAX = 20;

/** Below 'Leveringsmetode' while it is e-mail: who receives EHF, and whether they get it (EINV-7). */
export function EhfHelp({ recipients: { customers, group } }: { recipients: Recipients }) {
  const isOn = useFeature('einvoice');
  const canAgree = useCan('profile');
  const maySend = useMaySendEhf();
  const sendsFirst = useSendsEhfFirst();
  const { data: settings } = useQuery({ ...einvoiceSettingsQuery, enabled: isOn });
  const asked = customers.slice(0, ASKED_MAX).map(({ customerNumber }) => customerNumber);
  const able = useReachabilities(asked, { enabled: isOn }).filter((it) => it === 'REACHABLE');
  const [only] = group || customers.length > 1 ? [] : customers;
  const { data: customer } = useQuery({
    ...customerQuery(only?.customerNumber ?? 0),
    enabled: isOn && only !== undefined,
  });
  if (!settings) return null;
  if (sendsFirst) {
    if (!only) return group || able.length > 0 ? <p className="note">{SOME_GET_EHF}</p> : null;
    if (able.length === 0) return null;
    if (customer?.ehfFirst === false) return <p className="note">{BY_CHOICE}</p>;
    return <p className="note">Sendes som EHF, fordi kunden kan motta det.</p>;
  }
  if (able.length === 0) return null;
  const who = only ? 'Kunden' : `${able.length === 1 ? 'Én' : showCount(able.length)} av kundene`;
  if (maySend) {
    return <p className="note">{`${who} kan motta EHF, men får ikke fakturaen som EHF.`}</p>;
  }
  return (
    <p className="note">
      {`${who} tar imot EHF. `}
      {settings.banner === 'NO_AGREEMENT' && canAgree ? (
        <Link to={paths.agreements}>Kom i gang</Link>
      ) : null}
    </p>
  );
}

const BY_CHOICE = 'Kunden kan motta EHF, men skal ha e-post. Det er valgt på kunden.';

/** Whether invoices for e-mail go as EHF where their customers receive it (EINV-6). */
export function useSendsEhfFirst(): boolean {
  const isOn = useFeature('einvoice');
  const maySend = useMaySendEhf();
  const { data } = useQuery({ ...einvoiceSettingsQuery, enabled: isOn });
  return isOn && maySend && data?.ehfFirst === true;
}

/** Said before invoices to several customers are made, where EHF comes first. */
export const SOME_GET_EHF = 'De som kan motta EHF, får EHF i stedet for e-post.';
