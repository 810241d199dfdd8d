import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';

import { todayInOslo } from '../../../domain/date.ts';
import type { EInvoiceSettings } from '../../../domain/einvoice/einvoice.schema.ts';
import { showCount } from '../../lib/number-text.ts';
import { paths } from '../../lib/paths.ts';
import { withStorage } from '../../lib/storage.ts';
import { IconButton } from '../../ui/Button.tsx';
import { CloseIcon } from '../../ui/icons.tsx';
import { Alert } from '../../ui/Surface.tsx';
import { settingsQuery } from '../session/session.api.ts';
import { einvoiceSettingsQuery } from './einvoice.api.ts';

const HIDDEN_UNTIL = 'einvoice-banner-hidden-until';
const WEEK = 7 * 24 * 3_600_000;

/** Says above the invoices what a company still has to do for the law of 2027; nothing where it has done it (EINV-9). */
export function EInvoiceBanner() {
  const { data } = useQuery(einvoiceSettingsQuery);
  const { data: settings } = useQuery(settingsQuery);
  const [isHidden, setHidden] = useState(() => Date.now() < hiddenUntil());
  if (!data?.banner) return null;
  const isBefore = todayInOslo() < data.dutyFrom;
  if (isBefore && isHidden) return null;
  const hide = () => {
    withStorage((kept) => kept.setItem(HIDDEN_UNTIL, String(Date.now() + WEEK)));
    setHidden(true);
  };
  return (
    <Alert
      compact
      tone={isBefore ? 'info' : 'warning'}
      action={
        isBefore ? <IconButton label="Skjul i en uke" icon={<CloseIcon />} onClick={hide} /> : null
      }
    >
      {bannerText(data, isBefore)}
      {data.banner === 'NO_ACCESS_POINT' && settings ? ` Kontakt ${settings.supportEmail}.` : ' '}
      {data.banner === 'NO_AGREEMENT' ? (
        <Link to={paths.agreements}>Inngå utstederavtale</Link>
      ) : null}
    </Alert>
  );
}

function hiddenUntil(): number {
  return Number(withStorage((kept) => kept.getItem(HIDDEN_UNTIL)) ?? 0);
}

/** @param isBefore whether it is before 2027 */
export function bannerText(
  { banner, reachableCustomers }: Pick<EInvoiceSettings, 'banner' | 'reachableCustomers'>,
  isBefore: boolean,
): string {
  switch (banner) {
    case 'REQUESTED':
      return 'Avtalen om e-faktura venter på godkjenning.';
    case 'NO_ACCESS_POINT':
      return isBefore
        ? 'Fra 1. januar 2027 skal bedrifter få e-faktura (EHF). Denne installasjonen sender ikke EHF ennå.'
        : 'Bedrifter skal få e-faktura (EHF). Denne installasjonen sender ikke EHF.';
    default:
      return isBefore
        ? `Fra 1. januar 2027 skal bedrifter få e-faktura (EHF). ${showCount(reachableCustomers)} av bedriftskundene dine kan motta.`
        : 'Bedrifter skal få e-faktura (EHF). Du har ingen utstederavtale, så fakturaene går på e-post med EHF-filen vedlagt.';
  }
}
