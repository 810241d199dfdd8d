import { usePrefetchQuery, useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from 'react-router';
import { useMemo } from 'react';
import { FormProvider, useWatch } from 'react-hook-form';

import { DEFAULT_DUE_DAYS } from '../../../domain/terms.ts';
import type { Profile } from '../../../domain/profile/profile.schema.ts';
import type { InvoiceTemplate } from '../../../domain/invoice-template/invoice-template.schema.ts';
import { fillIn, unknownPlaceholders } from '../../../domain/recurring/placeholders.ts';
import type { Assignment } from '../../../domain/recurring/recurring.schema.ts';
import { hasStatus } from '../../lib/api-error.ts';
import { firstCustomersQuery } from '../editor/RecipientFinders.tsx';
import { invoiceTemplatesQuery } from '../invoice-template/invoice-template.api.ts';
import { NAMES } from '../../lib/number-text.ts';
import { paths } from '../../lib/paths.ts';
import { profileQuery, useMaySendEhf } from '../profile/profile.api.ts';
import { Alert, Card, LoadFailure, Loading } from '../../ui/Surface.tsx';
import { IncompleteProfile } from '../profile/IncompleteProfile.tsx';
import { NotFound, Page } from '../../ui/Page.tsx';
import { emptyLine, linesOf, vatOf } from '../editor/draft-values.ts';
import { Allowed } from '../session/Allowed.tsx';
import { ObstacleNotice } from './AssignmentActions.tsx';
import { assignmentQuery, useCreateAssignment, useUpdateAssignment } from './recurring.api.ts';
import {
  DeliveryTypeField,
  DueDaysField,
  MessageField,
  TemplateField,
} from '../editor/TermFields.tsx';
import { InvoiceLines } from '../editor/InvoiceLines.tsx';
import {
  NEW_CUSTOMER_FIRST,
  recipientFaults,
  RecipientPicker,
} from '../editor/RecipientPicker.tsx';
import { useRecipients } from '../editor/recipients.ts';
import { offeredDeliveryTypes } from '../invoice/invoice-labels.ts';
import { EhfHelp } from '../invoice/editor/EhfHelp.tsx';
import { MissingEmails } from '../invoice/editor/MissingEmails.tsx';
import { DEFAULT_DELIVERY_TYPE, useWithoutEhf } from '../invoice/editor/useProposals.ts';
import { useFeatures } from '../session/session.api.ts';
import { labelled, useSchemaForm } from '../../forms/Form.tsx';
import { GuardedForm } from '../../forms/GuardedForm.tsx';
import { SubmitButton } from '../../ui/Button.tsx';
import { ConfirmDialog, useQuestion } from '../../ui/Modal.tsx';
import { TextField } from '../../ui/Field.tsx';
import { isUnprintable, UnprintableNotice } from '../../ui/UnprintableNotice.tsx';
import {
  assignmentFields,
  newAssignment,
  storedAssignment,
  type AssignmentFormState,
  type AssignmentTerms,
} from './assignment-form.ts';
import { FIELD_LABELS, showField } from './recurring-labels.ts';
import styles from './AssignmentForm.module.css';
import { ModeField, PeriodPreview, SeriesFields } from './SeriesFields.tsx';

/** A new assignment, or a change of the one in the address. */
export function AssignmentEditPage() {
  const { uuid } = useParams();
  usePrefetchQuery(firstCustomersQuery);
  const assignment = useQuery({ ...assignmentQuery(uuid ?? ''), enabled: uuid !== undefined });
  const profile = useQuery(profileQuery);
  const templates = useQuery(invoiceTemplatesQuery);
  if (hasStatus(assignment.error, 404)) return <NotFound />;
  const incomplete = uuid === undefined && profile.data?.isProfileCompleted === false;
  const failed = [assignment, profile, templates].find((query) => query.isError && !query.data);
  const isReady = uuid === undefined || assignment.data !== undefined;
  return (
    <Page heading={uuid === undefined ? 'Nytt fast oppdrag' : 'Endre fast oppdrag'}>
      {failed ? <LoadFailure onRetry={() => void failed.refetch()} /> : null}
      {assignment.data ? <ObstacleNotice assignment={assignment.data} /> : null}
      {incomplete ? <IncompleteProfile of="faste oppdrag" /> : null}
      {isReady && profile.data && templates.data ? (
        <Allowed permission={assignment.data?.mode === 'SEND' ? 'issue' : 'edit'}>
          <AssignmentEditor
            assignment={assignment.data}
            incomplete={incomplete}
            templates={templates.data}
            profile={profile.data}
          />
        </Allowed>
      ) : failed ? null : (
        <Loading />
      )}
    </Page>
  );
}

interface AssignmentEditorProps {
  /** Undefined for a new assignment. */
  readonly assignment: Assignment | undefined;
  /** Whether the profile lacks something, so that no assignment can be made. */
  readonly incomplete: boolean;
  readonly templates: readonly InvoiceTemplate[];
  readonly profile: Profile;
}

/** The form of a standing assignment, built from recipients, template and invoice lines. */
function AssignmentEditor(props: AssignmentEditorProps) {
  const { assignment, templates, profile } = props;
  const navigate = useNavigate();
  const create = useCreateAssignment();
  const update = useUpdateAssignment(assignment?.uuid ?? '');
  const save = assignment ? update : create;
  const { form, editing } = useAssignmentForm(props);
  const { errors } = form.formState;
  const { recipients, choose, known, setKnown } = useRecipients(form);
  const locked = useWatch({ control: form.control, name: 'templateId' }) != null;
  const question = useUnprintableQuestion(form);
  return (
    <FormProvider {...form}>
      <RecipientPicker
        label="Hvem oppdraget er for"
        recipients={recipients}
        onChange={choose}
        errors={errors}
      />
      <GuardedForm
        form={form}
        name="assignment"
        editing={editing}
        extra={{ value: known, restore: setKnown }}
        partsFirst={NEW_CUSTOMER_FIRST}
        confirm={question.ask}
        faultsAbove={recipientFaults(errors)}
        save={save}
        onSaved={(saved) => void navigate(paths.assignment(saved.uuid))}
        className="stack"
        label="Fast oppdrag"
      >
        <Card heading="Oppdraget">
          <div className="grid narrow">
            <TextField
              required
              hint="Bare for deg. Kunden ser det ikke."
              {...labelled(form, FIELD_LABELS)('name')}
            />
            <SeriesFields form={form} hasRun={assignment?.hasRun ?? false} />
          </div>
        </Card>
        <Card heading="Vilkår">
          <div className="grid narrow">
            <TermFields {...{ templates, recipients, locked }} />
          </div>
        </Card>
        <Card heading={FIELD_LABELS.invoiceLines}>
          <div className="stack">
            <InvoiceLines name="invoiceLines" locked={locked} vat={vatOf(profile)} />
            <MessageField hint="Står over linjene på fakturaene og i e-posten." />
            <UnknownPlaceholders form={form} />
            <PlaceholderHelp />
          </div>
        </Card>
        <Card heading={FIELD_LABELS.mode}>
          <ModeField form={form} />
        </Card>
        <PeriodPreview form={form} uuid={assignment?.uuid} />
        <SubmitButton pending={save.isPending} disabled={props.incomplete}>
          Lagre
        </SubmitButton>
      </GuardedForm>
      {question.dialog}
    </FormProvider>
  );
}

function useAssignmentForm(props: AssignmentEditorProps) {
  const { assignment, templates, profile } = props;
  const features = useFeatures();
  const schema = useMemo(() => assignmentFields(features), [features]);
  const blank: AssignmentTerms = {
    templateId: null,
    deliveryType: DEFAULT_DELIVERY_TYPE,
    dueDays: DEFAULT_DUE_DAYS,
    invoiceLines: [emptyLine(vatOf(profile))],
  };
  const valuesOf = (stored: Assignment) =>
    storedAssignment(stored, termsOf(stored, templates, blank));
  const form = useSchemaForm(
    schema,
    assignment ? valuesOf(assignment) : newAssignment(blank, profile.defaultMessage),
  );
  return {
    form,
    editing: assignment && { record: assignment, valuesOf, labels: FIELD_LABELS, show: showField },
  };
}

interface TermFieldsProps extends Pick<AssignmentEditorProps, 'templates'> {
  readonly recipients: ReturnType<typeof useRecipients>['recipients'];
  readonly locked: boolean;
}

function TermFields({ templates, recipients, locked }: TermFieldsProps) {
  const maySendEhf = useMaySendEhf();
  const delivery = {
    types: offeredDeliveryTypes(maySendEhf),
    withoutEhf: useWithoutEhf(recipients.customers, maySendEhf),
    ehfHelp: <EhfHelp recipients={recipients} />,
    underEmail: <MissingEmails recipients={recipients} locked={locked} />,
  };
  return (
    <>
      <TemplateField templates={templates} />
      <DueDaysField locked={locked} />
      <DeliveryTypeField locked={locked} delivery={delivery} />
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

/** Asks for confirmation when the assignment would send documents that cannot show all of their text. */
function useUnprintableQuestion({ getValues }: AssignmentFormState) {
  const { ask, dialog } = useQuestion();
  /** Without the assignment's name, which is on no document. */
  const texts = () => getValues(['invoiceLines', 'message']);
  return {
    ask: async () => getValues('mode') !== 'SEND' || !(await isUnprintable(texts())) || ask(),
    dialog: (
      <ConfirmDialog
        title="Lagre oppdraget?"
        confirmLabel="Lagre"
        confirmVariant="primary"
        {...dialog}
      >
        <UnprintableNotice content={texts()} />
        <p>Fakturaene registreres og sendes uten at noen ser over dem først.</p>
      </ConfirmDialog>
    ),
  };
}

const EXAMPLE = { from: '2026-12-01', to: '2026-12-31' };
const PLACEHOLDERS = [
  ['{måned}', 'måneden perioden begynner i'],
  ['{år}', 'året perioden begynner i'],
  ['{periode}', 'hele perioden'],
  ['{fra}', 'første dag i perioden'],
  ['{til}', 'siste dag i perioden'],
] as const;

/** Names what no run fills in, before saving: also in the lines of a template, which the form does not judge (REC-19). */
function UnknownPlaceholders({ form: { control } }: { form: AssignmentFormState }) {
  const [lines, message] = useWatch({ control, name: ['invoiceLines', 'message'] });
  const texts = [...(lines ?? []).map((line) => line?.description), message];
  const unknown = new Set(texts.flatMap((text) => unknownPlaceholders(text ?? '')));
  return (
    <div aria-live="polite" className="unless-empty">
      {unknown.size === 0 ? null : (
        <Alert tone="warning" title={`${NAMES.format(unknown)} blir ikke fylt ut`}>
          Slik ville det stått på fakturaene. Rett det, i malen hvis det står der.
        </Alert>
      )}
    </div>
  );
}

function PlaceholderHelp() {
  return (
    <div className="box stack gap-3">
      <p>
        Skriv for eksempel <strong>Husleie {'{måned} {år}'}</strong> i en beskrivelse eller i
        meldingen, så står det <strong>{fillIn('Husleie {måned} {år}', EXAMPLE)}</strong> på
        fakturaen for den måneden. Du kan bruke:
      </p>
      <dl className="stack gap-1">
        {PLACEHOLDERS.map(([name, meaning]) => (
          <div key={name} className={styles.placeholder}>
            <dt className="strong">{name}</dt>
            <dd className="soft">
              {meaning}: {fillIn(name, EXAMPLE)}
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
