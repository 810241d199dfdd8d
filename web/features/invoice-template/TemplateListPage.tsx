import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';

import { DELIVERY_TYPE_NAMES } from '../../../domain/delivery/delivery.schema.ts';
import type { InvoiceTemplate } from '../../../domain/invoice-template/invoice-template.schema.ts';
import { paths } from '../../lib/paths.ts';
import { useIsProfileIncomplete } from '../profile/profile.api.ts';
import { ButtonLink, IconLink } from '../../ui/Button.tsx';
import { Fetched } from '../../ui/Fetched.tsx';
import { FirstLink } from '../../ui/FirstLink.tsx';
import { FileIcon, PencilIcon, PlusIcon } from '../../ui/icons.tsx';
import { Page } from '../../ui/Page.tsx';
import { Card, EmptyState, Skeleton } from '../../ui/Surface.tsx';
import { Cell, Row, Table } from '../../ui/Table.tsx';
import { invoiceTemplatesQuery } from './invoice-template.api.ts';

const COLUMNS = [
  { heading: 'Nummer', width: '112px' },
  { heading: 'Navn' },
  { heading: 'Leveringsmetode', width: '180px' },
  { heading: 'Dager til forfall', width: '160px', align: 'end' },
  { heading: '', label: 'Endre', width: '80px' },
] as const;
const SKELETON_ROWS = [1, 2, 3];

export function TemplateListPage() {
  const query = useQuery(invoiceTemplatesQuery);
  const incomplete = useIsProfileIncomplete();
  return (
    <Page
      heading="Fakturamaler"
      actions={
        <ButtonLink
          to={paths.templateCreate}
          variant="primary"
          icon={<PlusIcon />}
          disabled={incomplete}
        >
          Ny mal
        </ButtonLink>
      }
    >
      <Fetched query={query} pending={<TemplateTable templates={undefined} />}>
        {(templates) =>
          templates.length === 0 ? (
            <NoTemplates incomplete={incomplete} />
          ) : (
            <TemplateTable templates={templates} />
          )
        }
      </Fetched>
    </Page>
  );
}

function NoTemplates({ incomplete }: { incomplete: boolean }) {
  return (
    <Card>
      <EmptyState
        icon={<FileIcon size={28} />}
        title="Ingen maler ennå"
        action={
          <FirstLink to={paths.templateCreate} incomplete={incomplete}>
            Lag den første malen
          </FirstLink>
        }
      >
        Lag en mal av det du ofte fakturerer, så er neste faktura ferdig utfylt.
      </EmptyState>
    </Card>
  );
}

function TemplateTable({ templates }: { templates: readonly InvoiceTemplate[] | undefined }) {
  return (
    <Card flush>
      <Table label="Fakturamaler" columns={COLUMNS} busy={!templates} short>
        {templates
          ? templates.map((template) => <TemplateRow key={template.id} template={template} />)
          : SKELETON_ROWS.map((row) => (
              <Row key={row}>
                <Cell>
                  <Skeleton width="24px" />
                </Cell>
                <Cell main>
                  <Skeleton width="180px" />
                </Cell>
                <Cell>
                  <Skeleton width="72px" />
                </Cell>
                <Cell align="end">
                  <Skeleton width="32px" />
                </Cell>
                <Cell />
              </Row>
            ))}
      </Table>
    </Card>
  );
}

function TemplateRow({ template }: { template: InvoiceTemplate }) {
  return (
    <Row>
      <Cell label="Nummer" numeric>
        {template.id}
      </Cell>
      <Cell label="Navn" main>
        <Link to={paths.template(template.id)}>{template.name}</Link>
      </Cell>
      <Cell label="Leveringsmetode" below>
        {DELIVERY_TYPE_NAMES[template.deliveryType]}
      </Cell>
      <Cell label="Dager til forfall" align="end" numeric below>
        {template.dueDays}
      </Cell>
      <Cell actions>
        <IconLink
          to={paths.templateEdit(template.id)}
          label={`Endre ${template.name}`}
          icon={<PencilIcon />}
        />
      </Cell>
    </Row>
  );
}
