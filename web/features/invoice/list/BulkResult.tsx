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

/** What the server says of what it left alone. */
export type Skipped =
  | ResponseOf<typeof updateInvoices>['skipped'][number]
  | QueueResult['skipped'][number];

/** What was done with several invoices, and what was not. */
export interface Told {
  /** What was done. */
  readonly title: string;
  readonly skipped: readonly { readonly invoice: Invoice; readonly left: Skipped }[];
  /** Takes it back, where that can be. */
  readonly undo?: (() => void) | undefined;
}

/** Says of each invoice that was left alone why it was, and leads to it. */
export function BulkResult({ told, onClose }: { told: Told | undefined; onClose: () => void }) {
  const { title = '', skipped = [], undo } = told ?? {};
  return (
    <Modal
      title={title}
      description={`${skipped.length} ble ikke endret:`}
      open={told !== undefined}
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

/** 'Faktura 12, Nordnes Kaffebar' */
function titleOf(invoice: Invoice): string {
  const name = nameOf(invoice);
  const start = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  return invoice.invoiceNumber === null ? start : `${start}, ${invoice.customerName}`;
}
