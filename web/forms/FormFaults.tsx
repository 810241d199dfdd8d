import { useEffect, useState, type RefObject } from 'react';
import { useFormState, type Control, type FieldValues } from 'react-hook-form';

import styles from './FormFaults.module.css';

export interface FormFault {
  readonly id: string;
  /** The field's label, with its line when the form has several lines. */
  readonly name: string;
}

interface FormFaultsProps<I extends FieldValues, O> {
  readonly control: Control<I, unknown, O>;
  readonly element: RefObject<HTMLFormElement | null>;
  /** Faults of controls that belong to the form but are placed above it. */
  readonly above: readonly FormFault[];
}

const NONE: readonly FormFault[] = [];

/**
 * Links to the fields with errors, when there are at least two. Announced at each submit that fails. A
 * single field with an error only takes the focus.
 */
export function FormFaults<I extends FieldValues, O>(props: FormFaultsProps<I, O>) {
  const { control, element, above } = props;
  // A new object at each change, while React Hook Form changes the errors in place.
  const state = useFormState({ control });
  const { submitCount: attempts } = state;
  const [own, setOwn] = useState(NONE);
  useEffect(() => {
    const isFaulty = Object.keys(state.errors).length > 0;
    // oxlint-disable-next-line react/set-state-in-effect -- their labels and order are read from the page
    setOwn(isFaulty && element.current ? findFaults(element.current) : NONE);
  }, [element, state]);
  const faults = [...above, ...own];
  if (attempts === 0 || faults.length < 2) return null;
  return (
    <section className={`box ${styles.faults}`} data-tone="red" aria-label="Må rettes">
      <p key={attempts} role="alert" className="strong">
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

/** The fields with errors, in the order of the page, as the page calls them. */
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
