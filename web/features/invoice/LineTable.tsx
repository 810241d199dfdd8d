import type { ReactNode } from 'react';

import type { LineForm } from '../../../domain/invoice/invoice-line.schema.ts';
import { formatCounted } from '../../../domain/invoice/unit-names.ts';
import { treatmentOf } from '../../../domain/vat-treatment.ts';
import { formatKroner, formatOre } from '../../../domain/money.ts';
import { Cell, Row, Table } from '../../ui/Table.tsx';
import { draftLineGross, draftLineNet } from './line-sums.ts';

interface Line extends LineForm {
  readonly id: number;
}

const COLUMNS = [
  { heading: 'Antall', width: '112px', align: 'end' },
  { heading: 'Beskrivelse' },
  { heading: 'Beløp', width: '130px', align: 'end' },
  { heading: 'Sum', width: '130px', align: 'end' },
  { heading: 'Mva.', width: '88px', align: 'end' },
  { heading: 'Totalt', width: '140px', align: 'end' },
] as const;

export function LineTable({ lines, footer }: { lines: readonly Line[]; footer: ReactNode }) {
  return (
    <>
      <Table label="Linjer" columns={COLUMNS}>
        {lines.map((line) => (
          <LineRow key={line.id} line={line} />
        ))}
      </Table>
      <div className="foot">{footer}</div>
    </>
  );
}

function LineRow({ line }: { line: Line }) {
  const net = draftLineNet(line);
  const gross = draftLineGross(line);
  return (
    <Row>
      <Cell label="Antall" align="end" numeric>
        {formatCounted(line.invoicedQuantity, line.unit)}
      </Cell>
      <Cell label="Beskrivelse" main>
        {line.productNumber ? (
          <div>
            {line.description}
            <p className="aside">Produkt {line.productNumber}</p>
          </div>
        ) : (
          line.description
        )}
      </Cell>
      <Cell label="Beløp" align="end" numeric>
        {formatKroner(line.netUnitAmount)}
      </Cell>
      <Cell label="Sum" align="end" numeric>
        {net === null ? '–' : formatOre(net)}
      </Cell>
      <Cell label="Mva." align="end" numeric>
        {line.vatTreatment === undefined
          ? `${line.vatRatePercentage} %`
          : treatmentOf(line.vatTreatment).label}
      </Cell>
      <Cell label="Totalt" align="end" numeric>
        {gross === null ? '–' : formatOre(gross)}
      </Cell>
    </Row>
  );
}
