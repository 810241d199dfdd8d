import { type ComponentProps, type ReactNode, useId } from 'react';

import styles from './Field.module.css';
import { classNames } from '../lib/class-names.ts';
import { Explanation } from './Explanation.tsx';
import { ChevronDownIcon } from './icons.tsx';

/** Attributes that connect a control to its label, hint and error. */
export interface ControlProps {
  readonly id: string;
  readonly 'aria-describedby': string | undefined;
  readonly 'aria-invalid': true | undefined;
  readonly 'aria-required': true | undefined;
}

export interface FieldProps {
  readonly label: string;
  /** The error message of the API contract, in English. */
  readonly error?: string | undefined;
  /** Help, or a remark about the value. Shown together with an error. */
  readonly hint?: ReactNode;
  readonly hintTone?: 'plain' | 'warning';
  /** The id of an element elsewhere on the screen that describes the field. */
  readonly describedBy?: string | undefined;
  /** Whether the hint explains the error, so that no Norwegian explanation is added. */
  readonly isExplained?: boolean | undefined;
  readonly required?: boolean;
  /** Hides the label visually, for a field with a heading of the same text. */
  readonly hideLabel?: boolean;
  readonly className?: string | undefined;
}

export function Field(props: FieldProps & { children: (control: ControlProps) => ReactNode }) {
  const { label, error, hint, hintTone = 'plain', required = false } = props;
  const id = useId();
  const hintId = `${id}-hint`;
  const errorId = `${id}-error`;
  const describedBy = [props.describedBy, hint && hintId, error && errorId]
    .filter(Boolean)
    .join(' ');
  return (
    <div className={classNames('stack gap-0', props.className)}>
      <div className={props.hideLabel ? 'visually-hidden' : styles.labelRow}>
        <label htmlFor={id} className="strong">
          {label}
        </label>
        {/* Outside the label, so that it is not part of the field's accessible name. */}
        {required ? null : (
          <span className="aside" aria-hidden="true">
            valgfritt
          </span>
        )}
      </div>
      {props.children({
        id,
        'aria-describedby': describedBy || undefined,
        'aria-invalid': error ? true : undefined,
        'aria-required': required || undefined,
      })}
      <p
        id={hintId}
        className={`unless-empty ${styles.hint}`}
        data-tone={hintTone}
        aria-live="polite"
      >
        {hint}
      </p>
      <FieldError id={errorId} message={error} isExplained={props.isExplained} />
    </div>
  );
}

interface FieldErrorProps {
  /** Absent for the error of several fields, none of which it describes: it takes the focus itself. */
  readonly id?: string;
  readonly message: string | undefined;
  /** Whether a hint explains the error already. */
  readonly isExplained?: boolean | undefined;
}

/**
 * The English error message, marked with `lang` for screen readers because the page is Norwegian. Its
 * Norwegian explanation follows.
 */
export function FieldError({ id, message, isExplained = false }: FieldErrorProps) {
  if (!message) return null;
  return (
    <p
      className={styles.hint}
      data-tone="red"
      {...(id ? { id } : { tabIndex: -1, 'data-of-several': true })}
    >
      <span lang="en">{message}</span>
      {isExplained ? null : <Explanation of={message} className={styles.explanation} />}
    </p>
  );
}

type TextFieldProps = FieldProps &
  Omit<ComponentProps<'input'>, 'className' | 'required'> & { readonly inputClassName?: string };

export function TextField(props: TextFieldProps) {
  const { label, error, hint, hintTone, describedBy, required, hideLabel, className, ...rest } =
    props;
  const { inputClassName, ...input } = rest;
  return (
    <Field {...{ label, error, hint, hintTone, describedBy, required, hideLabel, className }}>
      {(control) => (
        <input
          type="text"
          autoComplete="off"
          {...input}
          {...control}
          className={classNames(styles.input, inputClassName)}
        />
      )}
    </Field>
  );
}

export type Option = readonly [value: string | number, label: string];

interface SelectFieldProps
  extends FieldProps, Omit<ComponentProps<'select'>, 'className' | 'required'> {
  /** Absent where the children are the options. */
  readonly options?: readonly Option[];
}

export function SelectField(props: SelectFieldProps) {
  const { label, error, hint, hintTone, required, hideLabel, className, ...rest } = props;
  const { options = [], children, ...select } = rest;
  return (
    <Field {...{ label, error, hint, hintTone, required, hideLabel, className }}>
      {(control) => (
        <div className={`${styles.box} ${styles.select}`}>
          <select {...select} {...control} className={styles.input}>
            {children}
            {options.map(([value, name]) => (
              <option key={value} value={value}>
                {name}
              </option>
            ))}
          </select>
          <ChevronDownIcon />
        </div>
      )}
    </Field>
  );
}

type CheckboxProps = Omit<ComponentProps<'input'>, 'type' | 'className'> & {
  readonly label: ReactNode;
  readonly hint?: ReactNode;
  /** The error message of the API contract, in English. */
  readonly error?: string | undefined;
};

export function Checkbox({ label, hint, error, ...input }: CheckboxProps) {
  const id = useId();
  const hintId = `${id}-hint`;
  const errorId = `${id}-error`;
  const describedBy = [hint ? hintId : '', error ? errorId : ''].filter(Boolean).join(' ');
  return (
    <div className="stack gap-0">
      <label className={`check ${styles.checkbox}`}>
        <input
          id={id}
          type="checkbox"
          {...input}
          aria-describedby={describedBy || undefined}
          aria-invalid={error ? true : undefined}
        />
        <span>{label}</span>
      </label>
      {hint ? (
        <p id={hintId} className={styles.hint}>
          {hint}
        </p>
      ) : null}
      <FieldError id={errorId} message={error} />
    </div>
  );
}

type TextAreaProps = FieldProps & Omit<ComponentProps<'textarea'>, 'className' | 'required'>;

export function TextArea(props: TextAreaProps) {
  const { label, error, hint, hintTone, required, hideLabel, className, ...textarea } = props;
  return (
    <Field {...{ label, error, hint, hintTone, required, hideLabel, className }}>
      {(control) => <textarea rows={3} {...textarea} {...control} className={styles.input} />}
    </Field>
  );
}
