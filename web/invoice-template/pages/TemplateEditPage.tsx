import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate, useParams } from 'react-router';

import type { InvoiceTemplate } from '../../../domain/invoice-template/invoice-template.schema.ts';
import { hasStatus } from '../../api/api-error.ts';
import { FormSums } from '../../invoice/components/InvoiceSums.tsx';
import { LineFields } from '../../invoice/components/LineFields.tsx';
import { NotFound } from '../../ui/NotFound.tsx';
import { paths } from '../../paths.ts';
import { LoadFailure } from '../../ui/Alert.tsx';
import { Button } from '../../ui/Button.tsx';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { TrashIcon } from '../../ui/icons.tsx';
import { discardUnsaved } from '../../ui/leaving.ts';
import { Loading } from '../../ui/Loading.tsx';
import { Page } from '../../ui/Page.tsx';
import { TemplateForm } from '../components/TemplateForm.tsx';
import {
  useDeleteInvoiceTemplate,
  useUpdateInvoiceTemplate,
} from '../invoice-template.mutations.ts';
import { invoiceTemplateQuery } from '../invoice-template.queries.ts';

export function TemplateEditPage() {
  const id = Number(useParams()['id']);
  const { data, isPending, error, refetch } = useQuery(invoiceTemplateQuery(id));
  if (hasStatus(error, 404)) return <NotFound />;
  return (
    <Page heading="Endre fakturamal">
      {isPending ? <Loading /> : null}
      {error && !data ? <LoadFailure onRetry={() => void refetch()} /> : null}
      {data ? (
        <TemplateEditor key={data.id} template={data} refresh={async () => refetch()} />
      ) : null}
    </Page>
  );
}

interface TemplateEditorProps {
  readonly template: InvoiceTemplate;
  readonly refresh: () => Promise<unknown>;
}

function TemplateEditor({ template, refresh }: TemplateEditorProps) {
  const navigate = useNavigate();
  const update = useUpdateInvoiceTemplate(template.id);
  return (
    <>
      <TemplateForm
        template={template}
        refresh={refresh}
        pending={update.isPending}
        onSubmit={async (values, version) => update.mutateAsync({ ...values, version })}
        onSaved={() => void navigate(paths.templates)}
      >
        <LineFields name="lines" />
        <FormSums name="lines" />
      </TemplateForm>
      <DeleteTemplate template={template} />
    </>
  );
}

function DeleteTemplate({ template }: { template: InvoiceTemplate }) {
  const navigate = useNavigate();
  const [open, setOpen] = useState(false);
  const remove = useDeleteInvoiceTemplate(template.id);
  const confirm = () =>
    remove.mutate(undefined, {
      onSuccess: () => {
        setOpen(false);
        discardUnsaved();
        void navigate(paths.templates);
      },
    });
  return (
    <div>
      <Button variant="danger" icon={<TrashIcon />} onClick={() => setOpen(true)}>
        Slett fakturamal
      </Button>
      <ConfirmDialog
        title="Slette fakturamal"
        confirmLabel="Slett"
        open={open}
        pending={remove.isPending}
        onClose={() => setOpen(false)}
        onConfirm={confirm}
      >
        Malen {template.name} slettes. Fakturaer som er laget av den, beholdes.
      </ConfirmDialog>
    </div>
  );
}
