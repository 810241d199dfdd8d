import { useState } from 'react';
import { FormProvider, useWatch } from 'react-hook-form';

import { invoiceForm, type InvoiceForm } from '../../../../domain/invoice/invoice.schema.ts';
import type { InvoiceTemplate } from '../../../../domain/invoice-template/invoice-template.schema.ts';
import { FIELD_LABELS, InvoiceFields, showField } from '../../editor/InvoiceFields.tsx';
import type { InvoiceDraft } from '../../editor/invoice-form-state.ts';
import type { CompanyVat } from '../draft-lines.ts';
import { offeredDeliveryTypes } from '../invoice-labels.ts';
import { isNobody, type Recipients } from '../../editor/recipients.ts';
import { useRecipients } from '../../editor/useRecipients.ts';
import { useFeatures } from '../../session/session.api.ts';
import { SubmitButton } from '../../../ui/Button.tsx';
import { laterCode } from '../../../lib/later-code.ts';
import { useLaterCode } from '../../../ui/useLaterCode.ts';
import { useSchemaForm } from '../../../forms/Form.tsx';
import type { Saving } from '../../../forms/Form.tsx';
import { GuardedForm } from '../../../forms/GuardedForm.tsx';
import { recipientFaults, RecipientSection } from './RecipientSection.tsx';
import { SaveButtons, useSending, type Sending } from './SaveButtons.tsx';
import { useCustomerTerms, useEhf, useOnlyCustomer } from './useProposals.ts';

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
  /** Whether the delivery type is already chosen, so that none is proposed. */
  readonly isDeliveryChosen: boolean;
  /** The draft that is being changed; it has one customer. Absent for a new invoice. */
  readonly editing?: { readonly record: R; readonly valuesOf: (record: R) => InvoiceDraft };
  readonly incomplete?: boolean;
  readonly save: Saving<InvoiceForm, R>;
  /** Absent for a draft that is being changed. */
  readonly send?: Sending<R>;
  readonly onSaved: (result: R) => void;
}

export function InvoiceEditor<R>(props: InvoiceEditorProps<R>) {
  const { initialValues, initialRecipients, isDeliveryChosen, editing, save, send } = props;
  const form = useSchemaForm(invoiceForm(useFeatures()), initialValues);
  const { recipients, choose, setKnown } = useRecipients(form, initialRecipients);
  const locked = useWatch({ control: form.control, name: 'templateId' }) != null;
  const only = useOnlyCustomer(recipients);
  const [areTermsFixed, setTermsFixed] = useState(isDeliveryChosen);
  useCustomerTerms(form, only, areTermsFixed);
  const { maySendEhf, withoutEhf, setChosen } = useEhf(form, recipients, only, isDeliveryChosen);
  // Restored input keeps the user's choices.
  const restore = (kept: Recipients) => {
    setKnown(kept);
    setChosen(isDeliveryChosen || !isNobody(kept));
    setTermsFixed(isDeliveryChosen || !isNobody(kept));
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
      <RecipientSection
        label="Hvem fakturaen er til"
        isOne={editing !== undefined}
        recipients={recipients}
        onChange={choose}
        errors={errors}
      />
      <FormProvider {...form}>
        <GuardedForm
          form={form}
          name="invoice"
          editing={editing && { ...editing, labels: FIELD_LABELS, show: showField }}
          extra={{ value: recipients, restore }}
          isWhole
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
              types: offeredDeliveryTypes(maySendEhf),
              withoutEhf,
              onChosen: () => setChosen(true),
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
