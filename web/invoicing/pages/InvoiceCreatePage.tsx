import { usePrefetchQuery, useQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import { useWatch } from 'react-hook-form';
import { Link, useNavigate, useSearchParams } from 'react-router';

import { todayInOslo } from '../../../domain/date.ts';
import {
  DEFAULT_DUE_DAYS,
  DEFAULT_VAT_RATE,
  type VatRate,
} from '../../../domain/invoice/invoice-line.schema.ts';
import { invoiceForm } from '../../../domain/invoice/invoice.schema.ts';
import type { CustomerGroup } from '../../../domain/customer-group/customer-group.schema.ts';
import type { InvoiceTemplate } from '../../../domain/invoice-template/invoice-template.schema.ts';
import { customerGroupQuery } from '../../customer-group/customer-group.queries.ts';
import { invoiceTemplatesQuery } from '../../invoice-template/invoice-template.queries.ts';
import { paths } from '../../paths.ts';
import { profileQuery } from '../../profile/profile.queries.ts';
import { Alert, LoadFailure } from '../../ui/Alert.tsx';
import { useSchemaForm } from '../../ui/Form.tsx';
import { Loading } from '../../ui/Loading.tsx';
import { Page } from '../../ui/Page.tsx';
import { InvoiceForm } from '../../invoice/components/InvoiceForm.tsx';
import type { InvoiceDraft } from '../../invoice/invoice-form-state.ts';
import { firstCustomersQuery } from '../../invoice/components/RecipientFinders.tsx';
import { useCreateInvoices } from '../../invoice/invoice.mutations.ts';
import { isNobody, NOBODY, withGroup, type Recipients } from '../../invoice/recipients.ts';
import { emptyLine, linesOfTemplate } from '../../invoice/draft-lines.ts';
import { offeredDeliveryTypes } from '../../invoice/labels.ts';
import { MissingEmails } from './MissingEmails.tsx';
import { RecipientSection } from './RecipientSection.tsx';
import { DEFAULT_DELIVERY_TYPE, useEhf } from './useEhf.ts';

export function InvoiceCreatePage() {
  usePrefetchQuery(firstCustomersQuery);
  const profile = useQuery(profileQuery);
  const templates = useQuery(invoiceTemplatesQuery());
  const [search] = useSearchParams();
  const failed = [profile, templates].find((query) => query.isError && !query.data);
  const group = useQuery(groupIn(search));
  const template = templates.data?.find(({ id }) => id === Number(search.get('template')));
  // The form is large: a deferred render keeps the browser responsive.
  const isReady = useDeferredValue(
    profile.data !== undefined && templates.data !== undefined && !group.isLoading,
  );
  return (
    <Page heading="Ny faktura">
      {failed ? <LoadFailure onRetry={() => void failed.refetch()} /> : null}
      {!failed && !isReady ? <Loading /> : null}
      {profile.data?.isProfileCompleted === false ? (
        <Alert tone="warning">
          <Link to={paths.profile}>Fullfør profilen</Link> før du kan lage fakturaer.
        </Alert>
      ) : null}
      {isReady && profile.data && templates.data ? (
        <NewInvoice
          vatRegistered={profile.data.vatRegistered !== false}
          templates={templates.data}
          template={template}
          group={group.data}
        />
      ) : null}
    </Page>
  );
}

interface NewInvoiceProps {
  readonly vatRegistered: boolean;
  readonly templates: readonly InvoiceTemplate[];
  /** That which it begins with. */
  readonly template: InvoiceTemplate | undefined;
  readonly group: CustomerGroup | undefined;
}

/** The group that an address names, if it does. */
function groupIn(search: URLSearchParams) {
  const uuid = search.get('group') ?? '';
  return { ...customerGroupQuery(uuid), enabled: uuid !== '' };
}

function NewInvoice({ vatRegistered, templates, template, group }: NewInvoiceProps) {
  const navigate = useNavigate();
  const create = useCreateInvoices();
  const [recipients, setRecipients] = useState(() => (group ? withGroup(NOBODY, group) : NOBODY));
  const defaultVatRate = vatRegistered ? DEFAULT_VAT_RATE : 0;
  const form = useSchemaForm(invoiceForm, initialValues(defaultVatRate, template, group));
  const { maySendEhf, withoutEhf, setChosen } = useEhf(form, recipients);
  const locked = useWatch({ control: form.control, name: 'templateId' }) != null;
  const choose = (next: Recipients) => {
    setRecipients(next);
    form.setValue(
      'customerNumbers',
      next.customers.map((customer) => customer.customerNumber),
    );
    form.setValue('groupUuid', next.group?.uuid ?? null);
    form.clearErrors(['customerNumbers', 'groupUuid']);
  };
  // What comes back was seen by whoever left it: nothing is proposed over it.
  const restore = (kept: Recipients) => {
    setRecipients(kept);
    setChosen(!isNobody(kept));
  };
  const { errors, submitCount } = form.formState;
  return (
    <>
      <RecipientSection
        label="Hvem fakturaen er til"
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
          withoutEmail: <MissingEmails recipients={recipients} locked={locked} />,
        }}
        vatRegistered={vatRegistered}
        defaultVatRate={defaultVatRate}
        pending={create.isPending}
        extra={{ value: recipients, restore }}
        onSubmit={async (values) => create.mutateAsync(values)}
        onSaved={() => void navigate(paths.invoices)}
      />
    </>
  );
}

function initialValues(
  defaultVatRate: VatRate,
  template: InvoiceTemplate | undefined,
  group: CustomerGroup | undefined,
): InvoiceDraft {
  return {
    customerNumbers: [],
    groupUuid: group?.uuid ?? null,
    templateId: template?.id ?? null,
    deliveryType: template?.deliveryType ?? DEFAULT_DELIVERY_TYPE,
    issueDate: todayInOslo(),
    dueDays: template?.dueDays ?? DEFAULT_DUE_DAYS,
    invoiceLines: template ? linesOfTemplate(template) : [emptyLine(defaultVatRate)],
    deliveryDate: '',
    reference: '',
  };
}
