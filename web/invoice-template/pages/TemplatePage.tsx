import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';

import type { InvoiceTemplate } from '../../../domain/invoice-template/invoice-template.schema.ts';
import { hasStatus } from '../../api/api-error.ts';
import { InvoiceSums } from '../../invoice/components/InvoiceSums.tsx';
import { LineTable } from '../../invoice/components/LineTable.tsx';
import { DELIVERY_TYPE_LABELS } from '../../invoice/labels.ts';
import { draftTotals } from '../../invoice/line-sums.ts';
import { NotFound } from '../../ui/NotFound.tsx';
import { paths } from '../../paths.ts';
import { LoadFailure } from '../../ui/Alert.tsx';
import { ButtonLink } from '../../ui/Button.tsx';
import { Definitions } from '../../ui/Definitions.tsx';
import { PencilIcon, PlusIcon } from '../../ui/icons.tsx';
import { Loading } from '../../ui/Loading.tsx';
import { Page } from '../../ui/Page.tsx';
import { Card } from '../../ui/Surface.tsx';
import { invoiceTemplateQuery } from '../invoice-template.queries.ts';

export function TemplatePage() {
  const id = Number(useParams()['id']);
  const { data, isPending, error, refetch } = useQuery(invoiceTemplateQuery(id));
  if (hasStatus(error, 404)) return <NotFound />;
  return (
    <Page
      heading={data?.name ?? 'Fakturamal'}
      actions={
        <>
          <ButtonLink to={paths.templateEdit(id)} icon={<PencilIcon />}>
            Endre
          </ButtonLink>
          <ButtonLink to={paths.invoiceCreate(id)} variant="primary" icon={<PlusIcon />}>
            Lag faktura
          </ButtonLink>
        </>
      }
    >
      {isPending ? <Loading /> : null}
      {error && !data ? <LoadFailure onRetry={() => void refetch()} /> : null}
      {data ? <TemplateView template={data} /> : null}
    </Page>
  );
}

function TemplateView({ template }: { template: InvoiceTemplate }) {
  return (
    <>
      <Card>
        <Definitions
          items={[
            { term: 'Nummer', value: template.id, numeric: true },
            { term: 'Leveringsmetode', value: DELIVERY_TYPE_LABELS[template.deliveryType] },
            { term: 'Dager til forfall', value: template.dueDays, numeric: true },
          ]}
        />
      </Card>
      <Card flush heading="Linjer">
        <LineTable
          lines={template.lines}
          footer={<InvoiceSums totals={draftTotals(template.lines)} />}
        />
      </Card>
    </>
  );
}
