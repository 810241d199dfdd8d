import { Page } from '../../ui/Page.tsx';
import { KeysCard } from './KeysCard.tsx';

/** Lets other programs work with the company (INT-7). */
export function IntegrationsPage() {
  return (
    <Page heading="Integrasjoner">
      <p className="soft lead">
        Her lar du andre programmer hente og registrere ting i Faktur for deg. Hvordan de gjør det,
        står i <a href="/api/docs/">beskrivelsen av API-et</a>.
      </p>
      <KeysCard />
    </Page>
  );
}
