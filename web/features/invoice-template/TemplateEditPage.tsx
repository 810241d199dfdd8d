import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from 'react-router';

import type { InvoiceTemplate } from '../../../domain/invoice-template/invoice-template.schema.ts';
import { hasStatus } from '../../lib/api-error.ts';
import { DeliveryTypeField } from '../editor/DeliveryTypeField.tsx';
import { InvoiceLines } from '../editor/InvoiceLines.tsx';
import { offeredDeliveryTypes } from '../invoice/invoice-labels.ts';
import { paths } from '../../lib/paths.ts';
import { profileQuery, useMaySendEhf } from '../profile/profile.api.ts';
import { DeleteButton } from '../../ui/DeleteButton.tsx';
import { Fetched } from '../../ui/Fetched.tsx';
import { NotFound } from '../../ui/NotFound.tsx';
import { Page } from '../../ui/Page.tsx';
import { TemplateForm } from './TemplateForm.tsx';
import {
  invoiceTemplateQuery,
  useDeleteInvoiceTemplate,
  useUpdateInvoiceTemplate,
} from './invoice-template.api.ts';

export function TemplateEditPage() {
  const id = Number(useParams()['id']);
  const query = useQuery(invoiceTemplateQuery(id));
  if (hasStatus(query.error, 404)) return <NotFound />;
  return (
    <Page heading="Endre fakturamal">
      <Fetched query={query}>
        {(template) => <TemplateEditor key={template.id} template={template} />}
      </Fetched>
    </Page>
  );
}

function TemplateEditor({ template }: { template: InvoiceTemplate }) {
  const navigate = useNavigate();
  const maySendEhf = useMaySendEhf();
  const { data: profile } = useQuery(profileQuery);
  const vatRegistered = profile?.vatRegistered !== false;
  const update = useUpdateInvoiceTemplate(template.id);
  const remove = useDeleteInvoiceTemplate();
  return (
    <>
      <TemplateForm
        template={template}
        delivery={
          <DeliveryTypeField
            locked={false}
            delivery={{ types: offeredDeliveryTypes(maySendEhf), withoutEhf: [] }}
          />
        }
        save={update}
        onSaved={() => void navigate(paths.templates)}
      >
        <InvoiceLines name="lines" vatRegistered={vatRegistered} />
      </TemplateForm>
      <DeleteButton
        label="Slett fakturamal"
        title="Slette fakturamal"
        remove={remove}
        value={template.id}
        to={paths.templates}
      >
        {() => `Malen ${template.name} slettes. Fakturaer som er laget av den, beholdes.`}
      </DeleteButton>
    </>
  );
}
