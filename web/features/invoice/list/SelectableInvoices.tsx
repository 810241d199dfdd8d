import { useRef } from 'react';
import { flushSync } from 'react-dom';

import type { InvoiceSort } from '../../../../domain/invoice/invoice-list.schema.ts';
import type { Invoice } from '../../../../domain/invoice/invoice.schema.ts';
import { laterCode } from '../../../lib/later-code.ts';
import { Card } from '../../../ui/Surface.tsx';
import { useLaterCode } from '../../../ui/useLaterCode.ts';
import type { InvoiceFilter } from '../invoice.api.ts';
import { countInvoices } from '../invoice-name.ts';
import { useSelection } from './useSelection.ts';
import type { BulkActionsProps } from './BulkActions.tsx';
import type { InvoiceRowProps } from './InvoiceRow.tsx';
import { InvoiceTable } from './InvoiceTable.tsx';

const actions = laterCode(async () => import('./BulkActions.tsx'));

interface SelectableInvoicesProps extends Pick<InvoiceRowProps, 'onPay'> {
  readonly invoices: readonly Invoice[];
  /** The list's filter; a change clears the selection. */
  readonly filter: InvoiceFilter;
  readonly onSort: (sort: InvoiceSort | undefined) => void;
  /** Whether the phone's selection mode is on; wider screens always show the checkboxes. */
  readonly isSelecting: boolean;
  readonly setSelecting: (isSelecting: boolean) => void;
}

export function SelectableInvoices(props: SelectableInvoicesProps) {
  const { invoices, filter, onSort, isSelecting, setSelecting, onPay } = props;
  const place = useRef<HTMLDivElement>(null);
  const selection = useSelection(invoices, JSON.stringify(filter));
  const end = () => {
    flushSync(() => {
      selection.clear();
      setSelecting(false);
    });
    // The focused button was removed: moves the focus to the list for keyboard users.
    if (document.activeElement === document.body) place.current?.focus({ preventScroll: true });
  };
  const { length } = selection.chosen;
  return (
    <div ref={place} tabIndex={-1} className="stack gap-4">
      <Card flush>
        <InvoiceTable {...{ invoices, selection, isSelecting, onSort, onPay }} sort={filter.sort} />
      </Card>
      <output className="visually-hidden">
        {length > 0 ? `${countInvoices(length)} valgt` : ''}
      </output>
      <Actions {...{ selection, isSelecting }} onEnd={end} />
    </div>
  );
}

/** Loads its code later, in its own component, so that the list neither waits nor renders again. */
function Actions(props: BulkActionsProps) {
  const isNeeded = props.isSelecting || props.selection.chosen.length > 0;
  const code = useLaterCode(actions, { isNeeded, what: 'Valgene' });
  return code ? <code.BulkActions {...props} /> : null;
}
