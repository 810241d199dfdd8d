import { useFormContext, useWatch } from 'react-hook-form';

import type { DeliveryType } from '../../../../domain/delivery/delivery.schema.ts';
import { formatOre, ore, type Ore } from '../../../../domain/money.ts';
import { showCount } from '../../../lib/number-text.ts';
import { Button, SubmitButton } from '../../../ui/Button.tsx';
import { FootBar, FootButtons } from '../../../ui/FootBar.tsx';
import { FileIcon, SendIcon } from '../../../ui/icons.tsx';
import { useLaterCode } from '../../../ui/useLaterCode.ts';
import type { InvoiceDraft } from '../../editor/draft-values.ts';
import { countRecipients, type Recipients } from '../../editor/recipients.ts';
import { May } from '../../session/Allowed.tsx';
import { draftTotals } from '../line-sums.ts';
import { laterParts } from './later-parts.ts';

interface SaveBarProps {
  readonly recipients: Recipients;
  /** Whether the only recipient has no address, and would get nothing. */
  readonly isUnreached: boolean;
  /** How many go as EHF in place of e-mail; null where it is not known. */
  readonly ehfFirst: number | null;
  readonly incomplete: boolean;
  readonly isPending: boolean;
  readonly isSending: boolean;
  /** Called before the form is submitted; absent where nothing is sent. */
  readonly onPress: ((isSending: boolean) => void) | undefined;
}

/** The buttons that save, always in view, with what the last one sends and to whom (INV-40). */
export function SaveBar(props: SaveBarProps) {
  const { recipients, incomplete, isPending, isSending, onPress } = props;
  const { control } = useFormContext<InvoiceDraft>();
  const later = useLaterCode(laterParts);
  const [deliveryType, lines] = useWatch({ control, name: ['deliveryType', 'invoiceLines'] });
  if (!onPress) {
    return (
      <FootBar>
        <FootButtons>
          <SubmitButton pending={isPending}>Lagre</SubmitButton>
        </FootButtons>
      </FootBar>
    );
  }
  const shared = { type: 'submit', disabled: incomplete } as const;
  const count = countRecipients(recipients);
  return (
    <FootBar>
      <p id="save-plan" className="note grow" aria-live="polite">
        {isPending && isSending && count !== 1
          ? `Registrerer ${count === null ? '' : `${showCount(count)} `}utkast …`
          : planOf(props, deliveryType)}
      </p>
      <FootButtons>
        {later ? (
          <later.PreviewButton disabled={incomplete} />
        ) : (
          <Button variant="quiet" icon={<FileIcon />} disabled>
            Forhåndsvis
          </Button>
        )}
        <Button {...shared} pending={isPending && !isSending} onClick={() => onPress(false)}>
          Lagre
        </Button>
        <May permission="issue">
          <Button
            {...shared}
            variant="primary"
            icon={<SendIcon />}
            pending={isPending && isSending}
            aria-describedby="save-plan"
            onClick={() => onPress(true)}
          >
            Registrer og send {sumText(recipients, draftTotals(lines ?? [])?.gross)}
          </Button>
        </May>
      </FootButtons>
    </FootBar>
  );
}

const WAYS: Readonly<Record<DeliveryType, string>> = {
  NONE: '',
  EMAIL: 'på e-post',
  EHF: 'som EHF',
  EFAKTURA: 'som eFaktura',
};

/** Says how many drafts are made, and to whom 'Registrer og send' sends them. Empty while nobody is chosen. */
function planOf(
  { recipients, isUnreached, ehfFirst }: SaveBarProps,
  type: DeliveryType | null | undefined,
): string {
  const count = countRecipients(recipients);
  if (count === 0) return '';
  const [only] = recipients.customers;
  if (isUnreached && only) return `${only.name} mangler e-post, så fakturaen kan ikke sendes.`;
  const isMixed = ehfFirst !== 0 && ehfFirst !== count;
  const way = isMixed ? 'på e-post eller som EHF' : WAYS[ehfFirst ? 'EHF' : (type ?? 'NONE')];
  if (count === 1 && only) {
    const sending = way ? `og sender den til ${only.name} ${way}` : 'uten å sende den';
    return `«Registrer og send» gir fakturaen nummer ${sending}.`;
  }
  const sending = way ? `og sender dem ${way}` : 'uten å sende dem';
  return `Det lages ${draftsOf(recipients)}. «Registrer og send» gir dem nummer ${sending}.`;
}

/** The sum of all invoices, as '1 250,00 kr'; '' while it is not known or 0. */
function sumText(recipients: Recipients, gross: Ore | undefined): string {
  // Nobody knows how many customers are in the group too.
  const isKnown = recipients.group === null || recipients.customers.length === 0;
  const sum = (gross ?? 0) * ((isKnown && countRecipients(recipients)) || 0);
  return sum > 0 && Number.isSafeInteger(sum) ? `${formatOre(ore(sum))}\u00A0kr` : '';
}

/** For example '120 utkast, ett til hver kunde'. */
function draftsOf(recipients: Recipients): string {
  const count = countRecipients(recipients);
  const most = recipients.group && recipients.customers.length > 0 ? 'inntil ' : '';
  return `${count === null ? '' : `${most}${showCount(count)} `}utkast, ett til hver kunde`;
}
