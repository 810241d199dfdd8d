import { useQuery } from '@tanstack/react-query';
import { type ComponentProps, useState } from 'react';

import type {
  CompanyExport,
  ExportFilter,
  ExportKind,
  ExportTrial,
} from '../../../domain/export/export.schema.ts';
import { DialogButton } from '../../forms/DialogForm.tsx';
import { paths } from '../../lib/paths.ts';
import type { Dates } from '../../lib/period.ts';
import { showSuccess } from '../../lib/toasts.ts';
import { Button, ButtonLink } from '../../ui/Button.tsx';
import { Card, EmptyState, Fetched, Skeleton } from '../../ui/Surface.tsx';
import { DownloadIcon, SendIcon } from '../../ui/icons.tsx';
import { Page } from '../../ui/Page.tsx';
import { usePreview } from '../../ui/usePreview.ts';
import {
  exportSettingsQuery,
  exportsQuery,
  exportTrialQuery,
  type ExportWish,
  isUnderWay,
  useCreateExport,
  useExportToDisk,
} from './export.api.ts';
import { ExportContents } from './ExportContents.tsx';
import { ExportCourse, Refused } from './ExportCourse.tsx';
import { ExportTable } from './ExportTable.tsx';
import {
  ExportPeriod,
  FilterField,
  KindFields,
  useExportChoice,
  useExportPeriod,
  useListFilter,
} from './ExportFields.tsx';
import { AddressForm } from '../invoice/AddressForm.tsx';

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

/** The choice of an export, what will be in it, and the buttons that make it. */
function ExportCard({ exports }: { exports: readonly CompanyExport[] }) {
  const period = useExportPeriod();
  const { kind, program, choose } = useExportChoice();
  const list = useListFilter();
  const [isOfList, setOfList] = useState(list.filter !== undefined);
  const isArchive = kind === 'ARCHIVE';
  const filter = isOfList && !isArchive ? list.filter : undefined;
  const wish = wishOf(kind, period.chosen, filter);
  const preview = usePreview(
    wish,
    { kind: 'XLSX' },
    exportTrialQuery,
    (answer): answer is ExportTrial => 'draftsLeftOut' in answer,
  );
  const { make, error, isPending } = useExportToDisk(exports);
  const isBusy = exports.some(isUnderWay);
  return (
    <Card>
      <div className="stack">
        <ExportPeriod period={period} isIgnored={isArchive} />
        <KindFields kind={kind} program={program} onChoose={choose} />
        {list.filter && !isArchive ? (
          <FilterField list={list} isChosen={isOfList} onChoose={setOfList} />
        ) : null}
        <ExportContents
          kind={kind}
          preview={preview}
          isChosen={wish !== undefined}
          listed={filter ? list.count : undefined}
        />
        <div className="row gap-2">
          <Button
            variant="primary"
            wide
            icon={<DownloadIcon />}
            disabled={!wish || isBusy}
            pending={isPending}
            onClick={() => (wish ? make(wish) : undefined)}
          >
            Eksporter
          </Button>
          {isArchive ? null : (
            <SendToAccountant {...(wish && { wish })} disabled={!wish || isBusy} />
          )}
        </div>
        <Refused error={error} />
        <ExportCourse exports={exports} />
      </div>
    </Card>
  );
}

/** A body for what is chosen; undefined while its dates are not whole. The archive has everything, whatever is chosen. */
function wishOf(
  kind: ExportKind,
  period: Dates | 'SINCE_LAST' | undefined,
  filter: ExportFilter | undefined,
): ExportWish | undefined {
  if (kind === 'ARCHIVE') return { kind };
  if (period === undefined) return undefined;
  const dates = period === 'SINCE_LAST' ? { sinceLast: true as const } : period;
  return { kind, ...dates, ...(filter ? { filter } : {}) };
}

/** Asks for the accountant's address, and mails a link to what is chosen. */
function SendToAccountant({ wish, disabled }: { wish?: ExportWish; disabled: boolean }) {
  const create = useCreateExport();
  const send = async (sendTo: string) => {
    if (!wish) return;
    const { state } = await create.mutateAsync({ ...wish, sendTo });
    showSuccess(
      state === 'DONE'
        ? `Lenken sendes til ${sendTo}.`
        : `Lenken sendes til ${sendTo} når filen er klar.`,
    );
  };
  return (
    <DialogButton
      wide
      icon={<SendIcon />}
      disabled={disabled}
      label="Send til regnskapsfører"
      title="Send til regnskapsfører"
      description="Regnskapsføreren får en e-post som sier hva som er med, og har en lenke til filen. Lenken virker i 7 dager, uten innlogging."
      pending={create.isPending}
    >
      {(close) => <AccountantAddress pending={create.isPending} onClose={close} onAddress={send} />}
    </DialogButton>
  );
}

type AccountantAddressProps = Pick<
  ComponentProps<typeof AddressForm>,
  'pending' | 'onClose' | 'onAddress'
>;

function AccountantAddress(props: AccountantAddressProps) {
  return (
    <Fetched query={useQuery(exportSettingsQuery)}>
      {({ accountantEmail }) => (
        <AddressForm
          label="Regnskapsførers e-post"
          email={accountantEmail ?? ''}
          submitLabel="Send"
          {...props}
        />
      )}
    </Fetched>
  );
}
