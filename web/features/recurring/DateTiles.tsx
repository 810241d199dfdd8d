import { todayInOslo } from '../../../domain/date.ts';
import { describePeriod, monthName } from '../../../domain/recurring/placeholders.ts';
import type { AssignmentPreview } from '../../../domain/recurring/recurring.schema.ts';
import { weekdayOf } from '../../lib/date-text.ts';
import styles from './DateTiles.module.css';

/** The next invoice dates as calendar tiles, each with its period. */
export function DateTiles({ periods }: Pick<AssignmentPreview, 'periods'>) {
  const today = todayInOslo();
  return (
    <ol className={`grid gap-4 ${styles.tiles}`} aria-label="De neste datoene">
      {periods.map((period) => (
        <li key={period.periodFrom} className="stack gap-2">
          <Leaf date={period.periodFrom} />
          <div className="note">
            <p>Perioden {describePeriod({ from: period.periodFrom, to: period.periodTo })}</p>
            {period.date === period.periodFrom ? null : (
              <p className="toned" data-tone="amber">
                {period.date === today ? 'Lages i dag, som utkast' : 'Lages senere, som utkast'}
              </p>
            )}
          </div>
        </li>
      ))}
    </ol>
  );
}

function Leaf({ date }: { date: string }) {
  const day = new Date(date);
  return (
    <time dateTime={date} className={`frame ${styles.leaf}`}>
      <span className={`strong ${styles.month}`}>
        {monthName(date)} {day.getUTCFullYear()}
      </span>
      <span className="numeric figure">{day.getUTCDate()}.</span>
      <span className="note">{weekdayOf(date)}</span>
    </time>
  );
}
