import type { ComponentProps } from 'react';

import { classNames } from '../lib/class-names.ts';
import { Field, type FieldProps } from './Field.tsx';
import fieldStyles from './Field.module.css';
import styles from './TextArea.module.css';

type TextAreaProps = FieldProps & Omit<ComponentProps<'textarea'>, 'className' | 'required'>;

/** A multi-line text field that grows with its text. */
export function TextArea(props: TextAreaProps) {
  const { label, error, hint, hintTone, required, hideLabel, className, ...textarea } = props;
  return (
    <Field {...{ label, error, hint, hintTone, required, hideLabel, className }}>
      {(control) => (
        <textarea
          rows={3}
          {...textarea}
          {...control}
          className={classNames(fieldStyles.input, styles.area)}
        />
      )}
    </Field>
  );
}
