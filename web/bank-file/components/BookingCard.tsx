import { useQueries, type UseMutationResult } from '@tanstack/react-query';
import { Link, useNavigate } from 'react-router';

import type { BankFile, BankFileBrief } from '../../../domain/bank-file/bank-file.schema.ts';
import { ApiError, ConnectionLost } from '../../api/api-error.ts';
import { paths } from '../../paths.ts';
import { Alert } from '../../ui/Alert.tsx';
import { Button } from '../../ui/Button.tsx';
import { showCount } from '../../ui/count.ts';
import { showKroner } from '../../ui/kroner.ts';
import { Card } from '../../ui/Surface.tsx';
import { useForgetBankFile } from '../bank-file.mutations.ts';
import { bankEntriesQuery } from '../bank-file.queries.ts';
import {
  AUTOMATIC,
  countPayments,
  outcomesOf,
  showTotal,
  totalsOf,
  type Total,
} from '../labels.ts';
import styles from './BookingCard.module.css';
import { InvoiceLinks } from './EntryFate.tsx';

/** So many invoices are named where it is told what was booked. */
const NAMED = 5;

type Change = UseMutationResult<BankFile, Error, void>;

interface BookingCardProps {
  readonly file: BankFileBrief;
  readonly book: Change;
  readonly undo: Change;
}

/** What booking a file would do, or did, and the buttons that do it and take it back. */
export function BookingCard({ file, book, undo }: BookingCardProps) {
  const forget = useForgetBankFile(file.uuid);
  const busy = book.isPending ? 'Bokfører' : undo.isPending ? 'Angrer' : undefined;
  return (
    <Card className={styles.card}>
      {file.state === 'BOOKED' ? (
        <Booked file={file} undo={undo} />
      ) : (
        <ToBook file={file} book={book} forget={forget} />
      )}
      <div aria-live="polite" className={styles.told}>
        {busy ? <Progress file={file} label={busy} /> : null}
      </div>
      <Refusal error={book.error ?? undo.error ?? forget.error} />
    </Card>
  );
}

interface ToBookProps extends Omit<BookingCardProps, 'undo'> {
  readonly forget: UseMutationResult<unknown, Error, void>;
}

function ToBook({ file, book, forget }: ToBookProps) {
  const navigate = useNavigate();
  const { toBook } = totalsOf(file);
  const isCutOff = file.bookedCount > 0;
  return (
    <div className={styles.row}>
      <div className={styles.plan}>
        {isCutOff && !book.isPending ? (
          <p className={styles.strong}>
            Bokføringen ble avbrutt: {showCount(file.bookedCount)} av {countPayments(toBook.count)}{' '}
            er bokført.
          </p>
        ) : null}
        {file.state === 'UNDONE' ? (
          <p className={styles.strong}>Bokføringen er angret. Filen kan bokføres igjen.</p>
        ) : null}
        <Plan file={file} />
      </div>
      <div className={styles.buttons}>
        <Button
          variant={toBook.count > 0 ? 'primary' : 'secondary'}
          wide
          pending={book.isPending}
          onClick={() => book.mutate()}
        >
          {bookLabel(toBook, isCutOff)}
        </Button>
        {file.state === 'PREVIEW' && !isCutOff ? (
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

function bookLabel(toBook: Total, isCutOff: boolean): string {
  if (toBook.count === 0) return 'Bokfør';
  return isCutOff ? 'Bokfør resten' : `Bokfør ${showTotal(toBook)}`;
}

/** What booking would do, in words. A file without anything new tells that nobody has paid, and reminders wait for that. */
function Plan({ file }: { file: BankFileBrief }) {
  const { automatic, byHand, reversals, known, toBook } = totalsOf(file);
  if (file.count === 0)
    return <p>Det er ingen innbetalinger i filen. Bokfør den, så teller den som lest.</p>;
  if (toBook.count === 0)
    return <p>Alt i filen er bokført fra før. Bokfør den, så teller den som lest.</p>;
  return (
    <ul className={styles.steps}>
      {automatic.count > 0 ? (
        <li>
          {countPayments(automatic.count)} på til sammen {showKroner(automatic.sum)} føres på
          fakturaene sine.
        </li>
      ) : null}
      {byHand.count > 0 ? (
        <li>{countPayments(byHand.count)} blir uplassert, så du kan plassere dem etterpå.</li>
      ) : null}
      {reversals.count > 0 ? (
        <li>
          {reversals.count === 1 ? 'Én innbetaling' : countPayments(reversals.count)} har banken
          trukket tilbake. Det tas av fakturaene.
        </li>
      ) : null}
      {known.count > 0 ? (
        <li>{countPayments(known.count)} er bokført fra før og hoppes over.</li>
      ) : null}
    </ul>
  );
}

function Booked({ file, undo }: Omit<BookingCardProps, 'book'>) {
  const { byHand, toBook } = totalsOf(file);
  const isCutOff = file.bookedCount < toBook.count && !undo.isPending;
  return (
    <Alert
      tone={isCutOff ? 'warning' : 'success'}
      live
      action={
        <Button pending={undo.isPending} onClick={() => undo.mutate()}>
          {isCutOff ? 'Angre resten' : 'Angre'}
        </Button>
      }
    >
      {isCutOff ? <p>Angringen ble avbrutt.</p> : null}
      <p>
        <BookedAutomatically file={file} />{' '}
        {byHand.count > 0 ? (
          <Link to={paths.payments}>Plasser {showCount(byHand.count)} uplassert</Link>
        ) : null}
      </p>
    </Alert>
  );
}

function BookedAutomatically({ file }: { file: BankFileBrief }) {
  const { automatic, toBook } = totalsOf(file);
  if (toBook.count === 0) return 'Det var ingenting nytt i filen.';
  if (automatic.count === 0) return 'Ingenting ble ført automatisk.';
  return (
    <>
      Bokført automatisk: {showTotal(automatic)} på <BookedInvoices file={file} />.
    </>
  );
}

/** The invoices on which a file was booked, the first of them by name. */
function BookedInvoices({ file }: { file: BankFileBrief }) {
  const groups = outcomesOf(file).filter(({ outcome }) => AUTOMATIC.includes(outcome));
  const entries = useQueries({
    queries: groups.map(({ outcome }) => bankEntriesQuery(file.uuid, outcome)),
  }).flatMap(({ data }) => data?.results ?? []);
  const numbers = entries.flatMap(({ placements }) => placements.map((one) => one.invoiceNumber));
  const different = [...new Set(numbers)];
  if (different.length === 0) return 'fakturaene sine';
  const isWhole = entries.length === totalsOf(file).automatic.count;
  return (
    <>
      <InvoiceLinks numbers={different.slice(0, NAMED)} />
      {isWhole && different.length <= NAMED ? null : ' og flere'}
    </>
  );
}

function Progress({ file, label }: { file: BankFileBrief; label: string }) {
  const { count } = totalsOf(file).toBook;
  return (
    <>
      <p>{label} …</p>
      <progress
        className={styles.track}
        aria-label={label}
        {...(file.bookedCount > 0 ? { value: file.bookedCount, max: count } : {})}
      />
    </>
  );
}

/** Why something was not done, in the server's words. */
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
