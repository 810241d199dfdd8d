import { Button } from '../../ui/Button.tsx';
import { ShownOnce } from '../../ui/ShownOnce.tsx';

/** Shows the secret of a webhook, the only time that it is known. */
export function Secret({ secret, onDone }: { secret: string; onDone: () => void }) {
  return (
    <ShownOnce
      title="Hemmeligheten er klar"
      text="Kopier den nå. Den vises bare denne ene gangen. Mottakeren kjenner igjen meldinger fra Faktur med den."
      label="Hemmelighet"
      value={secret}
      copyLabel="Kopier"
      copied="Hemmeligheten er kopiert!"
    >
      <Button onClick={onDone}>Ferdig</Button>
    </ShownOnce>
  );
}
