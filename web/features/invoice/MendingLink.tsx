import { Link } from 'react-router';

import type { QueueResult } from '../../../domain/invoice/invoice-bulk.schema.ts';
import { paths } from '../../lib/paths.ts';
import { useCan } from '../session/session.api.ts';

interface MendingLinkProps {
  readonly draft: Omit<QueueResult['skipped'][number], 'message'>;
  readonly isShown?: boolean;
}

/** Links to the screen where the obstacle to registering a draft can be fixed, by those who may. */
export function MendingLink({ draft, isShown = false }: MendingLinkProps) {
  const { uuid, customerName, customerNumber, mendedAt } = draft;
  const canEdit = useCan('edit');
  const canComplete = useCan('profile');
  const isFixable = mendedAt === 'PROFILE' ? canComplete : canEdit;
  if (mendedAt === null || !isFixable) return null;
  if (mendedAt === 'PROFILE') return <Link to={paths.profile}>Rett det i profilen</Link>;
  if (mendedAt === 'CUSTOMER' && customerNumber !== null) {
    return <Link to={paths.customerEdit(customerNumber)}>Rett det hos {customerName}</Link>;
  }
  if (isShown) return <Link to={paths.invoiceEdit(uuid)}>Endre utkastet</Link>;
  return <Link to={paths.invoice(uuid)}>Åpne utkastet</Link>;
}
