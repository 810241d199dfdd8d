import { useQuery } from '@tanstack/react-query';
import { useNavigate } from 'react-router';

import { DEFAULT_VAT_RATE } from '../../../domain/invoice/invoice-line.schema.ts';
import { FormSums } from '../../invoice/components/InvoiceSums.tsx';
import { LineFields } from '../../invoice/components/LineFields.tsx';
import { paths } from '../../paths.ts';
import { useMaySendEhf } from '../../profile/ehf-agreement.queries.ts';
import { profileQuery } from '../../profile/profile.queries.ts';
import { Loading } from '../../ui/Loading.tsx';
import { Page } from '../../ui/Page.tsx';
import { TemplateForm } from '../components/TemplateForm.tsx';
import { useCreateInvoiceTemplate } from '../invoice-template.mutations.ts';

export function TemplateCreatePage() {
  const navigate = useNavigate();
  const create = useCreateInvoiceTemplate();
  const maySendEhf = useMaySendEhf();
  const profile = useQuery(profileQuery);
  const vatRate = profile.data?.vatRegistered === false ? 0 : DEFAULT_VAT_RATE;
  return (
    <Page heading="Ny fakturamal">
      {profile.isPending ? (
        <Loading />
      ) : (
        <TemplateForm
          defaultVatRate={vatRate}
          maySendEhf={maySendEhf}
          pending={create.isPending}
          onSubmit={async (values) => create.mutateAsync(values)}
          onSaved={() => void navigate(paths.templates)}
        >
          <LineFields name="lines" defaultVatRate={vatRate} />
          <FormSums name="lines" />
        </TemplateForm>
      )}
    </Page>
  );
}
