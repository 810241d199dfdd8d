import { useWatch } from 'react-hook-form';

import { DEFAULT_DUE_DAYS } from '../../../domain/invoice/invoice-line.schema.ts';
import type { InvoiceTemplate } from '../../../domain/invoice-template/invoice-template.schema.ts';
import type { Assignment } from '../../../domain/recurring/recurring.schema.ts';
import { DeliveryTypeField } from '../editor/DeliveryTypeField.tsx';
import { DueDaysField } from '../editor/DueDaysField.tsx';
import { InvoiceLines } from '../editor/InvoiceLines.tsx';
import { MessageField } from '../editor/MessageField.tsx';
import { TemplateField } from '../editor/TemplateField.tsx';
import { useRecipients } from '../editor/useRecipients.ts';
import { emptyLine, linesOf } from '../invoice/draft-lines.ts';
import { offeredDeliveryTypes } from '../invoice/invoice-labels.ts';
import { MissingEmails } from '../invoice/editor/MissingEmails.tsx';
import { recipientFaults, RecipientSection } from '../invoice/editor/RecipientSection.tsx';
import { DEFAULT_DELIVERY_TYPE, useWithoutEhf } from '../invoice/editor/useEhf.ts';
import { useMaySendEhf } from '../profile/profile.api.ts';
import { useFeature } from '../session/session.api.ts';
import { useSchemaForm } from '../../forms/Form.tsx';
import type { Saving } from '../../forms/GuardedForm.tsx';
import {
  assignmentFields,
  assignmentFieldsWithUnits,
  newAssignment,
  storedAssignment,
  type AssignmentFields,
  type AssignmentTerms,
} from './assignment-form.ts';
import { AssignmentForm } from './AssignmentForm.tsx';

interface AssignmentEditorProps {
  readonly assignment?: Assignment;
  readonly templates: readonly InvoiceTemplate[];
  readonly vatRegistered: boolean;
  readonly defaultMessage: string | null;
  readonly save: Saving<AssignmentFields, Assignment>;
  readonly onSaved: (assignment: Assignment) => void;
}

/** The form of a standing assignment, built from recipients, template and invoice lines. */
export function AssignmentEditor(props: AssignmentEditorProps) {
  const { assignment, templates, vatRegistered, defaultMessage } = props;
  const blank: AssignmentTerms = {
    templateId: null,
    deliveryType: DEFAULT_DELIVERY_TYPE,
    dueDays: DEFAULT_DUE_DAYS,
    invoiceLines: [emptyLine(vatRegistered)],
  };
  const toStored = (stored: Assignment) => ({
    values: storedAssignment(stored, termsOf(stored, templates, blank)),
    version: stored.version,
  });
  const form = useSchemaForm(
    useFeature('units') ? assignmentFieldsWithUnits : assignmentFields,
    assignment ? toStored(assignment).values : newAssignment(blank, defaultMessage),
  );
  const { recipients, choose, known, setKnown } = useRecipients(form);
  const locked = useWatch({ control: form.control, name: 'templateId' }) != null;
  const maySendEhf = useMaySendEhf();
  const withoutEhf = useWithoutEhf(recipients.customers, maySendEhf);
  return (
    <>
      <RecipientSection
        label="Hvem oppdraget er for"
        recipients={recipients}
        onChange={choose}
        errors={form.formState.errors}
      />
      <AssignmentForm
        form={form}
        {...(assignment ? { editing: { assignment, toStored } } : {})}
        extra={{ value: known, restore: setKnown }}
        faultsAbove={recipientFaults(form.formState.errors)}
        save={props.save}
        onSaved={props.onSaved}
        terms={
          <>
            <TemplateField templates={templates} />
            <DueDaysField locked={locked} />
            <DeliveryTypeField
              locked={locked}
              delivery={{
                types: offeredDeliveryTypes(maySendEhf),
                withoutEhf,
                withoutEmail: <MissingEmails recipients={recipients} locked={locked} />,
              }}
            />
          </>
        }
        lines={
          <>
            <InvoiceLines name="invoiceLines" locked={locked} vatRegistered={vatRegistered} />
            <MessageField hint="Står over linjene på fakturaene og i e-posten." />
          </>
        }
      />
    </>
  );
}

/** The assignment's own terms, or the current ones of its template. */
function termsOf(
  { templateId, deliveryType, dueDays, invoiceLines }: Assignment,
  templates: readonly InvoiceTemplate[],
  blank: AssignmentTerms,
): AssignmentTerms {
  const template = templates.find(({ id }) => id === templateId);
  if (template) {
    return {
      templateId,
      deliveryType: template.deliveryType,
      dueDays: template.dueDays,
      invoiceLines: linesOf(template.lines),
    };
  }
  return {
    templateId: null,
    deliveryType: deliveryType ?? blank.deliveryType,
    dueDays: dueDays ?? blank.dueDays,
    invoiceLines: invoiceLines ?? blank.invoiceLines,
  };
}
