import type { ReactNode } from 'react';
import { Link } from 'react-router';

import { formatDate, type IsoDate } from '../../../domain/date.ts';
import { formatSum, sumKroner } from '../../../domain/money.ts';
import { AGE_NAMES, dueDatesOf, shownTurnover } from '../../../domain/overview/figures.ts';
import type { Overview } from '../../../domain/overview/overview.schema.ts';
import { monthsOf, type Period, twelveMonthsTo, yearOf } from '../../../domain/overview/periods.ts';
import { monthName } from '../../../domain/recurring/placeholders.ts';
import { showCount } from '../../lib/number-text.ts';
import { paths } from '../../lib/paths.ts';
import { Card } from '../../ui/Surface.tsx';
import { BarChart, type Bar } from './BarChart.tsx';
import styles from './FigureCards.module.css';

interface AsOf {
  readonly asOf: IsoDate;
}

interface FigureCardProps extends Omit<FigureTableProps, 'label'> {
  readonly heading: string;
  readonly note?: string;
  readonly bars: readonly Bar[];
}

function FigureCard({ heading, note, bars, ...table }: FigureCardProps) {
  return (
    <Card heading={heading}>
      {note ? <p className="note lead">{note}</p> : null}
      <div className="beside">
        <BarChart bars={bars} />
        <FigureTable label={heading} {...table} />
      </div>
    </Card>
  );
}

interface FigureRow {
  readonly key: string;
  readonly name: ReactNode;
  /** Numbers or dates, or links with them. */
  readonly figures: readonly ReactNode[];
}

interface FigureTableProps {
  readonly label: string;
  /** One for the names, and one for each figure. */
  readonly headings: readonly [string, ...string[]];
  readonly rows: readonly FigureRow[];
  readonly sums?: readonly string[];
}

/** A small table of figures, which stays a table on a phone. */
function FigureTable({ label, headings, rows, sums }: FigureTableProps) {
  const [, ...columns] = headings;
  const cells = (name: ReactNode, figures: readonly ReactNode[]) => (
    <>
      <th scope="row">{name}</th>
      {columns.map((column, index) => (
        <td key={column}>{figures[index]}</td>
      ))}
    </>
  );
  return (
    <table className={`numeric ${styles.table}`} aria-label={label}>
      <thead className="soft">
        <tr>
          {headings.map((heading) => (
            <th key={heading} scope="col">
              {heading}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, name, figures }) => (
          <tr key={key}>{cells(name, figures)}</tr>
        ))}
      </tbody>
      {sums ? (
        <tfoot className="strong">
          <tr>{cells('Sum', sums)}</tr>
        </tfoot>
      ) : null}
    </table>
  );
}

/** A sum that leads to the documents of its days. @param sum nothing is shown of null */
function SumOfDays({ sum, days }: { sum: number | null; days: Period | undefined }) {
  if (sum === null) return null;
  if (sum === 0 || !days) return formatSum(sum);
  const { from, to } = days;
  return <Link to={paths.invoicesWhere({ from, to })}>{formatSum(sum)}</Link>;
}

/** The filter of the list for what is owed, was due on these days and was issued by a day. */
function dueOn({ from, to }: Partial<Period>, asOf: IsoDate) {
  const due = { ...(from && { due_from: from }), ...(to && { due_to: to }) };
  return { status: 'OUTSTANDING', to: asOf, ...due };
}

