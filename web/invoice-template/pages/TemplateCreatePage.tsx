import { useQuery } from '@tanstack/react-query';
import { useNavigate } from 'react-router';

import { DEFAULT_VAT_RATE } from '../../../domain/invoice/invoice-line.schema.ts';
import type { InvoiceTemplateUpdate } from '../../../domain/invoice-template/invoice-template.schema.ts';
import { FormSums } from '../../invoice/components/InvoiceSums.tsx';
import { LineFields } from '../../invoice/components/LineFields.tsx';
import { paths } from '../../paths.ts';
import { profileQuery } from '../../profile/profile.queries.ts';
import { Loading } from '../../ui/Loading.tsx';
import { Page } from '../../ui/Page.tsx';
import { TemplateForm } from '../components/TemplateForm.tsx';
import { useCreateInvoiceTemplate } from '../invoice-template.mutations.ts';

export function TemplateCreatePage() {
  const navigate = useNavigate();
  const create = useCreateInvoiceTemplate();
  const profile = useQuery(profileQuery);
  const vatRate = profile.data?.vatRegistered === false ? 0 : DEFAULT_VAT_RATE;
  const submit = async (values: InvoiceTemplateUpdate) => {
    await create.mutateAsync(values);
    await navigate(paths.templates);
  };
  return (
    <Page heading="Ny fakturamal">
      {profile.isPending ? (
        <Loading />
      ) : (
        <TemplateForm defaultVatRate={vatRate} pending={create.isPending} onSubmit={submit}>
          <LineFields name="lines" defaultVatRate={vatRate} />
          <FormSums name="lines" />
        </TemplateForm>
      )}
    </Page>
  );
}
