import { useEffect, useState, type RefObject } from 'react';

import styles from './FormFaults.module.css';

export interface FormFault {
  readonly id: string;
  /** The field's label, with its line when the form has several lines. */
  readonly name: string;
}

interface FormFaultsProps {
  readonly form: RefObject<HTMLFormElement | null>;
  /** Faults of controls that belong to the form but are placed above it. */
  readonly above: readonly FormFault[];
  /** Number of submits, including refused ones. */
  readonly attempts: number;
}

/**
 * Links to the fields with errors, when there are at least two. Announced at each submit that fails. A
 * single field with an error only takes the focus.
 */
export function FormFaults({ form, above, attempts }: FormFaultsProps) {
  const faults = [...above, ...useFaults(form)];
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
                // A hash in the address would count as a navigation.
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

/** Reads the faults from the DOM, because each field renders its own error. */
function useFaults(form: RefObject<HTMLFormElement | null>): readonly FormFault[] {
  const [faults, setFaults] = useState<readonly FormFault[]>([]);
  useEffect(() => {
    const element = form.current;
    if (!element) return undefined;
    const observer = new MutationObserver(() => setFaults(findFaults(element)));
    observer.observe(element, WATCHED);
    return () => observer.disconnect();
  }, [form]);
  return faults;
}

const WATCHED = { subtree: true, childList: true, attributeFilter: ['aria-invalid'] };

function findFaults(form: HTMLFormElement): FormFault[] {
  return [...form.querySelectorAll<HTMLInputElement>('[aria-invalid="true"]')].map((field) => {
    const line = field.closest('li')?.getAttribute('aria-label');
    const label = field.labels?.[0]?.textContent ?? field.getAttribute('aria-label') ?? '';
    return {
      id: field.id,
      name: line ? `${line}, ${label.toLowerCase()}` : label,
    };
  });
}
