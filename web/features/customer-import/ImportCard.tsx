import { useQuery } from '@tanstack/react-query';

import type { CustomerImportResult } from '../../../domain/customer/customer-import.schema.ts';
import { NAME_LENGTH } from '../../../domain/text.ts';
import { ApiError } from '../../lib/api-error.ts';
import { Alert } from '../../ui/Alert.tsx';
import { Button } from '../../ui/Button.tsx';
import { countOf, showCount } from '../../lib/count.ts';
import { Checkbox, SelectField, TextField } from '../../ui/Field.tsx';
import { Card } from '../../ui/Surface.tsx';
import { type Checked, useImportCustomers } from './customer-import.api.ts';
import { countUnrecognisable } from './rows.ts';
import styles from './Import.module.css';
import { Progress } from './Progress.tsx';
import { customerGroupsQuery } from '../customer-group/customer-group.api.ts';

/** Postal codes that lack the leading zero: their number, and whether the zero is added. */
export interface Padding {
  readonly count: number;
  readonly isOn: boolean;
  readonly set: (isOn: boolean) => void;
}

export interface ImportWishes {
  readonly updatesKnown: boolean;
  readonly group: GroupWish;
}

export const FIRST_WISHES: ImportWishes = { updatesKnown: true, group: { kind: 'none' } };

interface ImportCardProps {
  readonly checked: Checked;
  readonly isChecking: boolean;
  readonly skipped: number;
  readonly padding: Padding;
  readonly wishes: ImportWishes;
  readonly onWishes: (wishes: ImportWishes) => void;
  readonly onTakeBack: () => void;
  readonly onImported: (result: CustomerImportResult) => void;
  readonly onRefused: () => void;
}

export function ImportCard(props: ImportCardProps) {
  const { checked, isChecking, skipped, padding, wishes, onWishes, onImported } = props;
  const { rows, found } = checked;
  const { updatesKnown, group: wish } = wishes;
  const { mutateAsync, isPending, share } = useImportCustomers();
  const isReady = found.faults.length === 0 && !isChecking && isWhole(wish);
  const send = () => {
    const body = {
      rows: rows.map(({ row }) => row),
      updateKnown: updatesKnown,
      groupUuid: wish.kind === 'existing' ? wish.uuid : null,
      groupName: wish.kind === 'new' ? wish.name : null,
    };
    // A toast shows the refusal, as for every failed mutation; `onRefused` checks the rows again.
    mutateAsync(body).then(onImported, (error: unknown) => {
      if (error instanceof ApiError) props.onRefused();
    });
  };
  return (
    <Card heading="Dette skjer">
      <Sums found={found} skipped={skipped} onTakeBack={props.onTakeBack} />
      <Unrecognisable {...checked} />
      <div className={`stack gap-4 ${styles.choices}`}>
        {found.known.length === 0 ? null : (
          <KnownChoice
            found={found}
            isOn={updatesKnown}
            onChange={(isOn) => onWishes({ ...wishes, updatesKnown: isOn })}
          />
        )}
        <PaddingChoice padding={padding} />
        <GroupChoice wish={wish} onWish={(group) => onWishes({ ...wishes, group })} />
      </div>
      {isPending ? (
        <Progress label={share < 1 ? 'Sender listen' : 'Lagrer kundene'} share={share} />
      ) : null}
      <div className="row">
        <Button variant="primary" wide pending={isPending} disabled={!isReady} onClick={send}>
          Importer {countOf(rows.length, 'kunde', 'kunder')}
        </Button>
        {found.faults.length > 0 ? (
          <p className="note">Rett eller utelat radene med feil først.</p>
        ) : null}
      </div>
    </Card>
  );
}

function isWhole(wish: GroupWish): boolean {
  return wish.kind !== 'new' || wish.name.trim() !== '';
}

interface SumsProps {
  readonly found: Checked['found'];
  readonly skipped: number;
  readonly onTakeBack: () => void;
}

function Sums({ found, skipped, onTakeBack }: SumsProps) {
  const faulty = new Set(found.faults.map(({ row }) => row)).size;
  return (
    <>
      <p className={styles.sums} aria-live="polite">
        <strong>{countOf(found.created, 'ny kunde', 'nye kunder')}</strong>
        {found.known.length === 0 ? null : (
          <>
            , <strong>{countOf(found.updated, 'eksisterende kunde', 'eksisterende kunder')}</strong>
          </>
        )}
        {faulty === 0 ? ' og ingen feil.' : ` og ${countOf(faulty, 'rad', 'rader')} med feil.`}
      </p>
      {skipped === 0 ? null : (
        <Alert
          tone="info"
          action={
            <Button variant="quiet" onClick={onTakeBack}>
              Ta med igjen
            </Button>
          }
        >
          {countOf(skipped, 'rad er utelatt', 'rader er utelatt')}.
        </Alert>
      )}
    </>
  );
}

/** Counts the new customers that a second import of the list would duplicate. */
function Unrecognisable({ rows, found }: Checked) {
  const count = countUnrecognisable(rows, new Set(found.known.map(({ row }) => row)));
  if (count === 0) return null;
  return (
    <Alert tone="info">
      {countOf(count, 'ny kunde', 'nye kunder')} har verken kundenummer, organisasjonsnummer eller
      en e-postadresse som bare står på én rad. Importeres listen på nytt, blir{' '}
      {count === 1 ? 'den' : 'de'} lagt til en gang til.
    </Alert>
  );
}

interface KnownChoiceProps {
  readonly found: Checked['found'];
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
}

function KnownChoice({ found, isOn, onChange }: KnownChoiceProps) {
  const changed = found.known.filter(({ changes }) => changes.length > 0).length;
  return (
    <Checkbox
      label={`Oppdater ${countOf(found.known.length, 'kunde', 'kunder')} som finnes fra før`}
      hint={`${changesText(changed, found.known.length)} Tomme celler endrer ingenting.`}
      checked={isOn}
      onChange={(event) => onChange(event.target.checked)}
    />
  );
}

function changesText(changed: number, known: number): string {
  if (changed === 0) return known === 1 ? 'Kunden endres ikke.' : 'Ingen av dem endres.';
  if (known === 1) return 'Kunden oppdateres.';
  return `${changed === 1 ? 'Én' : showCount(changed)} av dem oppdateres.`;
}

function PaddingChoice({ padding }: Pick<ImportCardProps, 'padding'>) {
  if (padding.count === 0) return null;
  return (
    <Checkbox
      label={`Sett 0 foran ${countOf(padding.count, 'postnummer', 'postnumre')} på tre siffer`}
      hint="Regneark tar bort nullen først i 0150."
      checked={padding.isOn}
      onChange={(event) => padding.set(event.target.checked)}
    />
  );
}

/** The group for the imported customers: none, an existing one or a new one. */
type GroupWish =
  | { readonly kind: 'none' }
  | { readonly kind: 'existing'; readonly uuid: string }
  | { readonly kind: 'new'; readonly name: string };

const NEW = 'new';

interface GroupChoiceProps {
  readonly wish: GroupWish;
  readonly onWish: (wish: GroupWish) => void;
}

function GroupChoice({ wish, onWish }: GroupChoiceProps) {
  const groups = useQuery(customerGroupsQuery);
  const choose = (value: string) => {
    if (value === '') onWish({ kind: 'none' });
    else if (value === NEW) onWish({ kind: 'new', name: '' });
    else onWish({ kind: 'existing', uuid: value });
  };
  return (
    <div className="grid gap-4">
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
