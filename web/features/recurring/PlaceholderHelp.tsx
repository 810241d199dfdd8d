import { fillIn } from '../../../domain/recurring/placeholders.ts';
import styles from './AssignmentForm.module.css';

const EXAMPLE = { from: '2026-12-01', to: '2026-12-31' };
const PLACEHOLDERS = [
  ['{måned}', 'måneden perioden begynner i'],
  ['{år}', 'året perioden begynner i'],
  ['{periode}', 'hele perioden'],
  ['{fra}', 'første dag i perioden'],
  ['{til}', 'siste dag i perioden'],
] as const;

export function PlaceholderHelp() {
  return (
    <div className={`box ${styles.help}`}>
      <p>
        Skriv for eksempel <strong>Husleie {'{måned} {år}'}</strong> i en beskrivelse eller i
        meldingen, så står det <strong>{fillIn('Husleie {måned} {år}', EXAMPLE)}</strong> på
        fakturaen for den måneden. Du kan bruke:
      </p>
      <dl className={`stack gap-1 ${styles.placeholders}`}>
        {PLACEHOLDERS.map(([name, meaning]) => (
          <div key={name} className={styles.placeholder}>
            <dt>{name}</dt>
            <dd className="soft">
              {meaning}: {fillIn(name, EXAMPLE)}
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
