import { Link } from 'react-router';
import { useQuery } from '@tanstack/react-query';
import type { z } from 'zod/mini';

import type { Invoice } from '../../../domain/invoice/invoice.schema.ts';
import { formatKroner } from '../../../domain/money.ts';
import {
  LEAST_REMINDER,
  type MadeReminder,
  type ReminderBody,
  reminderBody,
} from '../../../domain/reminder/reminder.schema.ts';
import { paths } from '../../lib/paths.ts';
import { Alert, LoadFailure, Skeleton } from '../../ui/Surface.tsx';
import { ButtonAnchor } from '../../ui/Button.tsx';
import { FileIcon } from '../../ui/icons.tsx';
import { SumList } from '../../ui/SumList.tsx';
import styles from './ReminderPlan.module.css';
import { reasonsOf } from '../../lib/api-error.ts';
import { useDebounced } from '../../ui/SearchField.tsx';
import { planQuery } from './reminder.api.ts';

interface ReminderPlanProps {
  readonly invoice: Pick<Invoice, 'uuid' | 'customerName' | 'currentCustomerNumber'>;
  readonly plan: ReturnType<typeof usePlan>;
}

export function ReminderPlan({ invoice, plan }: ReminderPlanProps) {
  const { made, settled, refusal, retry, wish } = plan;
  return (
    <div
      className={`box stack gap-4 ${styles.plan}`}
      aria-live="polite"
      aria-busy={!settled && !refusal && !retry}
    >
      {refusal === undefined ? null : (
        <Alert tone="warning" title="Purringen kan ikke sendes slik">
          {refusal}
        </Alert>
      )}
      {retry ? <LoadFailure onRetry={retry} /> : null}
      {made ? (
        <>
          <Sums made={made} isOld={!settled} />
          {made.recipient === null ? <ToPrint invoice={invoice} /> : <Mail made={made} />}
          {wish ? (
            <ButtonAnchor href={addressOf(invoice.uuid, wish)} icon={<FileIcon />}>
              Forhåndsvis PDF
            </ButtonAnchor>
          ) : null}
        </>
      ) : refusal === undefined && !retry ? (
        <Skeleton height="280px" />
      ) : null}
    </div>
  );
}

function Sums({ made, isOld }: { made: MadeReminder; isOld: boolean }) {
  const { principal, fee, interest, compensation, earlier, amount } = made;
  const extras = {
    Purregebyr: fee,
    Standardkompensasjon: compensation,
    'Forsinkelsesrente til i dag': interest,
    'Tidligere gebyr': earlier,
  };
  return (
    <div className="preview" data-old={isOld || undefined}>
      <SumList
        sums={[
          { label: 'Gjenstår av fakturaen', amount: formatKroner(principal) },
          ...Object.entries(extras)
            .filter(([, kroner]) => kroner > 0)
            .map(([label, kroner]) => ({ label, amount: formatKroner(kroner) })),
          { label: 'Å betale', amount: `${formatKroner(amount)} kr`, isTotal: true },
        ]}
      />
    </div>
  );
}

function ToPrint({
  invoice: { customerName, currentCustomerNumber: customerNumber },
}: Pick<ReminderPlanProps, 'invoice'>) {
  return (
    <Alert title="Lages som PDF til utskrift">
      {customerName} har ingen e-postadresse. Skriv purringen ut og send den i posten
      {customerNumber === null ? null : (
        <>
          , eller <Link to={paths.customerEdit(customerNumber)}>legg inn en adresse</Link> først
        </>
      )}
      .
    </Alert>
  );
}

function Mail({ made: { recipient, mail } }: { made: MadeReminder }) {
  if (!mail) return null;
  return (
    <section className={`frame stack gap-2 ${styles.mail}`} aria-label="E-posten">
      <p className="aside">Til {recipient}</p>
      <p className="strong">{mail.subject}</p>
      {/* A textarea, since it can be scrolled with the keyboard. */}
      <textarea
        readOnly
        rows={12}
        className={styles.text}
        aria-label="Teksten i e-posten"
        value={mail.text}
      />
    </section>
  );
}

/** The URL of a reminder's draft PDF, with the choices as query parameters in the API's names. */
function addressOf(invoiceUuid: string, wish: ReminderBody): string {
  const { kind, dueDate, fee, interest, compensation } = wish;
  return paths.reminderPreview(
    invoiceUuid,
    new URLSearchParams({
      kind,
      ...(dueDate === null ? {} : { due_date: dueDate }),
      fee: String(fee),
      interest: String(interest),
      compensation: String(compensation),
    }),
  );
}

/** Previews a reminder as the user fills it in; a typed date is debounced. */
export function usePlan(invoiceUuid: string, values: Partial<z.input<typeof reminderBody>>) {
  const dueDate = useDebounced(values.dueDate);
  const { data: wish } = reminderBody.safeParse({ ...values, dueDate });
  const query = useQuery({
    ...planQuery(invoiceUuid, wish ?? LEAST_REMINDER),
    enabled: wish !== undefined,
  });
  const { data: made, error, isPlaceholderData } = query;
  const isOld = isPlaceholderData || dueDate !== values.dueDate || !wish;
  const refusal = reasonsOf(error);
  return {
    wish,
    /** The preview; the previous one while a new one is fetched. */
    made,
    /** The preview, when it matches the current input. */
    settled: isOld ? undefined : made,
    /** The reason why the reminder cannot be sent, in text for the user. */
    refusal,
    /** Retries the preview; undefined unless it failed. */
    retry: error && refusal === undefined ? () => void query.refetch() : undefined,
  };
}
