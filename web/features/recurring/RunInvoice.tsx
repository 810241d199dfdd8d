import { Link } from 'react-router';

import type { MadeInvoice } from '../../../domain/recurring/recurring.schema.ts';
import { StatusBadge } from '../invoice/StatusBadge.tsx';
import { paths } from '../../lib/paths.ts';
import { useFeature } from '../session/session.api.ts';
import { showKroner } from '../../lib/kroner.ts';
import styles from './RunHistory.module.css';

export function RunInvoice({ invoice }: { invoice: MadeInvoice }) {
  const hasPayments = useFeature('payments');
  const { uuid, invoiceNumber, customerName, grossAmount } = invoice;
  return (
    <li className={`row ${styles.item}`}>
      <Link to={paths.invoice(invoiceNumber ?? uuid)} className="grow">
        {invoiceNumber === null ? 'Utkast' : `Faktura ${invoiceNumber}`} til {customerName}
      </Link>
      <span className="numeric">{showKroner(grossAmount)}</span>
      <StatusBadge invoice={invoice} showsPayments={hasPayments} />
    </li>
  );
}
