import { useEffect, useRef } from 'react';

import { showSuccess } from '../../lib/toasts.ts';
import { Alert } from '../../ui/Alert.tsx';
import { Button } from '../../ui/Button.tsx';
import { TextField } from '../../ui/Field.tsx';

interface NewLinkProps {
  readonly url: string;
  readonly onAnother: () => void;
}

/** Shows the address of a new link, the only time that it is known. */
export function NewLink({ url, onAnother }: NewLinkProps) {
  const place = useRef<HTMLDivElement>(null);
  // The form with the pressed button is gone.
  useEffect(() => place.current?.focus(), []);
  const copy = async () => {
    await navigator.clipboard.writeText(url);
    showSuccess('Lenken er kopiert!');
  };
  return (
    <div ref={place} tabIndex={-1} className="stack">
      <Alert tone="success" title="Lenken er klar">
        Kopier den nå. Den vises bare denne ene gangen.
      </Alert>
      <TextField
        label="Lenke"
        required
        readOnly
        value={url}
        onFocus={({ currentTarget }) => currentTarget.select()}
      />
      <div className="row gap-2">
        <Button variant="primary" onClick={() => void copy()}>
          Kopier lenken
        </Button>
        <Button onClick={onAnother}>Lag en til</Button>
      </div>
    </div>
  );
}
