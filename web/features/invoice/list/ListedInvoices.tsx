import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';

import type { Invoice } from '../../../../domain/invoice/invoice.schema.ts';
import { laterCode } from '../../../lib/later-code.ts';
import { paths } from '../../../lib/paths.ts';
import { Card } from '../../../ui/Surface.tsx';
import { useLaterCode } from '../../../ui/useLaterCode.ts';
import { PaymentDialog } from '../../payment/PaymentDialog.tsx';
import { useFeature } from '../../session/session.api.ts';
import { countInvoices } from '../invoice-labels.ts';
import type { BulkActionsProps } from './BulkActions.tsx';
import type { InvoiceRowProps } from './InvoiceRow.tsx';
import { InvoiceTable } from './InvoiceTable.tsx';
import { useSelection } from './selection.tsx';
import type { ListView } from './useListView.ts';

interface ListedInvoicesProps {
  readonly invoices: readonly Invoice[];
  readonly view: ListView;
  /** Whether the phone's selection mode is on; wider screens always show the checkboxes. */
  readonly isSelecting: boolean;
  readonly setSelecting: (isSelecting: boolean) => void;
}

/** The rows of the list, with what can be done with one of them or with those that are selected. */
export function ListedInvoices(props: ListedInvoicesProps) {
  const { invoices } = props;
  const hasPayments = useFeature('payments');
  const [paying, setPaying] = useState<Invoice>();
  const [isOpen, setOpen] = useState(false);
  const pay = (invoice: Invoice) => {
    setPaying(invoice);
    setOpen(true);
  };
  // The current version, or the last known one when the invoice has left the list.
  const payable = invoices.find(({ uuid }) => uuid === paying?.uuid) ?? paying;
  return (
    <>
      <SelectableInvoices {...props} onPay={hasPayments ? pay : undefined} />
      {hasPayments ? (
        <PaymentDialog
          invoice={isOpen ? payable : undefined}
          onClose={() => setOpen(false)}
          // 'Sett til betalt' is gone from a paid invoice: the focus goes on to the next button of its row.
          nextFocus={() =>
            document.querySelector(`a[href="${paths.invoicePdf(payable?.uuid ?? '')}"]`)
          }
        />
      ) : null}
    </>
  );
}

type SelectableInvoicesProps = ListedInvoicesProps & Pick<InvoiceRowProps, 'onPay'>;

function SelectableInvoices(props: SelectableInvoicesProps) {
  const { invoices, view, isSelecting, setSelecting, onPay } = props;
  const { filter, setSort } = view;
  const place = useRef<HTMLDivElement>(null);
  // Another filter clears the selection.
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
        <InvoiceTable
          {...{ invoices, selection, isSelecting, onPay }}
          sort={filter.sort}
          onSort={setSort}
        />
      </Card>
      <output className="visually-hidden">
        {length > 0 ? `${countInvoices(length)} valgt` : ''}
      </output>
      <Actions {...{ selection, isSelecting }} onEnd={end} />
    </div>
  );
}

const actions = laterCode(async () => import('./BulkActions.tsx'));

/** Loads its code later, in its own component, so that the list neither waits nor renders again. */
function Actions(props: BulkActionsProps) {
  const isNeeded = props.isSelecting || props.selection.chosen.length > 0;
  const code = useLaterCode(actions, { isNeeded, what: 'Valgene' });
  return code ? <code.BulkActions {...props} /> : null;
}
