import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';

import { May } from '../session/Allowed.tsx';
import { DELIVERY_TYPE_NAMES } from '../../../domain/delivery/delivery.schema.ts';
import { useSender } from '../dependents/DependentAssignments.tsx';
import { InvoiceSums } from '../invoice/InvoiceSums.tsx';
import { LineTable } from '../invoice/LineTable.tsx';
import { draftTotals } from '../invoice/line-sums.ts';
import { paths } from '../../lib/paths.ts';
import { ButtonLink } from '../../ui/Button.tsx';
import { Definitions } from '../../ui/Definitions.tsx';
import { PencilIcon, PlusIcon } from '../../ui/icons.tsx';
import { RecordPage } from '../../ui/Page.tsx';
import { Card } from '../../ui/Surface.tsx';
import { invoiceTemplateQuery } from './invoice-template.api.ts';

export function TemplatePage() {
  const id = Number(useParams()['id']);
  const query = useQuery(invoiceTemplateQuery(id));
  const sender = useSender()(({ templateId }) => templateId === id);
  return (
    <RecordPage
      heading={query.data?.name ?? 'Fakturamal'}
      actions={
        <May permission="edit">
          {sender === undefined ? (
            <ButtonLink to={paths.templateEdit(id)} icon={<PencilIcon />}>
              Endre
            </ButtonLink>
          ) : null}
          <ButtonLink to={paths.invoiceCreate(id)} variant="primary" icon={<PlusIcon />}>
            Lag faktura
          </ButtonLink>
        </May>
      }
      query={query}
    >
      {({ deliveryType, dueDays, lines }) => (
        <>
          <Card>
            <Definitions
              items={[
                { term: 'Nummer', value: id, numeric: true },
                { term: 'Leveringsmetode', value: DELIVERY_TYPE_NAMES[deliveryType] },
                { term: 'Dager til forfall', value: dueDays, numeric: true },
              ]}
            />
          </Card>
          <Card flush heading="Linjer">
            <LineTable lines={lines} footer={<InvoiceSums totals={draftTotals(lines)} />} />
          </Card>
        </>
      )}
    </RecordPage>
  );
}
