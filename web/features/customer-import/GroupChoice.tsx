import { useQuery } from '@tanstack/react-query';

import { NAME_LENGTH } from '../../../domain/text.ts';
import { SelectField, TextField, type Option } from '../../ui/Field.tsx';
import { customerGroupsQuery } from '../customer-group/customer-group.api.ts';

/** The group for the imported customers: none, an existing one or a new one. */
type GroupWish =
  | { readonly kind: 'none' }
  | { readonly kind: 'existing'; readonly uuid: string }
  | { readonly kind: 'new'; readonly name: string };

export const NO_GROUP: GroupWish = { kind: 'none' };

export function isWhole(wish: GroupWish): boolean {
  return wish.kind !== 'new' || wish.name.trim() !== '';
}

export function groupFields(wish: GroupWish) {
  return {
    groupUuid: wish.kind === 'existing' ? wish.uuid : null,
    groupName: wish.kind === 'new' ? wish.name : null,
  };
}

const NEW = 'new';

interface GroupChoiceProps {
  readonly wish: GroupWish;
  readonly onWish: (wish: GroupWish) => void;
}

export function GroupChoice({ wish, onWish }: GroupChoiceProps) {
  const groups = useQuery(customerGroupsQuery);
  const choose = (value: string) => {
    if (value === '') onWish(NO_GROUP);
    else if (value === NEW) onWish({ kind: 'new', name: '' });
    else onWish({ kind: 'existing', uuid: value });
  };
  return (
    <div className="grid gap-4">
      <SelectField
        label="Legg alle i en kundegruppe"
        value={wish.kind === 'existing' ? wish.uuid : wish.kind === 'new' ? NEW : ''}
        onChange={(event) => choose(event.target.value)}
        options={[
          ['', 'Ingen gruppe'],
          [NEW, 'Ny gruppe …'],
          ...(groups.data ?? []).map(({ uuid, groupName }): Option => [uuid, groupName]),
        ]}
      />
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
