import { Link } from 'react-router';

import { paths } from '../../lib/paths.ts';
import { WarningIcon } from '../../ui/icons.tsx';
import { countInvoices } from './invoice-labels.ts';

/** Says in a line that invoices did not arrive, and leads to them; nothing when all did (DEL-18). */
export function NotArrived({ count }: { readonly count: number | undefined }) {
  if (!count) return null;
  return (
    <p className="row gap-2 note toned" data-tone="red">
      <WarningIcon />
      <Link to={paths.invoicesWhere({ status: 'FAILED' })}>
        {`${countInvoices(count)} kom ikke fram`}
      </Link>
    </p>
  );
}
