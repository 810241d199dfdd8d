import type { ReactNode } from 'react';

import { formatDate } from '../../../domain/date.ts';
import type { Assignment } from '../../../domain/recurring/recurring.schema.ts';
import { Definitions } from '../../ui/Definitions.tsx';
import { Card } from '../../ui/Surface.tsx';
import { intervalText } from './interval-text.ts';
import { endText, MODE_LABELS } from './recurring-labels.ts';

interface AssignmentSummaryProps {
  readonly assignment: Assignment;
  readonly recipients: ReactNode;
  /** Delivery and payment terms. Their labels belong to the invoice feature, so the page provides them. */
  readonly terms: readonly { readonly term: string; readonly value: ReactNode }[];
}

export function AssignmentSummary({ assignment, recipients, terms }: AssignmentSummaryProps) {
  const { nextDate, firstDate, mode } = assignment;
  return (
    <Card>
      <Definitions
        items={[
          { term: 'Mottakere', value: recipients, wide: true },
          { term: 'Hvor ofte', value: intervalText(assignment), wide: true },
          {
            term: 'Neste dato',
            value: nextDate === null ? null : formatDate(nextDate),
            numeric: true,
          },
          { term: 'Første dato', value: formatDate(firstDate), numeric: true },
          { term: 'Slutter', value: endText(assignment) },
          { term: 'Lag som', value: MODE_LABELS[mode] },
          ...terms,
        ]}
      />
    </Card>
  );
}
