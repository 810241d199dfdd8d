import { useQuery } from '@tanstack/react-query';

import { settingsQuery } from '../session/session.api.ts';
import { Page } from '../../ui/Page.tsx';
import { Card } from '../../ui/Surface.tsx';

export function PrivacyPage() {
  const settings = useQuery(settingsQuery);
  const email = settings.data?.supportEmail;
  return (
    <Page heading="Personvern" title="Personvernerklæring" width="reading">
      <Card className="soft">
        <p>
          Faktur lagrer det du selv skriver inn – opplysninger om bedriften, kundene og fakturaene –
          og e-postadressen du logger inn med. Opplysningene brukes til å lage, sende og følge opp
          fakturaer, og til ingenting annet.
        </p>
        <h2>Hvor lenge</h2>
        <p>
          Fakturaer er regnskapsmateriale og oppbevares så lenge bokføringsloven krever: fem år
          etter regnskapsårets slutt. En innlogging varer i 30 dager. Melder du deg av nyhetsbrevet,
          sender vi deg ikke flere.
        </p>
        <h2>Informasjonskapsler</h2>
        <p>
          Vi bruker én informasjonskapsel, og bare for å holde deg innlogget. Ingen sporer deg for
          reklame. Nettleseren husker selv om du skriver priser med mva., hvilke funksjoner som er
          slått på, og hva du har skrevet i et skjema til fanen lukkes; det blir hos deg.
        </p>
        <ThirdParties />
        <h2>Dine rettigheter</h2>
        <p>
          Du kan be om innsyn, retting og sletting
          {email ? (
            <>
              {' '}
              ved å skrive til <a href={`mailto:${email}`}>{email}</a>
            </>
          ) : null}
          . Du kan også klage til Datatilsynet.
        </p>
      </Card>
    </Page>
  );
}

function ThirdParties() {
  return (
    <>
      <h2>Tredjeparter</h2>
      <p>Disse tjenestene behandler opplysninger for oss:</p>
      <dl className="stack gap-1">
        <dt className="strong">Feilsøking</dt>
        <dd>Sentry mottar tekniske feilmeldinger når noe går galt, dersom det er slått på.</dd>
        <dt className="strong">Utsending av e-post</dt>
        <dd>
          E-postleverandøren formidler innloggingskoder, fakturaer og nyhetsbrev, og melder tilbake
          når en adresse ikke kan nås.
        </dd>
        <dt className="strong">Drift av server</dt>
        <dd>Driftsleverandøren har maskinen og databasen der opplysningene ligger.</dd>
      </dl>
      <p>
        Skriver du inn et organisasjonsnummer på en kunde, spør nettleseren din
        Brønnøysundregistrene om navn og adresse. De får da nummeret og IP-adressen din.
      </p>
    </>
  );
}
