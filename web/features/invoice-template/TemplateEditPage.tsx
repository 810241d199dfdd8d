import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from 'react-router';

import type { InvoiceTemplate } from '../../../domain/invoice-template/invoice-template.schema.ts';
import { paths } from '../../lib/paths.ts';
import { DependentAssignments } from '../dependents/DependentAssignments.tsx';
import { UnlessSent } from '../dependents/UnlessSent.tsx';
import { profileQuery } from '../profile/profile.api.ts';
import { DeleteButton } from '../../forms/DeleteButton.tsx';
import { Fetched } from '../../ui/Fetched.tsx';
import { IncompleteProfile } from '../profile/IncompleteProfile.tsx';
import { vatOf } from '../editor/draft-values.ts';
import { Page } from '../../ui/Page.tsx';
import { RecordPage } from '../../ui/RecordPage.tsx';
import { TemplateForm } from './TemplateForm.tsx';
import {
  invoiceTemplateQuery,
  useCreateInvoiceTemplate,
  useDeleteInvoiceTemplate,
  useUpdateInvoiceTemplate,
} from './invoice-template.api.ts';

/** A new template, or a change of the one in the address. */
export function TemplateEditPage() {
  const { id } = useParams();
  return id === undefined ? <NewTemplate /> : <StoredTemplate id={Number(id)} />;
}

function NewTemplate() {
  const navigate = useNavigate();
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
              onSaved={() => void navigate(paths.templates)}
            />
          </>
        )}
      </Fetched>
    </Page>
  );
}

function StoredTemplate({ id }: { id: number }) {
  const query = useQuery(invoiceTemplateQuery(id));
  return (
    <RecordPage heading="Endre fakturamal" query={query}>
      {(template) => (
        <UnlessSent uses={({ templateId }) => templateId === template.id}>
          <TemplateEditor key={template.id} template={template} />
        </UnlessSent>
      )}
    </RecordPage>
  );
}

function TemplateEditor({ template }: { template: InvoiceTemplate }) {
  const navigate = useNavigate();
  const { data: profile } = useQuery(profileQuery);
  const update = useUpdateInvoiceTemplate(template.id);
  const remove = useDeleteInvoiceTemplate();
  return (
    <>
      <TemplateForm
        template={template}
        vat={vatOf(profile)}
        save={update}
        onSaved={() => void navigate(paths.templates)}
      />
      <DeleteButton
        label="Slett fakturamal"
        title="Slette fakturamal"
        remove={remove}
        value={template.id}
        to={paths.templates}
      >
        {() => (
          <>
            <p>{`Malen ${template.name} slettes. Fakturaer som er laget av den, beholdes.`}</p>
            <DependentAssignments query={{}} uses={({ templateId }) => templateId === template.id}>
              {(assignments) =>
                `Malen brukes i ${assignments}. Der lages det ingen fakturaer før noen velger en annen mal eller legger inn fakturalinjer.`
              }
            </DependentAssignments>
          </>
        )}
      </DeleteButton>
    </>
  );
}
