import { usePrefetchQuery, useQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import { Link, useNavigate, useParams } from 'react-router';

import type { Invoice } from '../../../../domain/invoice/invoice.schema.ts';
import type { InvoiceTemplate } from '../../../../domain/invoice-template/invoice-template.schema.ts';
import { hasStatus } from '../../../lib/api-error.ts';
import { firstCustomersQuery } from '../../editor/RecipientFinders.tsx';
import { type CompanyVat, storedDraft, vatOf } from '../../editor/draft-values.ts';
import { invoiceQuery, useUpdateDraft } from '../invoice.api.ts';
import { NOBODY, onlyCustomer } from '../../editor/recipients.ts';
import { invoiceTemplatesQuery } from '../../invoice-template/invoice-template.api.ts';
import { paths } from '../../../lib/paths.ts';
import { profileQuery } from '../../profile/profile.api.ts';
import { May } from '../../session/Allowed.tsx';
import { Alert, LoadFailure, Loading } from '../../../ui/Surface.tsx';
import { NotFound, Page } from '../../../ui/Page.tsx';
import { InvoiceEditor } from './InvoiceEditor.tsx';

export function InvoiceEditPage() {
  usePrefetchQuery(firstCustomersQuery);
  const id = useParams()['id'] ?? '';
  const invoice = useQuery(invoiceQuery(id));
  const profile = useQuery(profileQuery);
  const templates = useQuery(invoiceTemplatesQuery);
  const failed = [invoice, profile, templates].find((query) => query.isError && !query.data);
  // The form is large: a deferred render keeps the browser responsive.
  const isReady = useDeferredValue(
    invoice.data !== undefined && profile.data !== undefined && templates.data !== undefined,
  );
  if (!invoice.data && hasStatus(invoice.error, 404)) return <NotFound />;
  return (
    <Page heading="Endre faktura">
      {failed ? <LoadFailure onRetry={() => void failed.refetch()} /> : null}
      {!failed && !isReady ? <Loading /> : null}
      {isReady && invoice.data && profile.data && templates.data ? (
        <DraftEditor invoice={invoice.data} templates={templates.data} vat={vatOf(profile.data)} />
      ) : null}
    </Page>
  );
}

interface DraftEditorProps {
  readonly invoice: Invoice;
  readonly templates: readonly InvoiceTemplate[];
  readonly vat: CompanyVat;
}

function DraftEditor({ invoice, templates, vat }: DraftEditorProps) {
  const navigate = useNavigate();
  const update = useUpdateDraft(invoice.uuid);
  const isDraft = invoice.status === 'DRAFT';
  // Keeps the user's input on the screen when the draft is registered meanwhile.
  const [wasDraft] = useState(isDraft);
  const { customerNumber, customerName: name } = invoice;
  return (
    <>
      {isDraft ? null : <NoDraft invoice={invoice} wasDraft={wasDraft} />}
      {wasDraft ? (
        <InvoiceEditor
          templates={templates}
          vat={vat}
          initialValues={storedDraft(invoice)}
          initialRecipients={
            customerNumber === null ? NOBODY : onlyCustomer({ customerNumber, name })
          }
          areTermsChosen
          editing={{ record: invoice, valuesOf: storedDraft }}
          save={update}
          onSaved={() => void navigate(paths.invoice(invoice.uuid))}
        />
      ) : null}
    </>
  );
}

function NoDraft({ invoice, wasDraft }: { invoice: Invoice; wasDraft: boolean }) {
  const { uuid, invoiceNumber } = invoice;
  return (
    <Alert
      tone="warning"
      live
      title={wasDraft ? 'Fakturaen ble registrert mens du skrev' : 'Fakturaen er registrert'}
    >
      Bare utkast kan endres.{' '}
      {wasDraft ? 'Det du har skrevet, står fortsatt her, men kan ikke lagres. ' : ''}
      <Link to={paths.invoice(invoiceNumber ?? uuid)}>Vis fakturaen</Link>
      <May permission="edit">
        , eller <Link to={paths.invoiceCopy(uuid)}>lag en ny av den</Link>
      </May>
      .
    </Alert>
  );
}
