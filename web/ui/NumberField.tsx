import {
  type ChangeEvent,
  type ClipboardEvent,
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  type Ref,
  useEffect,
  useRef,
  useState,
} from 'react';

import { Field, type FieldProps } from './Field.tsx';
import { afterPress } from './focus.ts';
import { ChevronDownIcon, ChevronUpIcon } from './icons.tsx';
import {
  asTyped,
  clamp,
  type Decimals,
  fieldNumber,
  formatNumber,
  type NumberFault,
  numberIn,
  stepOf,
  stepped,
  withOtherSign,
} from '../lib/number-text.ts';
import fieldStyles from './Field.module.css';
import styles from './NumberField.module.css';

export interface NumberFieldProps extends FieldProps {
  readonly value: number | null | undefined;
  readonly onChange: (value: number | null) => void;
  readonly onBlur?: () => void;
  readonly min?: number;
  readonly max?: number;
  readonly decimals?: Decimals;
  readonly disabled?: boolean;
  readonly inputRef?: Ref<HTMLInputElement>;
}

/**
 * A number field with the Norwegian format, '1 234,50'. Accepts numeric characters only, and moves the number
 * between min and max on blur. Text that is not a number stays, with a hint. Arrow keys and buttons step by 1,
 * with Shift by 10, with Ctrl or Meta by 0.1; the buttons repeat when held (WEB-18).
 */
export function NumberField(props: NumberFieldProps) {
  const { label, error, hint, hintTone, required, hideLabel, className } = props;
  const { min, max, decimals = 0, disabled = false, inputRef } = props;
  const { message, isExplained, number, isReadable, show, turn, ...input } = useNumberInput(props);
  const warning = message ? { hint: message, hintTone: 'warning' as const, isExplained } : {};
  const isSigned = min === undefined || min < 0;
  const isFixed = disabled || !isReadable;
  const steps = { label, number, min, max, decimals, disabled: isFixed, onStep: show };
  return (
    <Field {...{ label, error, hint, hintTone, required, hideLabel, className }} {...warning}>
      {(control) => (
        <div className={styles.root} data-signed={isSigned || undefined}>
          {isSigned ? (
            <SignButton label={label} inputId={control.id} disabled={disabled} onTurn={turn} />
          ) : null}
          <input
            {...control}
            {...input}
            ref={inputRef}
            className={`numeric ${fieldStyles.input}`}
            type="text"
            role="spinbutton"
            inputMode={decimals === 0 ? 'numeric' : 'decimal'}
            autoComplete="off"
            spellCheck={false}
            aria-valuemin={min}
            aria-valuemax={max}
            aria-valuenow={number ?? undefined}
            aria-valuetext={input.value || undefined}
            disabled={disabled}
          />
          <div className={styles.triggers}>
            <StepButton {...steps} inputId={control.id} step={1} />
            <StepButton {...steps} inputId={control.id} step={-1} />
          </div>
        </div>
      )}
    </Field>
  );
}

function faultHint(fault: NumberFault, decimals: Decimals, number: number | null): string {
  if (fault === 'tooSmall') {
    return number === 0 ? 'Skriv et tall større enn 0.' : 'Skriv et tall uten minus.';
  }
  if (decimals === 0) return 'Skriv et helt tall.';
  if (decimals === 3) {
    return fault === 'tooManyDecimals'
      ? 'Skriv høyst tre desimaler.'
      : 'Skriv et antall, for eksempel 7,5.';
  }
  return fault === 'tooManyDecimals'
    ? 'Skriv høyst to desimaler.'
    : 'Skriv et beløp, for eksempel 1 234,50.';
}

function useNumberInput({ value, onChange, onBlur, decimals = 0, min, max }: NumberFieldProps) {
  const [text, setText] = useNumberText(value, decimals);
  // The fault is shown after blur, because during typing the number is incomplete.
  const [isLeft, setLeft] = useState(false);
  /** Says that the typed number was replaced by min or max. */
  const [boundMessage, setBoundMessage] = useState('');
  const written = fieldNumber(text, decimals, min);
  const { fault } = written;
  const isReadable = fault === undefined || fault === 'tooSmall';
  const number = isReadable ? written.value : null;
  const write = (next: string) => {
    setText(next);
    setBoundMessage('');
    const read = fieldNumber(next, decimals, min);
    onChange(read.value);
    if (!read.fault) setLeft(false);
  };
  const show = (next: number | null) => write(formatNumber(next, decimals));
  const tidy = () => {
    afterPress(() => setLeft(true));
    if (fault) return;
    const kept = number === null ? null : clamp(number, { min, max });
    if (formatNumber(kept, decimals) !== text) show(kept);
    if (kept === number) return;
    const bound = `Det ${kept === min ? 'minste' : 'meste'} er ${formatNumber(kept, decimals)}.`;
    afterPress(() => setBoundMessage(bound));
  };
  return {
    number,
    message: isLeft && fault ? faultHint(fault, decimals, number) : boundMessage,
    isExplained: isLeft && fault !== undefined,
    isReadable,
    show,
    turn: () => write(withOtherSign(text)),
    value: text,
    onChange: (event: ChangeEvent<HTMLInputElement>) => {
      const input = event.currentTarget;
      const raw = { text: input.value, caret: input.selectionStart ?? input.value.length };
      // Parentheses or several new characters: the text was dropped, or filled in by the browser.
      const isGiven = /\(.*\)/.test(raw.text) || raw.text.length > text.length + 1;
      const given = isGiven ? numberIn(raw.text) : null;
      if (given !== null && /\p{L}[.,]|[^\d\s,.]\s*$/u.test(raw.text)) {
        write(given);
        return;
      }
      const typed = asTyped(raw, { min });
      if (typed.text !== raw.text) {
        // Set here because React would move the caret to the end.
        input.value = typed.text;
        input.setSelectionRange(typed.caret, typed.caret);
      }
      write(typed.text);
    },
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key === 'Enter') tidy();
      const step = stepOf(event, decimals);
      if (step === 0) return;
      event.preventDefault();
      if (isReadable) show(stepped(number, step, { min, max }));
    },
    onPaste: (event: ClipboardEvent<HTMLInputElement>) => {
      event.preventDefault();
      const pasted = numberIn(event.clipboardData.getData('text'));
      if (pasted === null) return;
      const input = event.currentTarget;
      const { selectionStart: from, selectionEnd: to } = input;
      input.setRangeText(pasted, from ?? 0, to ?? input.value.length, 'end');
      const read = fieldNumber(input.value, decimals, min);
      // After a paste in the middle of a number, keep the caret after the pasted text.
      if (read.fault || input.selectionEnd !== input.value.length) write(input.value);
      else show(read.value);
    },
    onBlur: () => {
      tidy();
      onBlur?.();
    },
  };
}

