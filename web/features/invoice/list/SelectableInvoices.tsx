import { useRef } from 'react';

import type { InvoiceSort } from '../../../../domain/invoice/invoice-list.schema.ts';
import type { Invoice } from '../../../../domain/invoice/invoice.schema.ts';
import { laterCode } from '../../../lib/later-code.ts';
import { Card } from '../../../ui/Surface.tsx';
import { useLaterCode } from '../../../ui/useLaterCode.ts';
import type { InvoiceFilter } from '../invoice.queries.ts';
import { countInvoices } from '../invoice-name.ts';
import { useSelection } from './useSelection.ts';
import type { BulkActionsProps } from './BulkActions.tsx';
import type { Shown } from './InvoiceRow.tsx';
import { InvoiceTable } from './InvoiceTable.tsx';
import styles from './SelectableInvoices.module.css';

const actions = laterCode(async () => import('./BulkActions.tsx'));

/** Long enough for a dialog to have given the focus back. */
const WAIT_MS = 120;

interface SelectableInvoicesProps extends Shown {
  readonly invoices: readonly Invoice[];
  /** What the list is of. */
  readonly filter: InvoiceFilter;
  readonly onSort: (sort: InvoiceSort | undefined) => void;
  /** Whether rows are being chosen on a phone, where they do not always have a box for it. */
  readonly isSelecting: boolean;
  readonly setSelecting: (isSelecting: boolean) => void;
}

/** The table of invoices, of which some can be chosen and then changed together. */
export function SelectableInvoices(props: SelectableInvoicesProps) {
  const { invoices, filter, onSort, isSelecting, setSelecting, ...shown } = props;
  const place = useRef<HTMLDivElement>(null);
  const selection = useSelection(invoices, JSON.stringify(filter));
  const end = () => {
    selection.clear();
    setSelecting(false);
    // What had the focus is gone: whoever uses the keyboard goes on at the list.
    setTimeout(() => {
      if (document.activeElement === document.body) place.current?.focus({ preventScroll: true });
    }, WAIT_MS);
  };
  const { length } = selection.chosen;
  return (
    <div ref={place} tabIndex={-1} className={styles.list}>
      <Card flush>
        <InvoiceTable
          {...{ invoices, selection, isSelecting, onSort }}
          {...shown}
          sort={filter.sort}
        />
      </Card>
      <output className="visually-hidden">
        {length > 0 ? `${countInvoices(length)} valgt` : ''}
      </output>
      <Actions {...{ selection, isSelecting }} onEnd={end} />
    </div>
  );
}

/** Its code comes after the list, which is shown without it and is not drawn once more when it comes. */
function Actions(props: BulkActionsProps) {
  const isNeeded = props.isSelecting || props.selection.chosen.length > 0;
  const code = useLaterCode(actions, { isNeeded, what: 'Valgene' });
  return code ? <code.BulkActions {...props} /> : null;
}
