import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from 'react-router';
import { FormProvider } from 'react-hook-form';
import type { z } from 'zod/mini';

import {
  type InvoiceTemplate,
  invoiceTemplateUpdate,
  type InvoiceTemplateUpdate,
} from '../../../domain/invoice-template/invoice-template.schema.ts';
import {
  DELIVERY_TYPE_NAMES,
  type DeliveryType,
} from '../../../domain/delivery/delivery.schema.ts';
import { DEFAULT_DUE_DAYS } from '../../../domain/terms.ts';
import { paths } from '../../lib/paths.ts';
import { DependentAssignments, UnlessSent } from '../dependents/DependentAssignments.tsx';
import { profileQuery, useMaySendEhf } from '../profile/profile.api.ts';
import { DeleteRecord } from '../../forms/DeleteButton.tsx';
import { Card, Fetched } from '../../ui/Surface.tsx';
import { IncompleteProfile } from '../profile/IncompleteProfile.tsx';
import { vatOf, emptyLine, type CompanyVat } from '../editor/draft-values.ts';
import { Page, RecordPage } from '../../ui/Page.tsx';
import {
  invoiceTemplateQuery,
  useCreateInvoiceTemplate,
  useDeleteInvoiceTemplate,
  useUpdateInvoiceTemplate,
} from './invoice-template.api.ts';
import { DeliveryTypeField, DueDaysField } from '../editor/TermFields.tsx';
import { InvoiceLines } from '../editor/InvoiceLines.tsx';
import { offeredDeliveryTypes } from '../invoice/invoice-labels.ts';
import { useFeatures } from '../session/session.api.ts';
import { SubmitButton } from '../../ui/Button.tsx';
import { TextField } from '../../ui/Field.tsx';
import { labelled, useSchemaForm, type Draft, type Saving } from '../../forms/Form.tsx';
import { GuardedForm } from '../../forms/GuardedForm.tsx';

/** A new template, or a change of the one in the address. */
export function TemplateEditPage() {
  const { id } = useParams();
  return id === undefined ? <NewTemplate /> : <StoredTemplate id={Number(id)} />;
}

function NewTemplate() {
  const create = useCreateInvoiceTemplate();
  const profile = useQuery(profileQuery);
  return (
    <Page heading="Ny fakturamal">
      <Fetched query={profile}>
        {(company) => (
          <>
            {company.isProfileCompleted ? null : <IncompleteProfile of="maler" />}
            <TemplateForm
              incomplete={!company.isProfileCompleted}
              vat={vatOf(company)}
              save={create}
            />
          </>
        )}
      </Fetched>
    </Page>
  );
}

function StoredTemplate({ id }: { id: number }) {
  const query = useQuery(invoiceTemplateQuery(id));
  const { data: profile } = useQuery(profileQuery);
  const update = useUpdateInvoiceTemplate(id);
  const remove = useDeleteInvoiceTemplate();
  return (
    <RecordPage heading="Endre fakturamal" query={query}>
      {(template) => (
        <UnlessSent uses={({ templateId }) => templateId === id}>
          <TemplateForm template={template} vat={vatOf(profile)} save={update} />
          <DeleteRecord what="fakturamal" remove={remove} value={id} to={paths.templates}>
            <p>{`Malen ${template.name} slettes. Fakturaer som er laget av den, beholdes.`}</p>
            <DependentAssignments query={{}} uses={({ templateId }) => templateId === id}>
              {(assignments) =>
                `Malen brukes i ${assignments}. Der lages det ingen fakturaer før noen velger en annen mal eller legger inn fakturalinjer.`
              }
            </DependentAssignments>
          </DeleteRecord>
        </UnlessSent>
      )}
    </RecordPage>
  );
}

type TemplateDraft = Draft<z.input<ReturnType<typeof invoiceTemplateUpdate>>>;

interface TemplateFormProps {
  readonly template?: InvoiceTemplate;
  readonly incomplete?: boolean;
  readonly save: Saving<InvoiceTemplateUpdate, InvoiceTemplate>;
  readonly vat: CompanyVat;
}

function TemplateForm({ template, incomplete, save, vat }: TemplateFormProps) {
  const navigate = useNavigate();
  const types = offeredDeliveryTypes(useMaySendEhf());
  const form = useSchemaForm(
    invoiceTemplateUpdate(useFeatures()),
    template ? valuesOf(template) : newTemplate(vat),
  );
  return (
    <FormProvider {...form}>
      <GuardedForm
        form={form}
        name="template"
        editing={template && { record: template, valuesOf, labels: LABELS, show }}
        save={save}
        onSaved={() => void navigate(paths.templates)}
        className="stack"
        label="Fakturamal"
      >
        <Card>
          <div className="grid narrow">
            <TextField required {...labelled(form, LABELS)('name')} />
            <DeliveryTypeField locked={false} delivery={{ types, withoutEhf: [] }} />
            <DueDaysField locked={false} />
          </div>
        </Card>
        <Card heading={LABELS.lines}>
          <InvoiceLines name="lines" vat={vat} />
        </Card>
        <SubmitButton disabled={incomplete} pending={save.isPending}>
          Lagre
        </SubmitButton>
      </GuardedForm>
    </FormProvider>
  );
}

const LABELS = {
  name: 'Navn',
  deliveryType: 'Leveringsmetode',
  dueDays: 'Dager til forfall',
  lines: 'Linjer',
};

function show(field: string, value: unknown): string | undefined {
  return field === 'deliveryType' ? DELIVERY_TYPE_NAMES[value as DeliveryType] : undefined;
}

function valuesOf({ name, deliveryType, dueDays, lines }: InvoiceTemplate): TemplateDraft {
  return { name, deliveryType, dueDays, lines };
}

function newTemplate(vat: CompanyVat): TemplateDraft {
  return {
    name: '',
    deliveryType: 'EMAIL',
    dueDays: DEFAULT_DUE_DAYS,
    lines: [emptyLine(vat)],
  };
}
