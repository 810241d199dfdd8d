import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';

import { StatusBadge } from '../../invoice/components/StatusBadge.tsx';
import { invoiceQuery } from '../../invoice/invoice.queries.ts';
import { paths } from '../../paths.ts';
import { useFeature } from '../../session/session.queries.ts';
import { showKroner } from '../../ui/kroner.ts';
import { Skeleton } from '../../ui/Surface.tsx';
import styles from './RunInvoice.module.css';

/** An invoice that a run made, as it is now. */
export function RunInvoice({ uuid }: { uuid: string }) {
  const hasPayments = useFeature('payments');
  const { data: invoice, isError } = useQuery(invoiceQuery(uuid));
  if (isError) return null;
  if (!invoice) {
    return (
      <li className={styles.item}>
        <Skeleton width="60%" />
      </li>
    );
  }
  const { invoiceNumber, customerName, grossAmount } = invoice;
  return (
    <li className={styles.item}>
      <Link to={paths.invoice(invoiceNumber ?? uuid)} className={styles.link}>
        {invoiceNumber === null ? 'Utkast' : `Faktura ${invoiceNumber}`} til {customerName}
      </Link>
      <span className={styles.amount}>{showKroner(grossAmount)}</span>
      <StatusBadge invoice={invoice} showsPayments={hasPayments} />
    </li>
  );
}
