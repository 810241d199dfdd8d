import { type Customer, GROUP_SIZE_MAX } from '../../../domain/customer/customer.schema.ts';
import { Button } from '../../ui/Button.tsx';
import { showCount } from '../../lib/count.ts';
import styles from './GroupForm.module.css';

interface ChooseAllProps {
  /** The customers that match the search, or all customers. */
  readonly hits: readonly Customer[];
  readonly isSearch: boolean;
  readonly members: ReadonlySet<number>;
  readonly onChoose: (customerNumbers: Iterable<number>) => void;
}

/** Selects or deselects every match of a search, on all pages. */
export function ChooseAll({ hits, isSearch, members, onChoose }: ChooseAllProps) {
  const numbers = hits.map(({ customerNumber }) => customerNumber);
  const chosen = numbers.filter((number) => members.has(number)).length;
  const hasRoom = members.size + hits.length - chosen <= GROUP_SIZE_MAX;
  const what = isSearch ? `alle ${showCount(hits.length)} treff` : 'alle';
  return (
    <div className={styles.chooseAll}>
      <Button
        disabled={chosen === hits.length || !hasRoom}
        onClick={() => onChoose(new Set([...members, ...numbers]))}
      >
        Velg {what}
      </Button>
      <Button
        variant="quiet"
        disabled={chosen === 0}
        onClick={() => onChoose(without(members, numbers))}
      >
        Fjern {what}
      </Button>
      <p className={styles.chosen} aria-live="polite">
        {hasRoom ? null : `En gruppe kan ha høyst ${showCount(GROUP_SIZE_MAX)} kunder.`}
        {hasRoom && isSearch
          ? `${showCount(chosen)} av ${showCount(hits.length)} treff er valgt`
          : null}
      </p>
    </div>
  );
}

function without(members: ReadonlySet<number>, numbers: readonly number[]): number[] {
  const taken = new Set(numbers);
  return [...members].filter((number) => !taken.has(number));
}
