import { useController } from 'react-hook-form';

import { Alert } from '../../ui/Alert.tsx';
import { ChoiceField } from '../../ui/ChoiceField.tsx';
import type { AssignmentFormState } from './assignment-form.ts';
import { FIELD_LABELS, MODE_LABELS } from './recurring-labels.ts';

const CHOICES = [
  {
    value: 'DRAFT',
    label: MODE_LABELS.DRAFT,
    hint: 'Du ser over fakturaene og sender dem selv.',
  },
  {
    value: 'SEND',
    label: MODE_LABELS.SEND,
    hint: 'Fakturaene går til kundene av seg selv, på dagen. Uten leveringsmetode blir de bare registrert.',
  },
] as const;

export function ModeField({ form: { control } }: { form: AssignmentFormState }) {
  const { field, fieldState } = useController({ control, name: 'mode' });
  const { value = 'DRAFT', onChange, onBlur, ref } = field;
  return (
    <div className="stack">
      <ChoiceField
        label={FIELD_LABELS.mode}
        hideLabel
        choices={CHOICES}
        value={value}
        onChange={onChange}
        onBlur={onBlur}
        inputRef={ref}
        error={fieldState.error?.message}
      />
      {value === 'SEND' ? (
        <Alert tone="warning" live title="Ingen ser over fakturaene før de sendes">
          En faktura som er registrert, kan ikke endres eller slettes, bare krediteres. Kan en kunde
          ikke få sin, blir den et utkast, og du får beskjed. Det samme gjelder det som ikke ble
          laget på dagen.
        </Alert>
      ) : null}
    </div>
  );
}
