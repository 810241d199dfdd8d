import type { ReactNode } from 'react';

import styles from './Alert.module.css';
import { Button } from './Button.tsx';
import { CheckCircleIcon, InfoIcon, WarningIcon } from './icons.tsx';

interface AlertProps {
  readonly tone?: 'info' | 'warning' | 'error' | 'success';
  readonly title?: string;
  readonly children?: ReactNode;
  /** A way on, at the end. */
  readonly action?: ReactNode;
  /** Read out when it appears. For what follows from an action, not for what was there all along. */
  readonly live?: boolean;
}

/** A remark in the page itself, where it stays until its reason is gone. */
export function Alert({ tone = 'info', title, children, action, live = false }: AlertProps) {
  const Icon = tone === 'success' ? CheckCircleIcon : tone === 'info' ? InfoIcon : WarningIcon;
  return (
    <div className={styles.alert} data-tone={tone} {...(live ? { role: 'status' } : {})}>
      <Icon />
      <div className={styles.body}>
        {title ? <p className={styles.title}>{title}</p> : null}
        {children ? <div>{children}</div> : null}
      </div>
      {action}
    </div>
  );
}

/** In place of what could not be fetched. */
export function LoadFailure({ onRetry }: { onRetry: () => void }) {
  return (
    <Alert
      tone="error"
      live
      title="Innholdet kunne ikke hentes."
      action={<Button onClick={onRetry}>Prøv igjen</Button>}
    >
      Sjekk nettforbindelsen og prøv på nytt.
    </Alert>
  );
}
