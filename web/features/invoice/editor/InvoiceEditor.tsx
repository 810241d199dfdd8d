import { useState } from 'react';
import { flushSync } from 'react-dom';
import { FormProvider, useWatch } from 'react-hook-form';

import { invoiceForm, type InvoiceForm } from '../../../../domain/invoice/invoice.schema.ts';
import type { InvoiceTemplate } from '../../../../domain/invoice-template/invoice-template.schema.ts';
import type { Ore } from '../../../../domain/money.ts';
import { useSchemaForm, type Saving } from '../../../forms/Form.tsx';
import { GuardedForm } from '../../../forms/GuardedForm.tsx';
import { NAMES } from '../../../lib/number-text.ts';
import { Alert } from '../../../ui/Surface.tsx';
import { useQuestion } from '../../../ui/Modal.tsx';
import { isUnprintable } from '../../../ui/UnprintableNotice.tsx';
import { useLaterCode } from '../../../ui/useLaterCode.ts';
import type { CompanyVat, InvoiceDraft, InvoiceFormState } from '../../editor/draft-values.ts';
import type { NewFiles } from '../../attachment/AttachmentCard.tsx';
import { FIELD_LABELS, InvoiceFields, showField } from '../../editor/InvoiceFields.tsx';
import {
  countRecipients,
  isNobody,
  type Recipients,
  useRecipientCustomers,
  useRecipients,
} from '../../editor/recipients.ts';
import {
  NEW_CUSTOMER_FIRST,
  recipientFaults,
  RecipientPicker,
} from '../../editor/RecipientPicker.tsx';
import { useFeatures } from '../../session/session.api.ts';
import { draftTotals } from '../line-sums.ts';
import type { EhfReceivers } from './ehf-first.ts';
import { laterParts } from './later-parts.ts';
import { SaveBar } from './SaveBar.tsx';
import { useProposals } from './useProposals.ts';

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
  /** The files that are sent along; absent where none can be chosen. */
  readonly files?: NewFiles | undefined;
  readonly save: Saving<InvoiceForm, R>;
  /** Absent for a draft that is being changed. */
  readonly send?: Sending<R>;
  readonly onSaved: (result: R) => void;
}

export function InvoiceEditor<R>(props: InvoiceEditorProps<R>) {
  const { initialValues, initialRecipients, areTermsChosen, editing, save, send } = props;
  const form = useSchemaForm(invoiceForm(useFeatures()), initialValues);
  const { recipients, choose, setKnown } = useRecipients(form, initialRecipients);
  const later = useLaterCode(laterParts);
  const only = countRecipients(recipients) === 1 ? recipients.customers[0] : null;
  const locked = useWatch({ control: form.control, name: 'templateId' }) != null;
  const proposals = useProposals(form, recipients, {
    recipients: initialRecipients,
    isDecided: areTermsChosen,
  });
  // Restored input keeps the user's choices.
  const restore = (kept: Recipients) => {
    setKnown(kept);
    proposals.restore(kept);
    props.files?.onChange([]);
  };
  // The form submits after the click, and must know by then which button it was. Enter in a field clicks 'Lagre'.
  const press = (sends: boolean) => {
    if (!saving.isPending) flushSync(() => setSending(sends));
  };
  const sending = useSending(form, recipients, save, send);
  const { isSending, setSending, setEhf, isUnreached, saving, confirm, question } = sending;
  return (
    <>
      <RecipientPicker
        label="Hvem fakturaen er til"
        isOne={editing !== undefined}
        recipients={recipients}
        onChange={choose}
        errors={form.formState.errors}
        nextField="[name='invoiceLines.0.description']"
      />
      <FollowedCustomer fields={proposals.replaced} />
      <FormProvider {...form}>
        <GuardedForm
          form={form}
          name="invoice"
          editing={editing && { ...editing, labels: FIELD_LABELS, show: showField }}
          extra={{ value: recipients, restore, isFleeting: Boolean(props.files?.files.length) }}
          partsFirst={NEW_CUSTOMER_FIRST}
          confirm={confirm}
          save={saving}
          onSaved={props.onSaved}
          className="stack"
          label="Faktura"
          faultsAbove={recipientFaults(form.formState.errors, editing !== undefined)}
        >
          <InvoiceFields
            form={form}
            templates={props.templates}
            belowIssueDate={later && <later.IssueDateHelp />}
            delivery={{
              ...proposals.delivery,
              ehfHelp: later && <later.EhfHelp recipients={recipients} onFound={setEhf} />,
              underEmail: later && (
                <later.MissingEmails
                  recipients={recipients}
                  locked={locked}
                  onSend={send ? () => press(true) : undefined}
                />
              ),
            }}
            vat={props.vat}
          />
          {later && props.files ? <later.NewAttachments {...props.files} /> : null}
          {later && only ? <later.MissingBuyer customerNumber={only.customerNumber} /> : null}
          <SaveBar
            recipients={recipients}
            isUnreached={isUnreached}
            ehfFirst={sending.ehfFirst}
            incomplete={props.incomplete === true}
            isPending={saving.isPending}
            isSending={isSending}
            onPress={send && press}
          />
        </GuardedForm>
        {later ? <later.NewInvoicesQuestion {...question} /> : null}
      </FormProvider>
    </>
  );
}

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
  const [hints, setHints] = useState<readonly string[]>([]);
  const { ask, dialog } = useQuestion();
  const { customers, withoutEmail, areAll } = useRecipientCustomers(recipients);
  const values = form.getValues();
  const count = areAll ? customers.length : countRecipients(recipients);
  const type = useWatch({ control: form.control, name: 'deliveryType' });
  const [ehf, setEhf] = useState<EhfReceivers>();
  const missing =
    type === 'EMAIL' && areAll
      ? withoutEmail.filter((one) => !ehf?.first.includes(one.customerNumber))
      : [];
  const isUnreached = count === 1 && missing.length === 1;
  const gross = draftTotals(values.invoiceLines ?? [])?.gross;
  const saving: Saving<InvoiceForm, R> = {
    isPending: save.isPending || send?.isPending === true,
    mutateAsync: async (saved) => {
      const gross = draftTotals(form.getValues().invoiceLines ?? [])?.gross;
      const result = await save.mutateAsync(saved);
      const most = countRecipients(recipients);
      if (isSending) await send?.run(result, { count: most, gross });
      return result;
    },
  };
  return {
    isSending,
    setSending,
    isUnreached,
    saving,
    confirm: async () => {
      if (!isSending || isNobody(recipients)) return true;
      if (isUnreached) return focusAddress();
      const found = (await laterParts.load()).hintsOf(form.getValues());
      setHints(found);
      const isPlain = count === 1 && found.length === 0;
      return (isPlain && !(await isUnprintable(form.getValues()))) || ask();
    },
    ehfFirst: ehf ? ehf.counts.first : 0,
    setEhf,
    question: {
      wish: { count, missing, type, gross, ehf: ehf?.counts },
      hints,
      values,
      ...dialog,
    },
  };
}

/** Leads to the button of the missing address in place of saving a draft that could not be sent. */
function focusAddress(): boolean {
  document.querySelector<HTMLElement>('[aria-label^="Legg til e-post"]')?.focus();
  return false;
}
