import { useId, type Ref } from 'react';

import styles from './ChoiceField.module.css';
import { FieldError } from './Field.tsx';

interface Choice<V extends string> {
  readonly value: V;
  readonly label: string;
  /** The consequence of the choice. */
  readonly hint?: string | undefined;
}

interface ChoiceFieldProps<V extends string> {
  readonly label: string;
  /** Hides the label visually, for a field with a heading of the same text. */
  readonly hideLabel?: boolean;
  readonly choices: readonly Choice<V>[];
  readonly value: V;
  readonly onChange: (value: V) => void;
  readonly onBlur?: () => void;
  readonly inputRef?: Ref<HTMLInputElement>;
  readonly error?: string | undefined;
}

export function ChoiceField<V extends string>(props: ChoiceFieldProps<V>) {
  const { label, hideLabel = false, choices, value, onChange, onBlur, inputRef, error } = props;
  const id = useId();
  return (
    <fieldset>
      <legend className={hideLabel ? 'visually-hidden' : undefined}>{label}</legend>
      <div className={`grid gap-3 ${styles.choices}`}>
        {choices.map((choice) => (
          <label key={choice.value} className={`frame ${styles.choice}`}>
            <input
              type="radio"
              name={id}
              value={choice.value}
              checked={choice.value === value}
              onChange={() => onChange(choice.value)}
              onBlur={onBlur}
              ref={choice.value === value ? inputRef : undefined}
              aria-labelledby={`${id}-${choice.value}`}
              aria-describedby={choice.hint ? `${id}-${choice.value}-hint` : undefined}
            />
            <div>
              <p id={`${id}-${choice.value}`} className="strong">
                {choice.label}
              </p>
              {choice.hint ? (
                <p id={`${id}-${choice.value}-hint`} className="note">
                  {choice.hint}
                </p>
              ) : null}
            </div>
          </label>
        ))}
      </div>
      <FieldError message={error} />
    </fieldset>
  );
}
