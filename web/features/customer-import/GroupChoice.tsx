import { useQuery } from '@tanstack/react-query';

import { NAME_LENGTH } from '../../../domain/text.ts';
import { customerGroupsQuery } from '../customer-group/customer-group.api.ts';
import { SelectField, TextField } from '../../ui/Field.tsx';
import styles from './Import.module.css';

/** The group for the imported customers: none, an existing one or a new one. */
export type GroupWish =
  | { readonly kind: 'none' }
  | { readonly kind: 'existing'; readonly uuid: string }
  | { readonly kind: 'new'; readonly name: string };

const NEW = 'new';

interface GroupChoiceProps {
  readonly wish: GroupWish;
  readonly onWish: (wish: GroupWish) => void;
}

export function GroupChoice({ wish, onWish }: GroupChoiceProps) {
  const groups = useQuery(customerGroupsQuery);
  const choose = (value: string) => {
    if (value === '') onWish({ kind: 'none' });
    else if (value === NEW) onWish({ kind: 'new', name: '' });
    else onWish({ kind: 'existing', uuid: value });
  };
  return (
    <div className={styles.group}>
      <SelectField
        label="Legg alle i en kundegruppe"
        value={wish.kind === 'existing' ? wish.uuid : wish.kind === 'new' ? NEW : ''}
        onChange={(event) => choose(event.target.value)}
      >
        <option value="">Ingen gruppe</option>
        <option value={NEW}>Ny gruppe …</option>
        {(groups.data ?? []).map(({ uuid, groupName }) => (
          <option key={uuid} value={uuid}>
            {groupName}
          </option>
        ))}
      </SelectField>
      {wish.kind === 'new' ? (
        <TextField
          label="Navn på gruppen"
          required
          autoComplete="off"
          maxLength={NAME_LENGTH}
          value={wish.name}
          onChange={(event) => onWish({ kind: 'new', name: event.target.value })}
        />
      ) : null}
    </div>
  );
}
