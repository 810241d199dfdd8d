import { useRef, useState, type Ref } from 'react';

import { parseDate, showDate } from './date-text.ts';
import styles from './DateField.module.css';
import { Field, type FieldProps } from './Field.tsx';
import fieldStyles from './Field.module.css';
import { CalendarIcon } from './icons.tsx';

interface DateFieldProps extends FieldProps {
  /** YYYY-MM-DD, '' for none, or what was typed where that is no date. */
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly onBlur?: () => void;
  readonly disabled?: boolean;
  readonly inputRef?: Ref<HTMLInputElement>;
}

/**
 * A date as Norwegians write it, 21.11.2026. The browser's own date field would follow its language
 * instead. The button opens the browser's calendar.
 */
export function DateField(props: DateFieldProps) {
  const { value, onChange, onBlur, disabled = false, inputRef, ...field } = props;
  const [text, setText] = useState(showDate(value));
  const [seen, setSeen] = useState(value);
  const calendar = useRef<HTMLInputElement>(null);
  if (seen !== value) {
    setSeen(value);
    if ((parseDate(text) ?? text) !== value) setText(showDate(value));
  }
  const type = (next: string) => {
    setText(next);
    const date = parseDate(next) ?? next.trim();
    setSeen(date);
    onChange(date);
  };
  return (
    <Field {...field}>
      {(control) => (
        <div className={styles.box}>
          <input
            {...control}
            ref={inputRef}
            type="text"
            inputMode="numeric"
            autoComplete="off"
            placeholder="dd.mm.åååå"
            disabled={disabled}
            className={`${fieldStyles.input} ${styles.input}`}
            value={text}
            onChange={(event) => type(event.target.value)}
            onBlur={() => {
              setText(showDate(value));
              onBlur?.();
            }}
          />
          <button
            type="button"
            className={styles.open}
            disabled={disabled}
            aria-label={`Velg ${field.label.toLowerCase()} i kalender`}
            onClick={() => calendar.current?.showPicker()}
          >
            <CalendarIcon />
          </button>
          <input
            ref={calendar}
            type="date"
            tabIndex={-1}
            aria-hidden="true"
            className={styles.calendar}
            value={parseDate(value) ?? ''}
            onChange={(event) => type(showDate(event.target.value))}
          />
        </div>
      )}
    </Field>
  );
}
