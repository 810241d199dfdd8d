import { Link } from 'react-router';

import type { Customer } from '../../../domain/customer/customer.schema.ts';
import { readableEmail } from '../../../domain/email.ts';
import { formatOrgNumber } from '../../../domain/parties.ts';
import { paths } from '../../lib/paths.ts';
import { IconLink } from '../../ui/Button.tsx';
import { PencilIcon } from '../../ui/icons.tsx';
import { Skeleton } from '../../ui/Surface.tsx';
import { Cell, Row, Table } from '../../ui/Table.tsx';

const COLUMNS = [
  { heading: 'ID', width: '88px' },
  { heading: 'Navn' },
  { heading: 'E-post' },
  { heading: 'Organisasjonsnummer', width: '200px' },
  { heading: '', label: 'Handlinger', width: '80px' },
];
const SKELETON_ROWS = [1, 2, 3, 4, 5, 6];

export function CustomerTable({ customers }: { customers: readonly Customer[] | undefined }) {
  return (
    <Table label="Kunder" columns={COLUMNS} busy={!customers} short>
      {customers
        ? customers.map((customer) => (
            <CustomerRow key={customer.customerNumber} customer={customer} />
          ))
        : SKELETON_ROWS.map((row) => <SkeletonRow key={row} />)}
    </Table>
  );
}

function CustomerRow({ customer }: { customer: Customer }) {
  const editPath = paths.customerEdit(customer.customerNumber);
  return (
    <Row>
      <Cell label="ID" numeric>
        {customer.customerNumber}
      </Cell>
      <Cell label="Navn" main>
        <Link to={editPath}>{customer.name}</Link>
      </Cell>
      <Cell label="E-post" below>
        {readableEmail(customer.email ?? '')}
      </Cell>
      <Cell label="Organisasjonsnummer" numeric>
        {customer.orgNumber ? formatOrgNumber(customer.orgNumber) : null}
      </Cell>
      <Cell actions>
        <IconLink to={editPath} label={`Endre ${customer.name}`} icon={<PencilIcon />} />
      </Cell>
    </Row>
  );
}

function SkeletonRow() {
  return (
    <Row>
      <Cell>
        <Skeleton width="32px" />
      </Cell>
      <Cell main>
        <Skeleton width="180px" />
      </Cell>
      <Cell>
        <Skeleton width="160px" />
      </Cell>
      <Cell>
        <Skeleton width="96px" />
      </Cell>
      <Cell />
    </Row>
  );
}
