import { useQuery } from '@tanstack/react-query';

import { useCan } from '../session/session.api.ts';
import { DELIVERY_TYPE_NAMES } from '../../../domain/delivery/delivery.schema.ts';
import type { InvoiceTemplate } from '../../../domain/invoice-template/invoice-template.schema.ts';
import { paths } from '../../lib/paths.ts';
import { FileIcon } from '../../ui/icons.tsx';
import { ListPage } from '../../ui/ListPage.tsx';
import { editColumn, type ListColumn } from '../../ui/ListTable.tsx';
import { useSender } from '../dependents/DependentAssignments.tsx';
import { IncompleteProfile } from '../profile/IncompleteProfile.tsx';
import { useIsProfileIncomplete } from '../profile/profile.api.ts';
import { invoiceTemplatesQuery } from './invoice-template.api.ts';

const COLUMNS: readonly ListColumn<InvoiceTemplate>[] = [
  { heading: 'Nummer', width: '112px', numeric: true, outline: '24px', cell: ({ id }) => id },
  {
    heading: 'Navn',
    kind: 'main',
    outline: '180px',
    path: ({ id }) => paths.template(id),
    cell: ({ name }) => name,
  },
  {
    heading: 'Leveringsmetode',
    width: '180px',
    kind: 'below',
    outline: '72px',
    cell: ({ deliveryType }) => DELIVERY_TYPE_NAMES[deliveryType],
  },
  {
    heading: 'Dager til forfall',
    width: '160px',
    align: 'end',
    kind: 'below',
    outline: '32px',
    cell: ({ dueDays }) => dueDays,
  },
];

export function TemplateListPage() {
  const query = useQuery(invoiceTemplatesQuery);
  const canEdit = useCan('edit');
  const incomplete = useIsProfileIncomplete();
  const senderOf = useSender();
  return (
    <ListPage
      heading="Fakturamaler"
      create={{
        to: canEdit ? paths.templateCreate : undefined,
        label: 'Ny mal',
        firstLabel: 'Lag den første malen',
        incomplete,
      }}
      notice={incomplete ? <IncompleteProfile of="maler" /> : null}
      query={query}
      columns={[
        ...COLUMNS,
        editColumn<InvoiceTemplate>(
          ({ id }) =>
            senderOf(({ templateId }) => templateId === id) ? undefined : paths.templateEdit(id),
          ({ name }) => name,
        ),
      ]}
      keyOf={({ id }) => id}
      short
      empty={{
        icon: <FileIcon />,
        title: 'Ingen maler ennå',
        text: 'Lag en mal av det du ofte fakturerer, så er neste faktura ferdig utfylt.',
      }}
    />
  );
}
