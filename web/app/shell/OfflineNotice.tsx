import { onlineManager } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';

import styles from './OfflineNotice.module.css';

/** A notice above the content while the browser is offline. */
export function OfflineNotice() {
  const online = useSyncExternalStore(
    (listener) => onlineManager.subscribe(listener),
    () => onlineManager.isOnline(),
    () => true,
  );
  return (
    <div aria-live="polite" className={styles.notice}>
      {online ? null : <p>Du er uten nett. Det du skriver, blir stående til nettet er tilbake.</p>}
    </div>
  );
}
