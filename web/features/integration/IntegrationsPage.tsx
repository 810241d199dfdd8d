import { Page } from '../../ui/Page.tsx';
import { useCan } from '../session/session.api.ts';
import { KeysCard } from './KeysCard.tsx';
import { WebhooksCard } from './WebhooksCard.tsx';

/** Lets other programs work with the company (INT-7, INT-25). */
export function IntegrationsPage() {
  return (
    <Page heading="Integrasjoner">
      <p className="soft lead">
        Her lar du andre programmer hente og registrere ting i Faktur for deg. Hvordan de gjør det,
        står i <a href="/api/docs/">beskrivelsen av API-et</a>.
      </p>
      <KeysCard />
      {useCan('profile') ? <WebhooksCard /> : null}
    </Page>
  );
}
