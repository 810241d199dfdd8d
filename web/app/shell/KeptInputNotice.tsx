import { useContext } from 'react';
import { Link, useLocation } from 'react-router';

import { Alert } from '../../ui/Alert.tsx';
import { Button } from '../../ui/Button.tsx';
import { forgetInput, InputOwner, useKeptPlaces } from '../../lib/leaving.ts';
import styles from './KeptInputNotice.module.css';

/** Links back to a form with kept input: the session expired, or a save failed after the user left the screen. */
export function KeptInputNotice() {
  const owner = useContext(InputOwner);
  const { pathname } = useLocation();
  const places = useKeptPlaces().filter((place) => place.owner === owner);
  const [place] = places;
  if (!place || places.some((other) => other.pathname === pathname)) return null;
  const forget = () => {
    for (const each of places) forgetInput(each);
    // The focused button disappears with the notice.
    document.getElementById('innhold')?.focus();
  };
  return (
    <div className={styles.notice}>
      <Alert
        title="Noe du skrev, er ikke lagret."
        action={<Button onClick={forget}>Forkast</Button>}
      >
        <Link to={place.pathname}>Fortsett der du slapp</Link>
      </Alert>
    </div>
  );
}
