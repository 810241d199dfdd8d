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
        <Periods />
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

function Periods() {
  return (
    <>
      <h2>Hvor lenge</h2>
      <dl className="stack gap-1">
        <dt className="strong">Fakturaer, innbetalinger og historikk</dt>
        <dd>
          Dette er regnskapsmateriale, og oppbevares så lenge bokføringsloven krever: fem år etter
          regnskapsårets slutt.
        </dd>
        <dt className="strong">Resten av det du skriver inn</dt>
        <dd>
          Til du sletter det, eller til 30 dager etter at bedriften er avsluttet. Kunder som står på
          fakturaer, beholdes sammen med dem.
        </dd>
        <dt className="strong">Eksporter</dt>
        <dd>Filene kan hentes i 7 dager.</dd>
        <dt className="strong">Kontoen din</dt>
        <dd>
          Til den slettes. Adressen blir stående i historikken til bedriftene, så det går fram hvem
          som har gjort hva.
        </dd>
        <dt className="strong">Innlogginger</dt>
        <dd>
          En innlogging varer i 30 dager etter siste bruk. Hvilken nettleser det var, huskes i 90
          dager. Koder på e-post virker i 10 minutter.
        </dd>
        <dt className="strong">Adresser som avviser e-post</dt>
        <dd>Vi husker dem, så ingenting sendes dit, til du ber oss prøve igjen.</dd>
        <dt className="strong">Nyhetsbrevet</dt>
        <dd>Melder du deg av, sender vi deg ikke flere.</dd>
      </dl>
    </>
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
