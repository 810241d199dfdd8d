import { useState } from 'react';
import { flushSync } from 'react-dom';
import { FormProvider, useFormContext, useWatch } from 'react-hook-form';

import type { DeliveryType } from '../../../../domain/delivery/delivery.schema.ts';
import { findHints } from '../../../../domain/invoice/invoice-hint.ts';
import { invoiceForm, type InvoiceForm } from '../../../../domain/invoice/invoice.schema.ts';
import type { InvoiceTemplate } from '../../../../domain/invoice-template/invoice-template.schema.ts';
import { formatOre, type Ore } from '../../../../domain/money.ts';
import { useSchemaForm, type Saving } from '../../../forms/Form.tsx';
import { GuardedForm } from '../../../forms/GuardedForm.tsx';
import { showCount } from '../../../lib/count.ts';
import { laterCode } from '../../../lib/later-code.ts';
import { Alert } from '../../../ui/Alert.tsx';
import { Button, SubmitButton } from '../../../ui/Button.tsx';
import { ConfirmDialog, useQuestion } from '../../../ui/ConfirmDialog.tsx';
import { SendIcon } from '../../../ui/icons.tsx';
import { isUnprintable, UnprintableNotice } from '../../../ui/UnprintableNotice.tsx';
import { useLaterCode } from '../../../ui/useLaterCode.ts';
import type { CompanyVat, InvoiceDraft, InvoiceFormState } from '../../editor/draft-values.ts';
import { FIELD_LABELS, InvoiceFields, showField } from '../../editor/InvoiceFields.tsx';
import {
  NEW_CUSTOMER_FIRST,
  recipientFaults,
  RecipientPicker,
} from '../../editor/RecipientPicker.tsx';
import {
  countRecipients,
  isNobody,
  useRecipients,
  type Recipients,
} from '../../editor/recipients.ts';
import { May } from '../../session/Allowed.tsx';
import { useFeatures } from '../../session/session.api.ts';
import { draftTotals } from '../line-sums.ts';
import { useProposals } from './useProposals.ts';

const missingEmails = laterCode(async () => import('./MissingEmails.tsx'));

/** Loaded after the screen, which does not need it at first. */
function MissingEmails(props: { readonly recipients: Recipients; readonly locked: boolean }) {
  const code = useLaterCode(missingEmails);
  return code ? <code.MissingEmails {...props} /> : null;
}

interface InvoiceEditorProps<R> {
  readonly templates: readonly InvoiceTemplate[];
  readonly vat: CompanyVat;
  readonly initialValues: InvoiceDraft;
  /** The recipients, with names, that the form may hold before the user chooses any. */
  readonly initialRecipients: Recipients;
  /** Whether the terms are already chosen, so that none are proposed. */
  readonly areTermsChosen: boolean;
  /** The draft that is being changed; it has one customer. Absent for a new invoice. */
  readonly editing?: { readonly record: R; readonly valuesOf: (record: R) => InvoiceDraft };
  readonly incomplete?: boolean;
  readonly save: Saving<InvoiceForm, R>;
  /** Absent for a draft that is being changed. */
  readonly send?: Sending<R>;
  readonly onSaved: (result: R) => void;
}

