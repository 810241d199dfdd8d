import { useQueries, useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from 'react-router';

import type {
  BankEntry,
  BankFile,
  BankFileBrief,
} from '../../../domain/bank-file/bank-file.schema.ts';
import { ApiError, ConnectionLost } from '../../lib/api-error.ts';
import { paths } from '../../lib/paths.ts';
import { Alert, Card } from '../../ui/Surface.tsx';
import { Button } from '../../ui/Button.tsx';
import { ConfirmButton } from '../../ui/Modal.tsx';
import { showKroner } from '../../lib/number-text.ts';
import {
  bankEntriesQuery,
  isUnderWay,
  useBookBankFile,
  useForgetBankFile,
  useUndoBankFile,
} from './bank-file.api.ts';
import { AUTOMATIC, countPayments, outcomesOf, showTotal, totalsOf } from './bank-file-labels.ts';
import { InvoiceLinks } from './EntryGroup.tsx';

const NAMED = 5;

/** Books a file, undoes it, or drops it. */
export function BookingCard({ file }: { file: Omit<BankFile, 'entries'> }) {
  const book = useBookBankFile(file.uuid);
  const undo = useUndoBankFile(file.uuid);
  const forget = useForgetBankFile(file.uuid);
  // An older attempt says nothing of the file as it is now.
  const latest = [book, undo, forget].reduce((one, other) =>
    other.submittedAt > one.submittedAt ? other : one,
  );
  return (
    <Card className="stack gap-4">
      {isUnderWay(file) ? (
        <UnderWay file={file} undo={undo} />
      ) : file.state === 'BOOKED' ? (
        <Booked file={file} undo={undo} />
      ) : (
        <ToBook file={file} book={book} forget={forget} />
      )}
      <Refusal error={latest.error} />
    </Card>
  );
}

interface UndoProps {
  readonly file: Omit<BankFile, 'entries'>;
  readonly undo: ReturnType<typeof useUndoBankFile>;
}

/** The progress of the job of a large file. Booking can be undone while it runs. */
function UnderWay({ file, undo }: UndoProps) {
  const isBooking = file.state === 'BOOKING';
  const label = isBooking ? 'Bokfører' : 'Angrer';
  return (
    <div className="row gap-4">
      <div className="grow">
        <p className="strong" aria-live="polite">
          {label} {countPayments(totalsOf(file).toBook.count)} …
        </p>
        <p>Du kan gå videre så lenge. Purringer venter til alt er ferdig.</p>
        <progress aria-label={label} value={file.progress ?? 0} />
      </div>
      {isBooking ? (
        <div className="row gap-2">
          <Button wide pending={undo.isPending} onClick={() => undo.mutate()}>
            Angre
          </Button>
        </div>
      ) : null}
    </div>
  );
}

interface ToBookProps {
  readonly file: BankFileBrief;
  readonly book: ReturnType<typeof useBookBankFile>;
  readonly forget: ReturnType<typeof useForgetBankFile>;
}

function ToBook({ file, book, forget }: ToBookProps) {
  const navigate = useNavigate();
  const { toBook } = totalsOf(file);
  return (
    <div className="row gap-4">
      <div className="grow">
        {file.state === 'UNDONE' ? (
          <p className="strong">Bokføringen er angret. Filen kan bokføres igjen.</p>
        ) : null}
        <Plan file={file} />
      </div>
      <div className="row gap-2">
        <Button
          variant={toBook.count > 0 ? 'primary' : 'secondary'}
          wide
          pending={book.isPending}
          onClick={() => book.mutate()}
        >
          {toBook.count === 0 ? 'Bokfør' : `Bokfør ${showTotal(toBook)}`}
        </Button>
        {file.state === 'PREVIEW' ? (
          <Button
            wide
            disabled={book.isPending}
            pending={forget.isPending}
            onClick={() =>
              forget.mutate(undefined, { onSuccess: () => void navigate(paths.payments) })
            }
          >
            Forkast
          </Button>
        ) : null}
      </div>
    </div>
  );
}

/**
 * Describes what booking would do. A file without new entries can be booked too: it tells that nobody has paid, and
 * reminders wait for that.
 */
function Plan({ file }: { file: BankFileBrief }) {
  const { automatic, byHand, reversals, known, toBook } = totalsOf(file);
  if (file.count === 0)
    return <p>Det er ingen innbetalinger i filen. Bokfør den, så teller den som lest.</p>;
  if (toBook.count === 0)
    return <p>Alt i filen er bokført fra før. Bokfør den, så teller den som lest.</p>;
  return (
    <ul className="stack gap-1 soft">
      {automatic.count > 0 ? (
        <li>
          {countPayments(automatic.count)}, totalt {showKroner(automatic.sum)}, føres på fakturaene
          sine.
        </li>
      ) : null}
      {byHand.count > 0 ? (
        <li>
          {countPayments(byHand.count)} blir ikke koblet til faktura, så du kan koble dem etterpå.
        </li>
      ) : null}
      {reversals.count > 0 ? (
        <li>
          {reversals.count === 1 ? 'Én innbetaling' : countPayments(reversals.count)} har banken
          tilbakeført. Det tas av fakturaene.
        </li>
      ) : null}
      {known.count > 0 ? (
        <li>{countPayments(known.count)} er bokført fra før og hoppes over.</li>
      ) : null}
    </ul>
  );
}

function Booked({ file, undo }: UndoProps) {
  return (
    <Alert
      tone="success"
      live
      action={
        <ConfirmButton
          label="Angre"
          title={`Angre ${showTotal(totalsOf(file).toBook)}?`}
          confirmLabel="Angre"
          pending={undo.isPending}
          onConfirm={(close) => undo.mutate(undefined, { onSettled: close })}
        >
          Alt i filen tas tilbake, også det du har koblet selv. Fakturaene blir ubetalt igjen.
        </ConfirmButton>
      }
    >
      <p>
        <BookedAutomatically file={file} />{' '}
        {file.toPlace > 0 ? (
          <Link to={paths.payments}>Koble {countPayments(file.toPlace)} til faktura</Link>
        ) : null}
      </p>
    </Alert>
  );
}

function BookedAutomatically({ file }: { file: BankFileBrief }) {
  const { automatic, reversals, toBook } = totalsOf(file);
  if (toBook.count === 0) return 'Det var ingenting nytt i filen.';
  if (automatic.count + reversals.count === 0) return 'Ingenting ble ført automatisk.';
  return (
    <>
      {automatic.count > 0 ? (
        <>
          Bokført automatisk: {showTotal(automatic)} på <BookedInvoices file={file} />.{' '}
        </>
      ) : null}
      {reversals.count > 0 ? <BookedReversals file={file} /> : null}
    </>
  );
}

/** Says from which invoices the reversals of a file were taken. */
function BookedReversals({ file }: { file: BankFileBrief }) {
  const { data } = useQuery(bankEntriesQuery(file.uuid, 'REVERSAL'));
  if (!data) return null;
  const taken = data.results.filter(({ placements }) => placements.length > 0);
  const isWhole = data.results.length === data.count;
  return (
    <>
      Tilbakeført av banken: {showTotal(totalsOf(file).reversals)}.{' '}
      {taken.length > 0 ? (
        <>
          Tatt tilbake fra <NamedInvoices entries={taken} isWhole={isWhole} />.{' '}
        </>
      ) : null}
      {taken.length < data.results.length ? (
        <>
          {taken.length > 0 ? 'Resten' : 'Det'} ble ikke tatt tilbake fra noen faktura. Se{' '}
          <Link to={paths.payments}>Innbetalinger</Link>.
        </>
      ) : null}
    </>
  );
}

/** Links to the invoices on which a file was booked. */
function BookedInvoices({ file }: { file: BankFileBrief }) {
  const groups = outcomesOf(file).filter(({ outcome }) => AUTOMATIC.includes(outcome));
  const entries = useQueries({
    queries: groups.map(({ outcome }) => bankEntriesQuery(file.uuid, outcome)),
  }).flatMap(({ data }) => data?.results ?? []);
  const isWhole = entries.length === totalsOf(file).automatic.count;
  return <NamedInvoices entries={entries} isWhole={isWhole} />;
}

interface NamedInvoicesProps {
  readonly entries: readonly BankEntry[];
  /** Whether these are all entries. */
  readonly isWhole: boolean;
}

/** Links to the invoices of entries, up to `NAMED`. */
function NamedInvoices({ entries, isWhole }: NamedInvoicesProps) {
  const numbers = entries.flatMap(({ placements }) => placements.map((one) => one.invoiceNumber));
  const different = [...new Set(numbers)];
  if (different.length === 0) return 'fakturaene sine';
  return (
    <>
      <InvoiceLinks numbers={different.slice(0, NAMED)} />
      {isWhole && different.length <= NAMED ? null : ' og flere'}
    </>
  );
}

function Refusal({ error }: { error: Error | null }) {
  if (!error) return null;
  const reasons = error instanceof ApiError ? error.detail.map(({ message }) => message) : [];
  return (
    <Alert tone="error" live title={reasons[0] ?? error.message}>
      {error instanceof ConnectionLost
        ? 'Det er usikkert hvor langt det kom. Prøv igjen: ingenting bokføres to ganger.'
        : reasons.slice(1).join(' ')}
    </Alert>
  );
}
