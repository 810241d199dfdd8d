import type { ReactNode } from 'react';

import styles from './Alert.module.css';
import { Button } from './Button.tsx';
import { classNames } from '../lib/class-names.ts';
import { CheckCircleIcon, InfoIcon, WarningIcon } from './icons.tsx';

interface AlertProps {
  readonly tone?: 'info' | 'warning' | 'error' | 'success';
  readonly title?: string;
  readonly children?: ReactNode;
  readonly action?: ReactNode;
  /** Whether screen readers announce the notice. For notices that follow from an action. */
  readonly live?: boolean;
  /** Uses less space on a phone. */
  readonly compact?: boolean;
}

/** A notice on the page, shown as long as its reason lasts. */
export function Alert(props: AlertProps) {
  const { tone = 'info', title, children, action, live = false, compact = false } = props;
  const Icon = tone === 'success' ? CheckCircleIcon : tone === 'info' ? InfoIcon : WarningIcon;
  return (
    <div
      className={classNames('box row', styles.alert, compact && styles.compact)}
      data-tone={tone}
      {...(live ? { role: 'status' } : {})}
    >
      <Icon />
      <div className="grow">
        {title ? <p className="title">{title}</p> : null}
        {children ? <div>{children}</div> : null}
      </div>
      {action}
    </div>
  );
}

/** Shown instead of content that could not be fetched. */
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
