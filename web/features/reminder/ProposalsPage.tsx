import { useQuery } from '@tanstack/react-query';
import { Fragment, useState } from 'react';
import { Link } from 'react-router';

import { REMINDER_NAMES } from '../../../domain/document/reminder-document.ts';
import { PROPOSALS_MAX, type Proposal } from '../../../domain/reminder/reminder.schema.ts';
import { deliveryInterval } from '../../lib/delivery-interval.ts';
import { paths } from '../../lib/paths.ts';
import { Alert, Card, EmptyState, Fetched, Skeleton } from '../../ui/Surface.tsx';
import { ButtonLink } from '../../ui/Button.tsx';
import { CheckCircleIcon } from '../../ui/icons.tsx';
import { ListTable, type ListColumn } from '../../ui/ListTable.tsx';
import { Page } from '../../ui/Page.tsx';
import { Pager, Pages } from '../../ui/Pager.tsx';
import { countReminders, DUE, INVOICE, LEFT, ReadyCard, type Sending } from './ReadyCard.tsx';
import { proposalsQuery } from './reminder.api.ts';

export function ProposalsPage() {
  const [page, setPage] = useState(1);
  const [sending, setSending] = useState<Sending>();
  const query = useQuery({
    ...proposalsQuery(page),
    // A large batch is sent by jobs, and its proposals disappear one by one.
    refetchInterval: ({ state: { data } }) =>
      data?.some(({ invoiceUuid }) => sending?.result.waiting?.includes(invoiceUuid)) &&
      deliveryInterval(data),
  });
  return (
    <Page heading="Forslag til purringer">
      {sending ? <SendingResult sending={sending} /> : null}
      <Fetched query={query} pending={<Skeleton height="320px" />}>
        {(proposals) =>
          proposals.length === 0 && page === 1 ? (
            <NoProposals />
          ) : (
            <>
              <Fragment key={page}>
                <ReadyCard
                  proposals={proposals.filter(({ waits }) => waits === null)}
                  onSent={setSending}
                />
                <WaitingCard proposals={proposals.filter(({ waits }) => waits !== null)} />
              </Fragment>
              <Pager
                page={page}
                // A full page may be followed by another.
                pages={proposals.length === PROPOSALS_MAX ? page + 1 : page}
                onPage={setPage}
              />
            </>
          )
        }
      </Fetched>
    </Page>
  );
}

function NoProposals() {
  return (
    <Card>
      <EmptyState
        icon={<CheckCircleIcon />}
        title="Ingen å purre på nå"
        action={<ButtonLink to={paths.invoices}>Til fakturaene</ButtonLink>}
      >
        Fakturaer som er forfalt så lenge som du har bestemt i{' '}
        <Link to={paths.reminderSettings}>oppsettet for purringer</Link>, kommer hit av seg selv.
      </EmptyState>
    </Card>
  );
}

const WAITING_COLUMNS: readonly ListColumn<Proposal>[] = [
  { heading: 'Kunde', kind: 'main', cell: ({ customerName }) => customerName },
  INVOICE,
  DUE,
  { heading: 'Neste', width: '190px', cell: ({ kind }) => REMINDER_NAMES[kind] },
  LEFT,
  {
    heading: 'Hvorfor den venter',
    label: 'Hvorfor',
    width: 'clamp(220px, 24vw, 340px)',
    cell: ({ waits }) => waits,
  },
];

function WaitingCard({ proposals }: { proposals: readonly Proposal[] }) {
  if (proposals.length === 0) return null;
  return (
    <Card flush heading="Venter">
      <Pages items={proposals}>
        {(items) => (
          <ListTable
            label="Venter"
            columns={WAITING_COLUMNS}
            keyOf={({ invoiceUuid }) => invoiceUuid}
            items={items}
          />
        )}
      </Pages>
    </Card>
  );
}

function SendingResult({ sending: { result, proposals } }: { sending: Sending }) {
  const { sent, skipped, waiting = [] } = result;
  const proposalOf = (uuid: string) => proposals.find((one) => one.invoiceUuid === uuid);
  const printed = sent.filter(({ invoiceUuid }) => proposalOf(invoiceUuid)?.recipient === null);
  const mailed = sent.length - printed.length;
  return (
    <div className="stack gap-2">
      {mailed > 0 ? (
        <Alert tone="success" live title={`${countReminders(mailed)} er lagt til utsending`} />
      ) : null}
      {waiting.length > 0 ? (
        <Alert live title={`${countReminders(waiting.length)} sendes nå`}>
          De forsvinner fra listen etter hvert. Det som ikke kan sendes, blir stående.
        </Alert>
      ) : null}
      {printed.length > 0 ? (
        <Alert tone="success" live title={`${countReminders(printed.length)} til utskrift`}>
          <ul className="stack gap-1">
            {printed.map(({ invoiceUuid, reminderUuid }) => (
              <li key={reminderUuid}>
                <ProposalName proposal={proposalOf(invoiceUuid)} />
                <a
                  href={paths.reminderPdf(invoiceUuid, reminderUuid)}
                  target="_blank"
                  rel="noreferrer"
                >
                  Vis PDF
                </a>
              </li>
            ))}
          </ul>
        </Alert>
      ) : null}
      {skipped.length > 0 ? (
        <Alert tone="warning" live title={`${countReminders(skipped.length)} ble ikke sendt`}>
          <ul className="stack gap-1">
            {skipped.map(({ uuid, message }) => (
              <li key={uuid}>
                <ProposalName proposal={proposalOf(uuid)} />
                {message}
              </li>
            ))}
          </ul>
        </Alert>
      ) : null}
    </div>
  );
}

function ProposalName({ proposal }: { proposal: Proposal | undefined }) {
  if (!proposal) return null;
  const { customerName, invoiceNumber } = proposal;
  return (
    <>
      {customerName}, <Link to={paths.invoice(invoiceNumber)}>faktura {invoiceNumber}</Link>:{' '}
    </>
  );
}
