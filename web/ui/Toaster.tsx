import { useSyncExternalStore } from 'react';

import { CheckCircleIcon, CloseIcon, WarningIcon } from './icons.tsx';
import styles from './Toaster.module.css';
import { dismissToast, toastStore, type Toast } from './toasts.ts';

/**
 * Where toasts appear. It is always in the page, because a screen reader only announces what is
 * added to a live region that was there before.
 */
export function Toaster() {
  const toasts = useSyncExternalStore(toastStore.subscribe, toastStore.read, toastStore.read);
  return (
    <div className={styles.region} role="log" aria-live="polite" aria-label="Meldinger">
      {toasts.map((toast) => (
        <ToastCard key={toast.id} toast={toast} />
      ))}
    </div>
  );
}

function ToastCard({ toast }: { toast: Toast }) {
  const Icon = toast.tone === 'success' ? CheckCircleIcon : WarningIcon;
  return (
    <div className={styles.toast} data-tone={toast.tone}>
      <Icon />
      <div className={styles.text}>
        <p className={styles.title}>{toast.title}</p>
        {toast.description ? <p className={styles.description}>{toast.description}</p> : null}
      </div>
      <button
        type="button"
        className={styles.close}
        aria-label="Lukk meldingen"
        onClick={() => dismissToast(toast.id)}
      >
        <CloseIcon />
      </button>
    </div>
  );
}
