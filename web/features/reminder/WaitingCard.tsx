import { useState } from 'react';

import { REMINDER_NAMES } from '../../../domain/document/reminder-document.ts';
import { formatKroner } from '../../../domain/money.ts';
import type { Proposal } from '../../../domain/reminder/reminder.schema.ts';
import { Pages } from '../../ui/Pager.tsx';
import { Card } from '../../ui/Surface.tsx';
import { Cell, Row, Table } from '../../ui/Table.tsx';
import { DueCell, InvoiceLink } from './ProposalCells.tsx';

const COLUMNS = [
  { heading: 'Kunde' },
  { heading: 'Faktura', width: '92px' },
  { heading: 'Forfalt', width: '132px' },
  { heading: 'Neste', width: '190px' },
  { heading: 'Gjenstår', width: '116px', align: 'end' },
  { heading: 'Hvorfor den venter', width: '340px' },
] as const;

export function WaitingCard({ proposals }: { proposals: readonly Proposal[] }) {
  const [page, setPage] = useState(1);
  return (
    <Card flush heading="Venter">
      <Pages items={proposals} page={page} onPage={setPage}>
        {(shown) => (
          <Table label="Venter" columns={COLUMNS}>
            {shown.map((proposal) => (
              <Row key={proposal.invoiceUuid}>
                <Cell label="Kunde" main>
                  {proposal.customerName}
                </Cell>
                <Cell label="Faktura" numeric>
                  <InvoiceLink proposal={proposal} />
                </Cell>
                <DueCell proposal={proposal} />
                <Cell label="Neste">{REMINDER_NAMES[proposal.kind]}</Cell>
                <Cell label="Gjenstår" align="end" numeric>
                  {formatKroner(proposal.amountDue)}
                </Cell>
                <Cell label="Hvorfor">{proposal.waits}</Cell>
              </Row>
            ))}
          </Table>
        )}
      </Pages>
    </Card>
  );
}
