import { paths } from '../lib/paths.ts';
import { ButtonLink } from './Button.tsx';
import { PageHeading } from './Page.tsx';

/** Shown for an unknown address, and for a record that does not exist or belongs to another account. */
export function NotFound() {
  return (
    <div className="stack gap-4 lost">
      <title>404 - Finner ikke siden – Faktur</title>
      <PageHeading>404 - Finner ikke siden</PageHeading>
      <p className="soft">Adressen kan være feil, eller det du leter etter, er slettet.</p>
      <ButtonLink to={paths.invoices} variant="primary">
        Tilbake
      </ButtonLink>
    </div>
  );
}
