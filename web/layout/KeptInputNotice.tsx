import { useContext, useState } from 'react';
import { Link, useLocation } from 'react-router';

import { Alert } from '../ui/Alert.tsx';
import { Button } from '../ui/Button.tsx';
import { forgetInput, InputOwner, keptPlaces } from '../ui/kept-input.ts';
import styles from './KeptInputNotice.module.css';

/** After an expired session: the link back to the form that was being filled in. */
export function KeptInputNotice() {
  const owner = useContext(InputOwner);
  const { pathname } = useLocation();
  const [, setForgotten] = useState(0);
  const places = keptPlaces().filter((place) => place.owner === owner);
  const [place] = places;
  if (!place || places.some((other) => other.pathname === pathname)) return null;
  const forget = () => {
    for (const each of places) forgetInput(each);
    setForgotten((times) => times + 1);
    // The button, which had the focus, disappears with the notice.
    document.getElementById('innhold')?.focus();
  };
  return (
    <div className={styles.notice}>
      <Alert
        title="Du ble logget ut mens du skrev."
        action={<Button onClick={forget}>Forkast</Button>}
      >
        <Link to={place.pathname}>Fortsett der du slapp</Link>
      </Alert>
    </div>
  );
}
