import { Link } from 'react-router';

import type { ResponseOf } from '../../../../domain/api/endpoint.ts';
import type { updateInvoices } from '../../../../domain/invoice/invoice.endpoints.ts';
import type { Invoice, QueueResult } from '../../../../domain/invoice/invoice.schema.ts';
import { paths } from '../../../lib/paths.ts';
import { Button } from '../../../ui/Button.tsx';
import { Modal, ModalButtons } from '../../../ui/Modal.tsx';
import { nameOf } from '../invoice-name.ts';
import styles from './BulkActions.module.css';
import { MendingLink } from '../MendingLink.tsx';

/** The server's reason for skipping an invoice. */
export type Skipped =
  | ResponseOf<typeof updateInvoices>['skipped'][number]
  | QueueResult['skipped'][number];

/** The result of a bulk action that skipped some invoices. */
export interface BulkOutcome {
  /** Says how many invoices were changed. */
  readonly title: string;
  readonly skipped: readonly { readonly invoice: Invoice; readonly left: Skipped }[];
  /** Undoes the change. Absent when that is not possible. */
  readonly undo?: (() => void) | undefined;
}

interface BulkResultProps {
  readonly result: BulkOutcome | undefined;
  readonly onClose: () => void;
}

/** Lists the skipped invoices with reasons and links. */
export function BulkResult({ result, onClose }: BulkResultProps) {
  const { title = '', skipped = [], undo } = result ?? {};
  return (
    <Modal
      title={title}
      description={`${skipped.length} ble ikke endret:`}
      open={result !== undefined}
      onClose={onClose}
    >
      <ul className={styles.skipped}>
        {skipped.map(({ invoice, left }) => (
          <li key={invoice.uuid}>
            <Link to={paths.invoice(invoice.invoiceNumber ?? invoice.uuid)}>
              {titleOf(invoice)}
            </Link>
            <span className={styles.reason}>
              {left.message.replace(/\.?$/, '. ')}
              {'mendedAt' in left ? <MendingLink draft={left} /> : null}
            </span>
          </li>
        ))}
      </ul>
      <ModalButtons>
        {undo ? (
          <Button
            onClick={() => {
              onClose();
              undo();
            }}
          >
            Angre
          </Button>
        ) : null}
        <Button variant="primary" onClick={onClose}>
          Lukk
        </Button>
      </ModalButtons>
    </Modal>
  );
}

/** For example 'Faktura 12, Nordnes Kaffebar'. */
function titleOf(invoice: Invoice): string {
  const name = nameOf(invoice);
  const start = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  return invoice.invoiceNumber === null ? start : `${start}, ${invoice.customerName}`;
}
