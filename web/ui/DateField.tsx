import { useRef, useState, type Ref } from 'react';

import { parseDate, showDate } from '../lib/date-text.ts';
import buttonStyles from './Button.module.css';
import styles from './DateField.module.css';
import { Field, type FieldProps } from './Field.tsx';
import fieldStyles from './Field.module.css';
import { afterPress } from './focus.ts';
import { CalendarIcon } from './icons.tsx';

interface DateFieldProps extends FieldProps {
  /** YYYY-MM-DD, '' for no date, or the typed text when it is not a date. */
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly onBlur?: () => void;
  readonly disabled?: boolean;
  readonly inputRef?: Ref<HTMLInputElement>;
}

const NO_DATE = {
  hint: 'Skriv en dato som finnes, for eksempel 21.11.2026.',
  hintTone: 'warning',
  isExplained: true,
} as const;

/**
 * A date field with the Norwegian format, 21.11.2026. The browser's own date field would use the format of
 * the browser's language. The button opens the browser's calendar.
 */
export function DateField(props: DateFieldProps) {
  const { value, onChange, onBlur, disabled = false, inputRef, ...field } = props;
  const [text, setText] = useState(showDate(value));
  const [seen, setSeen] = useState(value);
  // The fault is shown after blur, because during typing the date is incomplete.
  const [isLeft, setLeft] = useState(false);
  const isFaulty = isLeft && text.trim() !== '' && parseDate(text) === null;
  const calendar = useRef<HTMLInputElement>(null);
  if (seen !== value) {
    setSeen(value);
    if ((parseDate(text) ?? text) !== value) setText(showDate(value));
  }
  const type = (next: string) => {
    setText(next);
    setLeft(false);
    const date = parseDate(next) ?? next.trim();
    setSeen(date);
    onChange(date);
  };
  return (
    <Field {...field} {...(isFaulty ? NO_DATE : {})}>
      {(control) => (
        <div className={`${fieldStyles.box} ${styles.box}`}>
          <input
            {...control}
            ref={inputRef}
            type="text"
            inputMode="numeric"
            autoComplete="off"
            placeholder="dd.mm.åååå"
            disabled={disabled}
            className={`numeric ${fieldStyles.input}`}
            value={text}
            onChange={(event) => type(event.target.value)}
            onBlur={() => {
              setText(showDate(value));
              afterPress(() => setLeft(true));
              onBlur?.();
            }}
          />
          <button
            type="button"
            className={`${buttonStyles.iconButton} ${styles.open}`}
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
