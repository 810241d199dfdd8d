import { paths } from '../lib/paths.ts';
import { ButtonLink } from './Button.tsx';
import { PageHeading } from './Page.tsx';
import styles from './NotFound.module.css';

/** For an unknown address, and for a thing that is not there or is somebody else's. */
export function NotFound() {
  return (
    <div className={styles.view}>
      <title>404 - Finner ikke siden – Faktur</title>
      <PageHeading>404 - Finner ikke siden</PageHeading>
      <p>Adressen kan være feil, eller det du leter etter, er slettet.</p>
      <ButtonLink to={paths.invoices} variant="primary">
        Tilbake
      </ButtonLink>
    </div>
  );
}
