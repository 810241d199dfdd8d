import { useController, useFormContext } from 'react-hook-form';

import { DEFAULT_UNIT } from '../../../domain/unit.ts';
import { useFeature } from '../session/session.api.ts';
import { ControlledNumber } from '../../forms/Controlled.tsx';
import { SelectField } from '../../ui/Field.tsx';
import type { FormWithLines } from '../invoice/draft-lines.ts';
import { UnitOptions } from './LineOptions.tsx';
import styles from './LineFields.module.css';

interface QuantityFieldsProps {
  readonly path: `${keyof FormWithLines}.${number}`;
  readonly locked: boolean;
}

/** The quantity and unit of a line. Only whole numbers, without a unit, unless the feature `units` is on. */
export function QuantityFields({ path, locked }: QuantityFieldsProps) {
  const { control } = useFormContext<FormWithLines>();
  const units = useFeature('units');
  return (
    <>
      <ControlledNumber
        control={control}
        name={`${path}.invoicedQuantity`}
        label="Antall"
        required
        className={styles.quantity}
        decimals={units ? 3 : 0}
        min={units ? 0.001 : 1}
        disabled={locked}
      />
      {units ? <UnitField path={path} locked={locked} /> : null}
    </>
  );
}

function UnitField({ path, locked }: QuantityFieldsProps) {
  const { control } = useFormContext<FormWithLines>();
  const { field, fieldState } = useController({ control, name: `${path}.unit` });
  const chosen = field.value ?? DEFAULT_UNIT;
  return (
    <SelectField
      {...field}
      label="Enhet"
      required
      className={styles.unit}
      value={chosen}
      disabled={locked}
      error={fieldState.error?.message}
    >
      <UnitOptions chosen={chosen} />
    </SelectField>
  );
}
