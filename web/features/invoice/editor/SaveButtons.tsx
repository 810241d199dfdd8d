import { useState } from 'react';
import { flushSync } from 'react-dom';
import { useFormContext, useWatch } from 'react-hook-form';

import { May } from '../../session/Allowed.tsx';
import type { DeliveryType } from '../../../../domain/delivery/delivery.schema.ts';
import { formatOre } from '../../../../domain/money.ts';
import type { InvoiceForm } from '../../../../domain/invoice/invoice.schema.ts';
import type { Saving } from '../../../forms/Form.tsx';
import { showCount } from '../../../lib/count.ts';
import { Button } from '../../../ui/Button.tsx';
import { ConfirmDialog, useQuestion } from '../../../ui/ConfirmDialog.tsx';
import { SendIcon } from '../../../ui/icons.tsx';
import { isUnprintable, UnprintableNotice } from '../../../ui/UnprintableNotice.tsx';
import type { InvoiceDraft, InvoiceFormState } from '../../editor/invoice-form-state.ts';
import { countRecipients, isNobody, type Recipients } from '../../editor/recipients.ts';
import { draftTotals } from '../line-sums.ts';

interface SaveButtonsProps {
  readonly recipients: Recipients;
  readonly incomplete: boolean;
  readonly isPending: boolean;
  readonly isSending: boolean;
  readonly onPress: (isSending: boolean) => void;
}

export function SaveButtons(props: SaveButtonsProps) {
  const { recipients, incomplete, isPending, isSending, onPress } = props;
  const { control } = useFormContext<InvoiceDraft>();
  const deliveryType = useWatch({ control, name: 'deliveryType' });
  // The form submits after the click, and must know by then which button it was. Enter in a field clicks 'Lagre'.
  const press = (sends: boolean) => () => {
    if (!isPending) flushSync(() => onPress(sends));
  };
  const shared = { type: 'submit', wide: true, disabled: incomplete } as const;
  return (
    <div className="row gap-3">
      <p id="save-plan" className="note grow">
        {planOf(recipients, deliveryType)}
      </p>
      <Button {...shared} pending={isPending && !isSending} onClick={press(false)}>
        Lagre
      </Button>
      <May permission="issue">
        <Button
          {...shared}
          variant="primary"
          icon={<SendIcon />}
          pending={isPending && isSending}
          aria-describedby="save-plan"
          onClick={press(true)}
        >
          Registrer og send
        </Button>
      </May>
    </div>
  );
}

const WAYS: Readonly<Record<DeliveryType, string>> = {
  NONE: '',
  EMAIL: 'på e-post',
  EHF: 'som EHF',
  EFAKTURA: 'som eFaktura',
};

/** Says how many drafts are made, and to whom 'Registrer og send' sends them. Empty while nobody is chosen. */
function planOf(recipients: Recipients, type: DeliveryType | null | undefined): string {
  const count = countRecipients(recipients);
  if (count === 0) return '';
  const [only] = recipients.customers;
  const way = type ? WAYS[type] : '';
  if (count === 1 && only) {
    const sending = way ? `og sender den til ${only.name} ${way}` : 'uten å sende den';
    return `«Registrer og send» gir fakturaen nummer ${sending}.`;
  }
  const sending = way ? `og sender dem ${way}` : 'uten å sende dem';
  return `Det lages ${draftsOf(recipients)}. «Registrer og send» gir dem nummer ${sending}.`;
}

/** For example '120 utkast, ett til hver kunde'. */
function draftsOf(recipients: Recipients): string {
  const count = countRecipients(recipients);
  const most = recipients.group && recipients.customers.length > 0 ? 'inntil ' : '';
  return `${count === null ? '' : `${most}${showCount(count)} `}utkast, ett til hver kunde`;
}

export interface Sending<R> {
  readonly isPending: boolean;
  readonly run: (saved: R) => Promise<unknown>;
}

/**
 * The save of a new invoice, followed by registering when 'Registrer og send' was pressed. Asks before several invoices
 * are registered, as the list does, since each takes a credit note to undo, and before characters are lost, since they
 * cannot be added later.
 */
export function useSending<R>(
  form: InvoiceFormState,
  recipients: Recipients,
  save: Saving<InvoiceForm, R>,
  send: Sending<R> | undefined,
) {
  const [isSending, setSending] = useState(false);
  const { ask, dialog } = useQuestion();
  const values = form.getValues();
  const count = countRecipients(recipients);
  const total = draftTotals(values.invoiceLines ?? []);
  const saving: Saving<InvoiceForm, R> = {
    isPending: save.isPending || send?.isPending === true,
    mutateAsync: async (saved) => {
      const result = await save.mutateAsync(saved);
      if (isSending) await send?.run(result);
      return result;
    },
  };
  return {
    isSending,
    setSending,
    saving,
    confirm: async () =>
      !isSending ||
      (count === 1 && !(await isUnprintable(form.getValues()))) ||
      isNobody(recipients) ||
      ask(),
    question: (
      <ConfirmDialog
        title="Registrere og sende?"
        confirmLabel="Registrer og send"
        confirmVariant="primary"
        {...dialog}
      >
        <p>
          {planOf(recipients, values.deliveryType)}
          {total ? ` ${formatOre(total.gross)} kr${count === 1 ? '' : ' hver'}.` : null}
        </p>
        <UnprintableNotice content={values} />
        <p>
          {count === 1 ? 'Fakturaen får' : 'Fakturaene får'} nummer og kan ikke endres eller slettes
          etterpå, bare krediteres.
        </p>
      </ConfirmDialog>
    ),
  };
}
