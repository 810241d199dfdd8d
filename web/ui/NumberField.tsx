import {
  useState,
  type ChangeEvent,
  type ClipboardEvent,
  type KeyboardEvent,
  type ReactNode,
  type Ref,
} from 'react';

import { classNames } from './class-names.ts';
import { Field, type ControlProps, type FieldProps } from './Field.tsx';
import fieldStyles from './Field.module.css';
import { ChevronDownIcon, ChevronUpIcon } from './icons.tsx';
import {
  asTyped,
  clamp,
  formatNumber,
  parseForeignNumber,
  parseNumber,
  stepOf,
  stepped,
} from './number-text.ts';
import styles from './NumberField.module.css';
import { useRepeat } from './use-repeat.ts';

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
  const { min, max, disabled = false, control, inputRef } = props;
  const { number, show, ...handlers } = useNumberInput(props);
  const steps = { number, min, max, disabled, inputId: control.id, onStep: show };
  return (
    <div className={styles.root}>
      <input
        {...control}
        {...handlers}
        ref={inputRef}
        className={classNames(fieldStyles.input, styles.input)}
        type="text"
        role="spinbutton"
        inputMode="decimal"
        autoComplete="off"
        spellCheck={false}
        aria-valuemin={min}
        aria-valuemax={max}
        aria-valuenow={number ?? undefined}
        aria-valuetext={handlers.value || undefined}
        disabled={disabled}
      />
      <div className={styles.triggers}>
        <StepButton {...steps} step={1} label="Øk">
          <ChevronUpIcon size={14} />
        </StepButton>
        <StepButton {...steps} step={-1} label="Reduser">
          <ChevronDownIcon size={14} />
        </StepButton>
      </div>
    </div>
  );
}

/** What is written in the field, and what keys, clipboard and leaving do to it. */
function useNumberInput({ value, onChange, onBlur, decimals = 0, min, max }: NumberFieldProps) {
  const [text, setText] = useNumberText(value, decimals);
  const number = parseNumber(text);
  const write = (next: string) => {
    setText(next);
    onChange(parseNumber(next));
  };
  const show = (next: number | null) => write(formatNumber(next, decimals));
  const tidy = () => {
    const meant = number ?? parseForeignNumber(text);
    const kept = meant === null ? null : clamp(meant, { min, max });
    if (formatNumber(kept, decimals) !== text) show(kept);
  };
  return {
    number,
    show,
    value: text,
    onChange: ({ currentTarget: input }: ChangeEvent<HTMLInputElement>) => {
      const raw = { text: input.value, caret: input.selectionStart ?? input.value.length };
      const typed = asTyped(text, raw, { min, decimals });
      if (typed.text !== raw.text) {
        // Here and not by React, which would put the caret at the end.
        input.value = typed.text;
        input.setSelectionRange(typed.caret, typed.caret);
      }
      write(typed.text);
    },
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key === 'Enter') tidy();
      const step = stepOf(event);
      if (step === 0) return;
      event.preventDefault();
      show(stepped(number, step, { min, max }));
    },
    onPaste: (event: ClipboardEvent<HTMLInputElement>) => {
      const { value: before, selectionStart, selectionEnd } = event.currentTarget;
      if (selectionStart !== 0 || selectionEnd !== before.length) return;
      const pasted = parseForeignNumber(event.clipboardData.getData('text'));
      if (pasted === null || (decimals === 0 && !Number.isInteger(pasted))) return;
      event.preventDefault();
      show(pasted);
    },
    onBlur: () => {
      tidy();
      onBlur?.();
    },
  };
}

interface StepButtonProps {
  readonly label: string;
  readonly step: 1 | -1;
  readonly inputId: string;
  readonly number: number | null;
  readonly min: number | undefined;
  readonly max: number | undefined;
  readonly disabled: boolean;
  readonly onStep: (next: number) => void;
  readonly children: ReactNode;
}

/** For the hand; keys have the arrows. It steps when pressed, and on while it is held. */
function StepButton(props: StepButtonProps) {
  const { label, step, inputId, number, min, max, disabled, onStep, children } = props;
  const repeating = useRepeat(() => {
    let reached = number;
    return () => {
      const next = stepped(reached, step, { min, max });
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
      aria-label={label}
      aria-controls={inputId}
      disabled={disabled || stepped(number, step, { min, max }) === number}
    >
      {children}
    </button>
  );
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
