import { type ReactNode, useEffect, useRef } from 'react';

import { copyText } from '../lib/copy-text.ts';
import { Button } from './Button.tsx';
import { TextField } from './Field.tsx';
import { Alert } from './Surface.tsx';

interface ShownOnceProps {
  /** Says that it is made. */
  readonly title: string;
  readonly text?: string;
  /** The name of the secret. */
  readonly label: string;
  readonly value: string;
  readonly copyLabel: string;
  readonly copied: string;
  /** Further buttons. */
  readonly children: ReactNode;
}

/** Shows a secret, such as a link or a key, the only time that it is known. Takes the focus. */
export function ShownOnce(props: ShownOnceProps) {
  const { title, text, label, value, copyLabel, copied, children } = props;
  const place = useRef<HTMLDivElement>(null);
  // The form with the pressed button is gone.
  useEffect(() => place.current?.focus(), []);
  return (
    <div ref={place} tabIndex={-1} className="stack">
      <Alert tone="success" title={title}>
        {text ?? 'Kopier den nå. Den vises bare denne ene gangen.'}
      </Alert>
      <TextField
        label={label}
        required
        readOnly
        value={value}
        onFocus={({ currentTarget }) => currentTarget.select()}
      />
      <div className="row gap-2">
        <Button variant="primary" onClick={() => void copyText(value, copied)}>
          {copyLabel}
        </Button>
        {children}
      </div>
    </div>
  );
}