export function InvoiceEditor<R>(props: InvoiceEditorProps<R>) {
  const { initialValues, initialRecipients, areTermsChosen, editing, save, send } = props;
  const form = useSchemaForm(invoiceForm(useFeatures()), initialValues);
  const { recipients, choose, setKnown } = useRecipients(form, initialRecipients);
  const locked = useWatch({ control: form.control, name: 'templateId' }) != null;
  const proposals = useProposals(form, recipients, {
    recipients: initialRecipients,
    isDecided: areTermsChosen,
  });
  // Restored input keeps the user's choices.
  const restore = (kept: Recipients) => {
    setKnown(kept);
    proposals.restore(kept);
  };
  const { errors } = form.formState;
  const { isSending, setSending, saving, confirm, question } = useSending(
    form,
    recipients,
    save,
    send,
  );
  return (
    <>
      <RecipientPicker
        label="Hvem fakturaen er til"
        isOne={editing !== undefined}
        recipients={recipients}
        onChange={choose}
        errors={errors}
      />
      <FollowedCustomer fields={proposals.replaced} />
      <FormProvider {...form}>
        <GuardedForm
          form={form}
          name="invoice"
          editing={editing && { ...editing, labels: FIELD_LABELS, show: showField }}
          extra={{ value: recipients, restore }}
          partsFirst={NEW_CUSTOMER_FIRST}
          confirm={confirm}
          save={saving}
          onSaved={props.onSaved}
          className="stack"
          label="Faktura"
          faultsAbove={recipientFaults(errors, editing !== undefined)}
        >
          <InvoiceFields
            form={form}
            templates={props.templates}
            delivery={{
              ...proposals.delivery,
              withoutEmail: <MissingEmails recipients={recipients} locked={locked} />,
            }}
            vat={props.vat}
          />
          {send ? (
            <SaveButtons
              recipients={recipients}
              incomplete={props.incomplete === true}
              isPending={saving.isPending}
              isSending={isSending}
              onPress={setSending}
            />
          ) : (
            <SubmitButton pending={saving.isPending}>Lagre</SubmitButton>
          )}
        </GuardedForm>
        {question}
      </FormProvider>
    </>
  );
}

const NAMES = new Intl.ListFormat('nb-NO');

/** Says which terms of a draft or a copy have changed with its customer (CUS-18). */
function FollowedCustomer({ fields }: { readonly fields: readonly (keyof typeof FIELD_LABELS)[] }) {
  const names = fields.map((field) => FIELD_LABELS[field].toLowerCase());
  return (
    <div aria-live="polite" className="unless-empty">
      {names.length === 0 ? null : (
        <Alert title={`Endret med kunden: ${NAMES.format(names)}`}>
          Det du har skrevet selv, står som det var.
        </Alert>
      )}
    </div>
  );
}

interface SaveButtonsProps {
  readonly recipients: Recipients;
  readonly incomplete: boolean;
  readonly isPending: boolean;
  readonly isSending: boolean;
  readonly onPress: (isSending: boolean) => void;
}

function SaveButtons(props: SaveButtonsProps) {
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

/** The largest number of drafts that the form showed, null for a group of unknown size, and the sum of each. */
export interface ShownDrafts {
  readonly count: number | null;
  readonly gross: Ore | undefined;
}

interface Sending<R> {
  readonly isPending: boolean;
  readonly run: (saved: R, shown: ShownDrafts) => Promise<unknown>;
}

/**
 * The save of a new invoice, followed by registering when 'Registrer og send' was pressed. Asks before several invoices
 * are registered, as the list does, since each takes a credit note to undo, and before characters are lost, since they
 * cannot be added later.
 */
function useSending<R>(
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
  const hints = findHints({ ...values, lines: values.invoiceLines ?? [] });
  const saving: Saving<InvoiceForm, R> = {
    isPending: save.isPending || send?.isPending === true,
    mutateAsync: async (saved) => {
      const gross = draftTotals(form.getValues().invoiceLines ?? [])?.gross;
      const result = await save.mutateAsync(saved);
      if (isSending) await send?.run(result, { count, gross });
      return result;
    },
  };
  const areThereHints = () => {
    const { invoiceLines, ...others } = form.getValues();
    return findHints({ ...others, lines: invoiceLines ?? [] }).length > 0;
  };
  return {
    isSending,
    setSending,
    saving,
    confirm: async () =>
      !isSending ||
      (count === 1 && !areThereHints() && !(await isUnprintable(form.getValues()))) ||
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
        {hints.map(({ words }) => (
          <p key={words.nb}>{words.nb}.</p>
        ))}
        <UnprintableNotice content={values} />
        <p>
          {count === 1 ? 'Fakturaen får' : 'Fakturaene får'} nummer og kan ikke endres eller slettes
          etterpå, bare krediteres.
        </p>
      </ConfirmDialog>
    ),
  };
}
