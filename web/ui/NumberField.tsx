import { NumberInput } from '@chakra-ui/react';
import {
  useState,
  type ClipboardEvent,
  type InputEvent,
  type KeyboardEvent,
  type Ref,
} from 'react';

import { Field, type ControlProps, type FieldProps } from './Field.tsx';
import fieldStyles from './Field.module.css';
import { ChevronDownIcon, ChevronUpIcon } from './icons.tsx';
import {
  formatNumber,
  numberFormat,
  parseForeignNumber,
  parseNumber,
  steppedByModifier,
  withMark,
} from './number-text.ts';
import styles from './NumberField.module.css';

/** The same objects every time: the field makes a formatter of each new one. */
const FORMATS = { 0: numberFormat(0), 2: numberFormat(2) } as const;

export interface NumberFieldProps extends FieldProps {
  readonly value: number | null | undefined;
  readonly onChange: (value: number | null) => void;
  readonly onBlur?: () => void;
  readonly min?: number;
  readonly max?: number;
  /** 0 for whole numbers, 2 for kroner. */
  readonly decimals?: 0 | 2;
  readonly disabled?: boolean;
  readonly inputRef?: Ref<HTMLInputElement>;
}

/**
 * A number as Norwegians write it, '1 234,50'. It takes numeric characters only and stays between
 * min and max when left. Arrow keys step by 1, with Shift by 10, with Ctrl or Meta by 0.1; the
 * buttons repeat when held (specification § 9).
 */
export function NumberField(props: NumberFieldProps) {
  const { label, error, hint, hintTone, required, hideLabel, className } = props;
  return (
    <Field {...{ label, error, hint, hintTone, required, hideLabel, className }}>
      {(control) => <NumberControl {...props} control={control} />}
    </Field>
  );
}

function NumberControl(props: NumberFieldProps & { control: ControlProps }) {
  const { value, onChange, decimals = 0, min, max, disabled = false, control, inputRef } = props;
  const [text, setText] = useNumberText(value, decimals);
  const change = (next: string) => {
    setText(next);
    onChange(parseNumber(next));
  };
  const step = (event: KeyboardEvent<HTMLInputElement>) => {
    keepCaretKeys(event);
    const stepped = steppedByModifier(event, parseNumber(text), { min, max });
    if (stepped === undefined) return;
    event.preventDefault();
    change(formatNumber(stepped, decimals));
  };
  const paste = (event: ClipboardEvent<HTMLInputElement>) => {
    const { value: before, selectionStart, selectionEnd } = event.currentTarget;
    if (selectionStart !== 0 || selectionEnd !== before.length) return;
    const pasted = parseForeignNumber(event.clipboardData.getData('text'));
    if (pasted === null || (decimals === 0 && !Number.isInteger(pasted))) return;
    event.preventDefault();
    change(formatNumber(pasted, decimals));
  };
  return (
    <NumberInput.Root
      className={styles.root}
      locale="nb-NO"
      formatOptions={FORMATS[decimals]}
      value={text}
      onValueChange={(details) => change(details.value)}
      onFocusChange={(details) => {
        if (!details.focused) props.onBlur?.();
      }}
      {...(min === undefined ? {} : { min })}
      {...(max === undefined ? {} : { max })}
      ids={{ input: control.id }}
      disabled={disabled}
      invalid={control['aria-invalid'] ?? false}
      inputMode="decimal"
      translations={{ incrementLabel: 'Øk', decrementLabel: 'Reduser' }}
    >
      <NumberInput.Input
        ref={inputRef}
        className={`${fieldStyles.input} ${styles.input}`}
        aria-describedby={control['aria-describedby']}
        aria-required={control['aria-required']}
        aria-roledescription={undefined}
        onKeyDownCapture={step}
        {...(decimals > 0 ? { onBeforeInputCapture: typeMark } : {})}
        onPaste={paste}
      />
      <div className={styles.triggers}>
        <NumberInput.IncrementTrigger className={styles.trigger}>
          <ChevronUpIcon size={14} />
        </NumberInput.IncrementTrigger>
        <NumberInput.DecrementTrigger className={styles.trigger}>
          <ChevronDownIcon size={14} />
        </NumberInput.DecrementTrigger>
      </div>
    </NumberInput.Root>
  );
}

/** Home and End move the caret in a text, also in this one; they are not for its least and most. */
function keepCaretKeys(event: KeyboardEvent): void {
  if (event.key === 'Home' || event.key === 'End') event.stopPropagation();
}

/** Writes the comma that a typed point or comma means; inside the text, as it is typed. */
function typeMark(event: InputEvent<HTMLInputElement>): void {
  if (event.data !== '.' && event.data !== ',') return;
  const { value, selectionStart } = event.currentTarget;
  if (selectionStart !== value.length && (event.data === ',' || value.includes(','))) return;
  event.preventDefault();
  event.stopPropagation();
  const input = event.currentTarget;
  if (selectionStart === value.length) {
    input.setRangeText(withMark(value, event.data), 0, value.length, 'end');
  } else {
    input.setRangeText(',', selectionStart ?? 0, input.selectionEnd ?? 0, 'end');
  }
  input.dispatchEvent(new Event('input', { bubbles: true }));
}

/** The typed text, replaced when the number is changed from elsewhere: by a template, a reset. */
function useNumberText(value: number | null | undefined, decimals: 0 | 2) {
  const [text, setText] = useState(() => formatNumber(value, decimals));
  const [seen, setSeen] = useState(value);
  if (!Object.is(seen, value)) {
    setSeen(value);
    if (parseNumber(text) !== (value ?? null)) setText(formatNumber(value, decimals));
  }
  return [text, setText] as const;
}
