import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import { useFormContext, useWatch } from 'react-hook-form';
import { Link } from 'react-router';

import { paths } from '../../../lib/paths.ts';
import type { FormWithTerms } from '../../editor/draft-values.ts';
import { countRecipients, type Recipients } from '../../editor/recipients.ts';
import { einvoiceSettingsQuery } from '../../einvoice/einvoice.api.ts';
import { useMaySendEhf } from '../../profile/profile.api.ts';
import { useCan, useFeature } from '../../session/session.api.ts';
import { ehfRemarks, someOf } from '../SendingQuestion.tsx';
import { type EhfReceivers, useEhfReceivers } from './ehf-first.ts';

interface EhfHelpProps {
  readonly recipients: Recipients;
  /** Called with who receives EHF, and with nothing when the hint goes. */
  readonly onFound?: (found?: EhfReceivers) => void;
}

/** The hint of 'Leveringsmetode', unless it is EHF: who receives EHF, and whether they get it (EINV-7). */
export function EhfHelp({ recipients, onFound }: EhfHelpProps) {
  const { control } = useFormContext<FormWithTerms>();
  const type = useWatch({ control, name: 'deliveryType' });
  const isOn = useFeature('einvoice');
  const maySend = useMaySendEhf();
  const { data: settings } = useQuery({ ...einvoiceSettingsQuery, enabled: isOn });
  const found = useEhfReceivers(recipients, type);
  const { able, counts } = found;
  const tell = useEffectEvent((it?: EhfReceivers) => onFound?.(it));
  const text = JSON.stringify(found);
  useEffect(() => {
    tell(JSON.parse(text) as EhfReceivers);
    return () => tell();
  }, [text]);
  const count = countRecipients(recipients);
  const canAgree = useCan('profile') && settings?.banner === 'NO_AGREEMENT';
  if (!settings) return null;
  if (maySend) {
    const isChosen = count === 1 && type === 'EMAIL' && settings.ehfFirst && counts.otherWay > 0;
    const remarks = isChosen ? [BY_CHOICE] : ehfRemarks(counts, count);
    return remarks.join(' ');
  }
  return able === 0 ? null : (
    <>
      {`${someOf(able, count)} tar imot EHF. `}
      {canAgree ? <Link to={paths.agreements}>Kom i gang</Link> : null}
    </>
  );
}

const BY_CHOICE = 'Kunden kan motta EHF, men skal ha e-post. Det er valgt på kunden.';
