import { useFieldArray } from 'react-hook-form';

import { Button, IconButton } from '../../../ui/Button.tsx';
import { ControlledNumber, ControlledSelect } from '../../../forms/Controlled.tsx';
import { fieldProps } from '../../../forms/Form.tsx';
import { TextField } from '../../../ui/Field.tsx';
import { PlusIcon, TrashIcon } from '../../../ui/icons.tsx';
import type { CreditForm, ReductionDraft, treatmentsLeft } from './credit-form.ts';
import styles from './CreditDialog.module.css';

export type ReductionVat = ReturnType<typeof treatmentsLeft>;

interface CreditReductionsProps {
  readonly form: CreditForm;
  readonly vat: ReductionVat;
  readonly newRow: () => ReductionDraft;
}

export function CreditReductions({ form, vat, newRow }: CreditReductionsProps) {
  const { control } = form;
  const { fields, append, remove } = useFieldArray({ control, name: 'reductions' });
  return (
    <div className="stack gap-4">
      <ol className="stack gap-4">
        {fields.map(({ id }, place) => (
          <li key={id} className="stack gap-3" aria-label={`Prisavslag ${place + 1}`}>
            <div className={styles.reduction}>
              <TextField
                label="Tekst"
                required
                {...fieldProps(form, `reductions.${place}.description`)}
              />
              {fields.length > 1 ? (
                <IconButton
                  label={`Fjern prisavslag ${place + 1}`}
                  icon={<TrashIcon />}
                  onClick={() => remove(place)}
                />
              ) : null}
            </div>
            <div className={`grid gap-4 ${styles.fields}`}>
              <ControlledNumber
                control={control}
                name={`reductions.${place}.netAmount`}
                label="Beløp uten mva."
                required
                decimals={2}
                min={0}
              />
              {vat.length > 1 ? (
                <ControlledSelect
                  control={control}
                  name={`reductions.${place}.vatTreatment`}
                  label="Mva."
                  required
                  options={vat.map(({ value, label }) => [value, label])}
                />
              ) : null}
            </div>
          </li>
        ))}
      </ol>
      {/* With one treatment of VAT one row says all. */}
      {vat.length > 1 ? (
        <Button variant="quiet" icon={<PlusIcon />} onClick={() => append(newRow())}>
          Legg til prisavslag
        </Button>
      ) : null}
    </div>
  );
}
