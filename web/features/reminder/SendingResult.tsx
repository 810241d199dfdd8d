import { Link } from 'react-router';

import type { ResponseOf } from '../../../domain/api/endpoint.ts';
import type { sendReminders } from '../../../domain/reminder/reminder.endpoints.ts';
import type { Proposal } from '../../../domain/reminder/reminder.schema.ts';
import { paths } from '../../lib/paths.ts';
import { Alert } from '../../ui/Alert.tsx';
import { countReminders } from './reminder-labels.ts';

export interface Sending {
  readonly result: ResponseOf<typeof sendReminders>;
  /** As they were when selected. */
  readonly proposals: readonly Proposal[];
}

export function SendingResult({ sending: { result, proposals } }: { sending: Sending }) {
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
