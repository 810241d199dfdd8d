import type { ReactNode } from 'react';
import { FormProvider } from 'react-hook-form';

import { formatDate } from '../../../domain/date.ts';
import {
  DELIVERY_TYPE_NAMES,
  type DeliveryType,
} from '../../../domain/delivery/delivery.schema.ts';
import type { Assignment } from '../../../domain/recurring/recurring.schema.ts';
import { Button } from '../../ui/Button.tsx';
import { ConfirmDialog, useQuestion } from '../../ui/ConfirmDialog.tsx';
import { TextField } from '../../ui/Field.tsx';
import { fieldProps } from '../../forms/Form.tsx';
import type { FormFault } from '../../forms/FormFaults.tsx';
import { GuardedForm, type Extra, type Saving, type Stored } from '../../forms/GuardedForm.tsx';
import { Card } from '../../ui/Surface.tsx';
import { UnprintableNotice, unprintableOf } from '../../ui/UnprintableNotice.tsx';
import type {
  AssignmentDraft,
  AssignmentFields,
  AssignmentFormState,
  End,
} from './assignment-form.ts';
import { intervalName, type Interval } from './interval-text.ts';
import { END_LABELS, FIELD_LABELS, LAST_DAY_LABEL, MODE_LABELS } from './recurring-labels.ts';
import { ModeField } from './ModeField.tsx';
import { PlaceholderHelp } from './PlaceholderHelp.tsx';
import { PeriodPreview } from './PeriodPreview.tsx';
import { SeriesFields } from './SeriesFields.tsx';

interface AssignmentFormProps<B> {
  readonly form: AssignmentFormState;
  /** Absent for a new assignment. */
  readonly editing?: {
    readonly assignment: Assignment;
    readonly toStored: (assignment: Assignment) => Stored<AssignmentDraft>;
  };
  /** Input that is kept with the form but is not a field of it. */
  readonly extra: Extra<B>;
  readonly faultsAbove: readonly FormFault[];
  readonly save: Saving<AssignmentFields, Assignment>;
  readonly onSaved: (assignment: Assignment) => void;
  /**
   * The fields for template, due days and delivery type. They belong to the invoice feature, so the page provides
   * them.
   */
  readonly terms: ReactNode;
  /** The invoice lines and the message, provided by the page too. */
  readonly lines: ReactNode;
}

/** The fields of a standing assignment, except the recipients, which are above the form. */
export function AssignmentForm<B>(props: AssignmentFormProps<B>) {
  const { form, editing, extra, faultsAbove, save, onSaved, terms, lines } = props;
  const stored = editing?.toStored(editing.assignment);
  const question = useUnprintableQuestion(form);
  return (
    <FormProvider {...form}>
      <GuardedForm
        form={form}
        name="assignment"
        editing={
          editing && stored
            ? { stored, toStored: editing.toStored, labels: FIELD_LABELS, show }
            : undefined
        }
        extra={extra}
        isWhole
        confirm={question.ask}
        faultsAbove={faultsAbove}
        save={save}
        onSaved={onSaved}
        className="stack"
        label="Fast oppdrag"
      >
        <Card heading="Oppdraget">
          <div className="grid narrow">
            <TextField
              label={FIELD_LABELS.name}
              required
              autoComplete="off"
              hint="Bare for deg. Kunden ser det ikke."
              {...fieldProps(form, 'name')}
            />
            <SeriesFields form={form} hasRun={editing?.assignment.hasRun ?? false} />
          </div>
        </Card>
        <Card heading="Vilkår">
          <div className="grid narrow">{terms}</div>
        </Card>
        <Card heading={FIELD_LABELS.invoiceLines}>
          <div className="stack">
            {lines}
            <PlaceholderHelp />
          </div>
        </Card>
        <Card heading={FIELD_LABELS.mode}>
          <ModeField form={form} />
        </Card>
        <PeriodPreview form={form} uuid={editing?.assignment.uuid} />
        <div>
          <Button type="submit" variant="primary" wide pending={save.isPending}>
            Lagre
          </Button>
        </div>
      </GuardedForm>
      <ConfirmDialog
        title="Lagre oppdraget?"
        confirmLabel="Lagre"
        confirmVariant="primary"
        {...question.dialog}
      >
        <UnprintableNotice content={question.texts()} />
        <p>Fakturaene registreres og sendes uten at noen ser over dem først.</p>
      </ConfirmDialog>
    </FormProvider>
  );
}

/** Asks for confirmation when the assignment would send documents that cannot show all of their text. */
function useUnprintableQuestion({ getValues }: AssignmentFormState) {
  const { ask, dialog } = useQuestion();
  /** Without the assignment's name, which is on no document. */
  const texts = () => getValues(['invoiceLines', 'message']);
  return {
    texts,
    dialog,
    ask: async () => getValues('mode') !== 'SEND' || unprintableOf(texts()).length === 0 || ask(),
  };
}

/** Formats a field that another user changed. Lists, groups and templates show only their label. */
function show(field: string, value: unknown): string | undefined {
  if (field === 'interval') return intervalName(value as Interval);
  if (typeof value === 'number') return field === 'day' ? `${value}.` : undefined;
  if (typeof value !== 'string' || value === '') return undefined;
  if (field === 'deliveryType') return DELIVERY_TYPE_NAMES[value as DeliveryType];
  if (field === 'mode') return MODE_LABELS[value as keyof typeof MODE_LABELS];
  if (field === 'end') return END_LABELS[value as End];
  if (field === 'day') return LAST_DAY_LABEL;
  return field === 'firstDate' || field === 'lastDate' ? formatDate(value) : undefined;
}
