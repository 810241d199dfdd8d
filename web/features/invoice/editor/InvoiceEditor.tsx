import { useState } from 'react';
import { FormProvider, useWatch } from 'react-hook-form';

import {
  invoiceForm,
  invoiceFormWithUnits,
  type InvoiceForm,
} from '../../../../domain/invoice/invoice.schema.ts';
import type { InvoiceTemplate } from '../../../../domain/invoice-template/invoice-template.schema.ts';
import { FIELD_LABELS, InvoiceFields, showField } from '../../editor/InvoiceFields.tsx';
import type { InvoiceDraft, InvoiceFormState } from '../../editor/invoice-form-state.ts';
import { offeredDeliveryTypes } from '../labels.ts';
import { isNobody, type Recipients } from '../../editor/recipients.ts';
import { useFeature } from '../../session/session.queries.ts';
import { Button } from '../../../ui/Button.tsx';
import { useSchemaForm } from '../../../forms/Form.tsx';
import { GuardedForm, type Saving } from '../../../forms/GuardedForm.tsx';
import type { Stored } from '../../../forms/useUnsavedInput.ts';
import styles from './InvoiceEditor.module.css';
import { MissingEmails, type TypedEmails } from './MissingEmails.tsx';
import { recipientFaults, RecipientSection } from './RecipientSection.tsx';
import { useEhf } from './useEhf.ts';

interface InvoiceEditorProps<R> {
  readonly templates: readonly InvoiceTemplate[];
  /** Whether the seller charges VAT at all. */
  readonly vatRegistered: boolean;
  /** What it begins with. */
  readonly begun: InvoiceDraft;
  /** Those that it may be for before anybody is chosen here, by name. */
  readonly named: Recipients;
  /** Whether its delivery type was chosen before: then none is proposed. */
  readonly isDeliveryChosen: boolean;
  /** The draft that is being changed, which is for one customer. Absent for a new invoice. */
  readonly editing?: EditedDraft<R>;
  /** Whether the profile has to be filled in before it can be saved. */
  readonly incomplete?: boolean;
  readonly save: Saving<InvoiceForm, R>;
  readonly onSaved: (result: R) => void;
}

/** The draft that is being changed. */
interface EditedDraft<R> {
  /** As last read. */
  readonly stored: Stored<InvoiceDraft>;
  /** What the answer to a change stores. */
  readonly toStored: (result: R) => Stored<InvoiceDraft>;
}

/** The form of an invoice with those whom it is for. */
export function InvoiceEditor<R>(props: InvoiceEditorProps<R>) {
  const { begun, named, isDeliveryChosen, editing, save } = props;
  const form = useSchemaForm(useFeature('units') ? invoiceFormWithUnits : invoiceForm, begun);
  const { recipients, choose, setKnown } = useRecipients(form, named);
  const locked = useWatch({ control: form.control, name: 'templateId' }) != null;
  const { maySendEhf, withoutEhf, setChosen } = useEhf(form, recipients, isDeliveryChosen);
  // What comes back was seen by whoever left it: nothing is proposed over it.
  const restore = (kept: Recipients) => {
    setKnown(kept);
    setChosen(isDeliveryChosen || !isNobody(kept));
  };
  const { errors, submitCount } = form.formState;
  /** While there are customers without an address. */
  const [emails, setEmails] = useState<TypedEmails | null>(null);
  return (
    <>
      <RecipientSection
        label="Hvem fakturaen er til"
        isOne={editing !== undefined}
        recipients={recipients}
        onChange={choose}
        errors={errors}
        submitCount={submitCount}
      />
      <FormProvider {...form}>
        <GuardedForm
          form={form}
          name="invoice"
          editing={editing && { ...editing, labels: FIELD_LABELS, show: showField }}
          extra={{ value: recipients, restore }}
          isWhole
          saveFirst={emails?.save}
          save={save}
          onSaved={props.onSaved}
          className={styles.form}
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
              withoutEmail: (
                <MissingEmails ref={setEmails} recipients={recipients} locked={locked} />
              ),
            }}
            vatRegistered={props.vatRegistered}
          />
          <div>
            <Button
              type="submit"
              variant="primary"
              wide
              disabled={props.incomplete}
              pending={save.isPending}
            >
              Lagre
            </Button>
          </div>
        </GuardedForm>
      </FormProvider>
    </>
  );
}

/** Whom the form is for: its numbers, with the names of those that were chosen here or were there before. */
function useRecipients(form: InvoiceFormState, named: Recipients) {
  const [known, setKnown] = useState(named);
  const [customerNumbers, groupUuid] = useWatch({
    control: form.control,
    name: ['customerNumbers', 'groupUuid'],
  });
  const customers = [...known.customers, ...named.customers];
  const recipients: Recipients = {
    customers: (customerNumbers ?? []).map(
      (customerNumber) =>
        customers.find((customer) => customer.customerNumber === customerNumber) ?? {
          customerNumber,
          name: `Kunde ${customerNumber}`,
        },
    ),
    group: groupUuid && known.group?.uuid === groupUuid ? known.group : null,
  };
  const choose = (next: Recipients) => {
    setKnown(next);
    form.setValue(
      'customerNumbers',
      next.customers.map(({ customerNumber }) => customerNumber),
    );
    form.setValue('groupUuid', next.group?.uuid ?? null);
    form.clearErrors(['customerNumbers', 'groupUuid']);
  };
  return { recipients, choose, setKnown };
}
