import { useQuery } from '@tanstack/react-query';

import { paths } from '../../lib/paths.ts';
import { ButtonLink } from '../../ui/Button.tsx';
import { Fetched } from '../../ui/Fetched.tsx';
import { DownloadIcon } from '../../ui/icons.tsx';
import { Page } from '../../ui/Page.tsx';
import { Card, EmptyState, Skeleton } from '../../ui/Surface.tsx';
import { exportsQuery } from './export.api.ts';
import { ExportCard } from './ExportCard.tsx';
import { ExportTable } from './ExportTable.tsx';

/** Exports a period for the accountant, and shows what was exported before (EXP-80). */
export function ExportPage() {
  const exports = useQuery(exportsQuery);
  return (
    <Page
      heading="Eksporter"
      actions={<ButtonLink to={paths.exportSettings}>Kontoer og regnskapsfører</ButtonLink>}
    >
      <ExportCard exports={exports.data ?? []} />
      <Fetched query={exports} pending={<Skeleton height="240px" />}>
        {(made) =>
          made.length === 0 ? (
            <Card heading="Tidligere eksporter">
              <EmptyState icon={<DownloadIcon />} title="Ingen eksporter ennå">
                Her ser du siden hva som er eksportert, av hvem og når.
              </EmptyState>
            </Card>
          ) : (
            <Card flush heading="Tidligere eksporter">
              <ExportTable exports={made} />
            </Card>
          )
        }
      </Fetched>
    </Page>
  );
}
