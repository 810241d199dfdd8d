import { Link } from 'react-router';

import type { QueueResult } from '../../../domain/invoice/invoice.schema.ts';
import { paths } from '../../paths.ts';

/** Leads to where the reason is mended for which a draft was left alone. */
export function MendingLink({ draft }: { draft: QueueResult['skipped'][number] }) {
  const { uuid, customerName, customerNumber, mendedAt } = draft;
  if (mendedAt === null) return null;
  if (mendedAt === 'PROFILE') return <Link to={paths.profile}>Rett det i profilen</Link>;
  if (mendedAt === 'CUSTOMER' && customerNumber !== null) {
    return <Link to={paths.customerEdit(customerNumber)}>Rett det hos {customerName}</Link>;
  }
  return <Link to={paths.invoice(uuid)}>Åpne utkastet</Link>;
}
