import { useCallback, useSyncExternalStore, type RefObject } from 'react';

import styles from './FormFaults.module.css';

interface Fault {
  readonly id: string;
  /** What the field is called, with its line where there are several. */
  readonly name: string;
}

interface FormFaultsProps {
  readonly form: RefObject<HTMLFormElement | null>;
  /** How often the form has been sent. */
  readonly attempts: number;
}

/**
 * What kept a form from being sent, where it is more than one thing: said once each time that it is
 * refused, and listed with links to the fields, where the rules stand. A single one has the focus
 * already, which says it too.
 */
export function FormFaults({ form, attempts }: FormFaultsProps) {
  const faults = useFaults(form);
  if (attempts === 0 || faults.length < 2) return null;
  return (
    <section className={styles.faults} aria-label="Må rettes">
      <p key={attempts} role="alert" className={styles.title}>
        Dette må rettes
      </p>
      <ul>
        {faults.map(({ id, name }) => (
          <li key={id}>
            <a
              href={`#${id}`}
              onClick={(event) => {
                // Without a new address, which would be a new screen to the router.
                event.preventDefault();
                document.getElementById(id)?.focus();
              }}
            >
              {name}
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Each field knows best what is wrong with it and says so on the screen, hence it is read from there. */
function useFaults(form: RefObject<HTMLFormElement | null>): readonly Fault[] {
  const subscribe = useCallback(
    (listener: () => void) => {
      const observer = new MutationObserver(listener);
      if (form.current) observer.observe(form.current, WATCHED);
      return () => observer.disconnect();
    },
    [form],
  );
  const read = () => JSON.stringify(form.current ? findFaults(form.current) : []);
  return JSON.parse(useSyncExternalStore(subscribe, read, () => '[]')) as Fault[];
}

const WATCHED = { subtree: true, childList: true, attributeFilter: ['aria-invalid'] };

function findFaults(form: HTMLFormElement): Fault[] {
  return [...form.querySelectorAll<HTMLInputElement>('[aria-invalid="true"]')].map((field) => {
    const line = field.closest('li')?.getAttribute('aria-label');
    const label = field.labels?.[0]?.textContent ?? field.getAttribute('aria-label') ?? '';
    return {
      id: field.id,
      name: line ? `${line}, ${label.toLowerCase()}` : label,
    };
  });
}