/** Turnover by month, beside the year before (OVER-2). */
export function Turnover({ turnover, asOf }: Pick<Overview, 'turnover'> & AsOf) {
  const year = Number(asOf.slice(0, 4));
  // Months before the company began say nothing.
  const first = turnover.findIndex(({ net, lastYear }) => net !== 0 || lastYear !== 0);
  const shown = turnover.slice(Math.max(0, first));
  const hadLastYear = turnover.some(({ lastYear }) => lastYear !== 0);
  const periods = new Map(monthsOf(yearOf(asOf)).map((part) => [part.month, part]));
  const sum = (of: 'net' | 'lastYear') => formatSum(sumKroner(turnover.map((month) => month[of])));
  return (
    <FigureCard
      heading="Omsetning per måned"
      note={`Uten mva, minus kreditnotaer.${hadLastYear ? ` De mørke søylene er ${year}, de lyse ${year - 1}.` : ''}`}
      bars={shown.map(({ month, net, lastYear }) => ({
        label: monthName(month).slice(0, 3),
        value: net,
        ...(hadLastYear && { before: lastYear }),
      }))}
      headings={['Måned', String(year), ...(hadLastYear ? [String(year - 1)] : [])]}
      rows={shownTurnover(shown).map(({ month, net, lastYear }) => ({
        key: month,
        name: capitalized(monthName(month)),
        figures: [
          <SumOfDays key="net" sum={net} days={periods.get(month)} />,
          <SumOfDays key="before" sum={lastYear} days={periods.get(month)?.lastYear} />,
        ],
      }))}
      sums={[sum('net'), sum('lastYear')]}
    />
  );
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The amounts owed, by days after the due date (OVER-4). @param isToday the list has what is owed today alone */
export function Outstanding({
  outstanding: { total, ages },
  asOf,
  isToday,
}: Pick<Overview, 'outstanding'> & AsOf & { readonly isToday: boolean }) {
  return (
    <FigureCard
      heading="Utestående etter alder"
      bars={ages.map(({ age, amount }) => ({
        label: AGE_NAMES[age].replace(' dager', '').replace('Ikke forfalt', 'Ikke f.'),
        value: amount,
      }))}
      headings={['Etter forfall', 'Antall', 'Kroner']}
      rows={ages.map(({ age, amount, count }) => ({
        key: age,
        name: isToday ? (
          <Link to={paths.invoicesWhere(dueOn(dueDatesOf(age, asOf), asOf))}>{AGE_NAMES[age]}</Link>
        ) : (
          AGE_NAMES[age]
        ),
        figures: [showCount(count), formatSum(amount)],
      }))}
      sums={[showCount(ages.reduce((sum, { count }) => sum + count, 0)), formatSum(total)]}
    />
  );
}

/** Outgoing VAT by term (OVER-3). */
export function Vat({ vat }: Pick<Overview, 'vat'>) {
  return (
    <FigureCard
      heading="Utgående mva per termin"
      note="Bare mva fra fakturaene her. Fradrag og annen mva kommer i tillegg."
      bars={vat.map(({ term, vat: amount }) => ({
        label: `${Number(term.slice(5))}.`,
        value: amount,
      }))}
      headings={['Termin', 'Frist', 'Kroner']}
      rows={vat.map(({ term, from, to, dueDate, vat: amount }) => ({
        key: term,
        name: `${term.slice(5)}. ${monthName(from)}–${monthName(to)}`,
        figures: [formatDate(dueDate), <SumOfDays key="vat" sum={amount} days={{ from, to }} />],
      }))}
      sums={['', formatSum(sumKroner(vat.map((term) => term.vat)))]}
    />
  );
}

const LARGEST = 'Største kunder siste 12 måneder';

/** The largest customers of twelve months, each with its name on its bar (OVER-6). */
export function Customers({ customers, asOf }: Pick<Overview, 'customers'> & AsOf) {
  const { from, to } = twelveMonthsTo(asOf);
  if (customers.length === 0) return null;
  const most = Math.max(1, ...customers.map(({ net }) => net));
  return (
    <Card heading={LARGEST}>
      <FigureTable
        label={LARGEST}
        headings={['Kunde', 'Kroner uten mva']}
        rows={customers.map(({ customerNumber, name, net }) => ({
          key: `${customerNumber} ${name}`,
          name: (
            <>
              {customerNumber === null ? (
                name
              ) : (
                <Link to={paths.invoicesWhere({ customer: String(customerNumber), from, to })}>
                  {name}
                </Link>
              )}
              <div
                className={styles.bar}
                style={{ width: `${Math.max(0, (net / most) * 100)}%` }}
              />
            </>
          ),
          figures: [formatSum(net)],
        }))}
      />
    </Card>
  );
}
