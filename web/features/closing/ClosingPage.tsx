import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';

import type { Closing } from '../../../domain/closing/closing.schema.ts';
import { ARCHIVE_DAYS } from '../../../domain/closing/closing.schema.ts';
import { formatDate, formatInstant } from '../../../domain/date.ts';
import { hasFile } from '../../../domain/export/export-file.ts';
import { paths } from '../../lib/paths.ts';
import { Button } from '../../ui/Button.tsx';
import { DownloadIcon } from '../../ui/icons.tsx';
import { Page } from '../../ui/Page.tsx';
import { Alert, Card, Fetched, Skeleton } from '../../ui/Surface.tsx';
import { download, exportsQuery, isUnderWay, useExportToDisk } from '../export/export.api.ts';
import { ExportCourse, Refused } from '../export/ExportCourse.tsx';
import { profileQuery } from '../profile/profile.api.ts';
import { useFeature } from '../session/session.api.ts';
import { lastDayOf } from './ClosedNotice.tsx';
import { closingQuery } from './closing.api.ts';
import { ClosingForm } from './ClosingForm.tsx';

/** Closes the company in three steps, and says what becomes of a closed one (CLO-12). */
export function ClosingPage() {
  const closing = useQuery(closingQuery);
  const profile = useQuery(profileQuery);
  return (
    <Page heading="Avslutt bedriften" width="form">
      <Fetched query={closing} pending={<Skeleton height="480px" />}>
        {(found) => (
          <Fetched query={profile} pending={<Skeleton height="480px" />}>
            {({ companyName, orgNumber }) =>
              found.state === 'CLOSED' ? (
                <Closed closing={found} />
              ) : orgNumber === null ? (
                <NothingToKeep />
              ) : (
                <>
                  <p className="soft lead">
                    En avsluttet bedrift kan bare leses. Bøkene skal oppbevares i fem år etter
                    regnskapsåret, og resten slettes. Du kan angre i 30 dager.
                  </p>
                  <ArchiveStep closing={found} />
                  <ClosingForm closing={found} company={companyName ?? 'bedriften'} />
                </>
              )
            }
          </Fetched>
        )}
      </Fetched>
    </Page>
  );
}

/** A company that never had a number has no books, and no number to type. */
function NothingToKeep() {
  return (
    <Card>
      <p className="lead">
        Bedriften har ikke noe organisasjonsnummer, så det er ingenting å ta vare på. Den slettes
        sammen med kontoen din. Det gjør du nederst på <Link to={paths.profile}>profilen</Link>.
      </p>
    </Card>
  );
}

function Closed({ closing }: { closing: Closing }) {
  const { deletesOn, keptUntil, closedAt } = closing;
  if (deletesOn === null || closedAt === null) return null;
  const lastDay = lastDayOf(closing, deletesOn);
  return (
    <Card heading="Dette skjer">
      <ul className="stack gap-2 lead">
        <li>Bedriften ble avsluttet {formatInstant(closedAt)}, og kan bare leses.</li>
        {keptUntil === null ? (
          <li>{formatDate(deletesOn)} slettes alt.</li>
        ) : (
          <>
            <li>
              {formatDate(deletesOn)} slettes utkast, maler, faste oppdrag, produkter, tilbud som
              ikke ble godtatt, og kunder uten fakturaer.
            </li>
            <li>
              Fakturaer, innbetalinger og historikk kan leses og eksporteres til{' '}
              {formatDate(lastDay)}. Så slettes de også.
            </li>
          </>
        )}
      </ul>
    </Card>
  );
}

function ArchiveStep({ closing }: { closing: Closing }) {
  const hasExport = useFeature('export');
  return (
    <div id="archive">
      <Card heading="1. Last ned arkivet">
        {hasExport ? (
          <Archive closing={closing} />
        ) : (
          <p className="note lead">
            Her kan det ikke lages noe arkiv, så bøkene kan bare bli stående. Gå videre.
          </p>
        )}
      </Card>
    </div>
  );
}

/** The newest archive, and the button that makes one and saves it. */
function Archive({ closing: { archive, obstacles } }: { closing: Closing }) {
  const exports = useQuery(exportsQuery);
  const made = exports.data ?? [];
  const { make, error, isPending } = useExportToDisk(made);
  const isMissing = obstacles.some(({ code }) => code === 'ARCHIVE_MISSING');
  const isBusy = made.some(isUnderWay);
  const waiting =
    archive?.fetchedAt === null
      ? made.find((one) => one.uuid === archive.uuid && hasFile(one))
      : undefined;
  return (
    <div className="stack">
      <p className="note lead">
        Arkivet har alt bedriften har i Faktur: hver faktura som PDF, kunder, innbetalinger og
        historikk. Legg det et trygt sted.
      </p>
      {archive ? <ArchiveState archive={archive} isMissing={isMissing} /> : null}
      <div className="row gap-2">
        {waiting ? (
          <Button
            variant="primary"
            wide
            icon={<DownloadIcon />}
            onClick={() => download(waiting.uuid)}
          >
            Last ned
          </Button>
        ) : null}
        <Button
          variant={isMissing && !waiting ? 'primary' : 'secondary'}
          wide
          icon={waiting ? null : <DownloadIcon />}
          disabled={isBusy}
          pending={isPending}
          onClick={() => make({ kind: 'ARCHIVE' })}
        >
          {archive ? 'Lag et nytt arkiv' : 'Lag arkivet og last det ned'}
        </Button>
      </div>
      <Refused error={error} />
      <ExportCourse exports={made} />
    </div>
  );
}

interface ArchiveStateProps {
  readonly archive: NonNullable<Closing['archive']>;
  readonly isMissing: boolean;
}

function ArchiveState({ archive: { fetchedAt, madeAt }, isMissing }: ArchiveStateProps) {
  const text = `Laget ${formatInstant(madeAt)}.`;
  if (!isMissing) {
    return (
      <Alert tone="success" live>
        {fetchedAt === null
          ? 'Du har lastet ned et arkiv med alt.'
          : `${text} Lastet ned ${formatInstant(fetchedAt)}.`}
      </Alert>
    );
  }
  if (fetchedAt === null) return <Alert live>{text} Ikke lastet ned ennå.</Alert>;
  return (
    <Alert tone="warning" live>
      {text} Det holder ikke lenger: Arkivet må ha siste faktura og betaling, og være lastet ned de
      siste {ARCHIVE_DAYS} dagene.
    </Alert>
  );
}
