import type { ReactNode } from 'react';

import type { LineForm } from '../../../domain/invoice/invoice-line.schema.ts';
import { formatCounted } from '../../../domain/invoice/unit-names.ts';
import { treatmentOf } from '../../../domain/vat-treatment.ts';
import { formatKroner, formatOre, type Ore } from '../../../domain/money.ts';
import { ListTable, type ListColumn } from '../../ui/ListTable.tsx';
import { draftLineGross, draftLineNet } from './line-sums.ts';

interface Line extends LineForm {
  readonly id: number;
}

const COLUMNS: readonly ListColumn<Line>[] = [
  {
    heading: 'Antall',
    width: '112px',
    align: 'end',
    cell: ({ invoicedQuantity, unit }) => formatCounted(invoicedQuantity, unit),
  },
  {
    heading: 'Beskrivelse',
    kind: 'main',
    cell: ({ description, productNumber }) =>
      productNumber ? (
        <div>
          {description}
          <p className="aside">Produkt {productNumber}</p>
        </div>
      ) : (
        description
      ),
  },
  {
    heading: 'Beløp',
    width: '130px',
    align: 'end',
    cell: ({ netUnitAmount }) => formatKroner(netUnitAmount),
  },
  { heading: 'Sum', width: '130px', align: 'end', cell: (line) => textOf(draftLineNet(line)) },
  {
    heading: 'Mva.',
    width: '88px',
    align: 'end',
    cell: ({ vatRatePercentage, vatTreatment }) =>
      vatTreatment === undefined ? `${vatRatePercentage} %` : treatmentOf(vatTreatment).label,
  },
  { heading: 'Totalt', width: '140px', align: 'end', cell: (line) => textOf(draftLineGross(line)) },
];

function textOf(sum: Ore | null): string {
  return sum === null ? '–' : formatOre(sum);
}

export function LineTable({ lines, footer }: { lines: readonly Line[]; footer: ReactNode }) {
  return (
    <>
      <ListTable label="Linjer" columns={COLUMNS} keyOf={({ id }) => id} items={lines} />
      <div className="foot">{footer}</div>
    </>
  );
}