interface SignButtonProps {
  readonly label: string;
  readonly inputId: string;
  readonly disabled: boolean;
  readonly onTurn: () => void;
}

/** Shown on touch screens: the iPhone's decimal keypad has no minus, and discounts need one. */
function SignButton({ label, inputId, disabled, onTurn }: SignButtonProps) {
  return (
    <button
      type="button"
      tabIndex={-1}
      className={styles.sign}
      aria-controls={inputId}
      disabled={disabled}
      // Keeps the focus in the field, so that the keypad stays open.
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => {
        onTurn();
        document.getElementById(inputId)?.focus();
      }}
    >
      <span aria-hidden="true">±</span>
      {/* No aria-label, because a lookup of the field by its label must find only the field. */}
      <span className="visually-hidden">Bytt fortegn på {label}</span>
    </button>
  );
}

interface StepButtonProps {
  readonly label: string;
  readonly step: 1 | -1;
  readonly inputId: string;
  readonly number: number | null;
  readonly min: number | undefined;
  readonly max: number | undefined;
  readonly decimals: Decimals;
  readonly disabled: boolean;
  readonly onStep: (next: number) => void;
}

/** A step button for pointers; keyboard users have the arrow keys. Steps when pressed and repeats while held. */
function StepButton(props: StepButtonProps) {
  const { label, step, inputId, number, min, max, decimals, disabled, onStep } = props;
  const repeating = useRepeat(({ shiftKey, ctrlKey, metaKey }) => {
    let reached = number;
    const size = step * stepOf({ key: 'ArrowUp', shiftKey, ctrlKey, metaKey }, decimals);
    return () => {
      if (size === 0) return false;
      const next = stepped(reached, size, { min, max });
      const moved = next !== reached;
      reached = next;
      if (moved) onStep(next);
      return moved;
    };
  });
  return (
    <button
      {...repeating}
      type="button"
      tabIndex={-1}
      className={styles.trigger}
      aria-controls={inputId}
      disabled={disabled || stepped(number, step, { min, max }) === number}
    >
      {step === 1 ? <ChevronUpIcon /> : <ChevronDownIcon />}
      <span className="visually-hidden">
        {step === 1 ? 'Øk' : 'Reduser'} {label.toLowerCase()}
      </span>
    </button>
  );
}

/** The typed text. Replaced when the value changes from outside, by a template or a reset. */
function useNumberText(value: number | null | undefined, decimals: Decimals) {
  const [text, setText] = useState(() => formatNumber(value, decimals));
  const [seen, setSeen] = useState(value);
  if (!Object.is(seen, value)) {
    setSeen(value);
    // Text with the same value stays as typed, also text that is not a number.
    if (!Object.is(fieldNumber(text, decimals).value, value ?? null)) {
      setText(formatNumber(value, decimals));
    }
  }
  return [text, setText] as const;
}

const HOLD_MS = 300;
const REPEAT_MS = 50;

/**
 * Props of a button that acts when pressed and, while held, again after 300 ms and then every 50 ms
 * (WEB-18).
 *
 * @param begin called on each press; returns the action, which returns whether to repeat
 */
function useRepeat(begin: (pressed: MouseEvent) => () => boolean) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const stop = () => clearTimeout(timer.current);
  useEffect(() => () => clearTimeout(timer.current), []);
  return {
    onPointerDown: (event: PointerEvent) => {
      if (event.button !== 0) return;
      const act = begin(event);
      const repeat = (delay: number) => {
        if (act()) timer.current = setTimeout(repeat, delay, REPEAT_MS);
      };
      repeat(HOLD_MS);
    },
    onPointerUp: stop,
    onPointerLeave: stop,
    onPointerCancel: stop,
    // Keeps the focus in the field, so that a phone's keyboard stays open.
    onMouseDown: (event: MouseEvent) => event.preventDefault(),
    // A click without a pointer, for example by voice control.
    onClick: (event: MouseEvent) => {
      if (event.detail === 0) begin(event)();
    },
  };
}
