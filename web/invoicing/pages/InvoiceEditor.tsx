import { useRef, useState } from 'react';
import { useWatch } from 'react-hook-form';

import {
  invoiceForm,
  invoiceFormWithUnits,
  type InvoiceForm as InvoiceValues,
} from '../../../domain/invoice/invoice.schema.ts';
import type { InvoiceTemplate } from '../../../domain/invoice-template/invoice-template.schema.ts';
import { InvoiceForm, type EditedDraft } from '../../invoice/components/InvoiceForm.tsx';
import type { InvoiceDraft, InvoiceFormState } from '../../invoice/invoice-form-state.ts';
import { offeredDeliveryTypes } from '../../invoice/labels.ts';
import { isNobody, type Recipients } from '../../invoice/recipients.ts';
import { useFeature } from '../../session/session.queries.ts';
import { useSchemaForm } from '../../ui/Form.tsx';
import { MissingEmails, type TypedEmails } from './MissingEmails.tsx';
import { RecipientSection } from './RecipientSection.tsx';
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
  readonly pending: boolean;
  /** Whether the profile has to be filled in before it can be saved. */
  readonly incomplete?: boolean;
  readonly onSubmit: (values: InvoiceValues, version: number | null) => Promise<R>;
  readonly onSaved: (result: R) => void;
}

/** The form of an invoice with those whom it is for. */
export function InvoiceEditor<R>(props: InvoiceEditorProps<R>) {
  const { templates, vatRegistered, begun, named, isDeliveryChosen, editing } = props;
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
  const emails = useRef<TypedEmails>(null);
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
      <InvoiceForm
        form={form}
        templates={templates}
        delivery={{
          types: offeredDeliveryTypes(maySendEhf),
          withoutEhf,
          onChosen: () => setChosen(true),
          withoutEmail: <MissingEmails ref={emails} recipients={recipients} locked={locked} />,
        }}
        vatRegistered={vatRegistered}
        editing={editing}
        pending={props.pending}
        incomplete={props.incomplete}
        extra={{ value: recipients, restore }}
        onSubmit={async (values, version) => {
          await emails.current?.save();
          return props.onSubmit(values, version);
        }}
        onSaved={props.onSaved}
      />
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
