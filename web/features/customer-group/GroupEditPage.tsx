import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { Link, useNavigate, useParams } from 'react-router';

import {
  type Customer,
  type CustomerGroup,
  customerGroupForm,
  type CustomerGroupForm as GroupValues,
  GROUP_SIZE_MAX,
} from '../../../domain/customer/customer.schema.ts';
import { customerSearchText, searchWords, soughtOf } from '../../../domain/search-text.ts';
import { GuardedForm, useWiring } from '../../forms/GuardedForm.tsx';
import { DeleteRecord } from '../../forms/DeleteButton.tsx';
import { labelled, type Saving, useSchemaForm } from '../../forms/Form.tsx';
import { showCount } from '../../lib/number-text.ts';
import { paths } from '../../lib/paths.ts';
import { Badge } from '../../ui/Badge.tsx';
import { Button, ButtonLink } from '../../ui/Button.tsx';
import { Combobox, ComboboxInput, ComboboxList, ComboboxOption } from '../../ui/Combobox.tsx';
import { Checkbox, FieldError, TextField } from '../../ui/Field.tsx';
import { CheckIcon, FileIcon } from '../../ui/icons.tsx';
import { Page, RecordPage } from '../../ui/Page.tsx';
import { Pages } from '../../ui/Pager.tsx';
import { SearchField, useDebounced } from '../../ui/SearchField.tsx';
import { Card, Fetched } from '../../ui/Surface.tsx';
import { customersQuery } from '../customer/customer.api.ts';
import { DependentAssignments, UnlessSent } from '../dependents/DependentAssignments.tsx';
import { useIsProfileIncomplete } from '../profile/profile.api.ts';
import { May } from '../session/Allowed.tsx';
import {
  customerGroupQuery,
  useCreateCustomerGroup,
  useDeleteCustomerGroup,
  useUpdateCustomerGroup,
} from './customer-group.api.ts';
import styles from './GroupForm.module.css';

/** A new group, or a change of the one in the address. */
export function GroupEditPage() {
  const { uuid } = useParams();
  return uuid === undefined ? <NewGroup /> : <StoredGroup uuid={uuid} />;
}

function NewGroup() {
  const navigate = useNavigate();
  const create = useCreateCustomerGroup();
  return (
    <Page heading="Opprett kundegruppe" width="form">
      <GroupForm save={create} onSaved={() => void navigate(paths.groups)} />
    </Page>
  );
}

function StoredGroup({ uuid }: { uuid: string }) {
  const query = useQuery(customerGroupQuery(uuid));
  const incomplete = useIsProfileIncomplete();
  const update = useUpdateCustomerGroup(uuid);
  const remove = useDeleteCustomerGroup();
  return (
    <RecordPage
      heading="Endre kundegruppe"
      width="form"
      actions={
        <May permission="edit">
          <ButtonLink to={paths.invoiceCreateTo(uuid)} icon={<FileIcon />} disabled={incomplete}>
            Fakturer gruppen
          </ButtonLink>
        </May>
      }
      query={query}
    >
      {(group) => (
        <UnlessSent uses={({ groupUuid }) => groupUuid === uuid}>
          <GroupForm group={group} save={update} />
          <DeleteRecord what="kundegruppe" remove={remove} value={uuid} to={paths.groups}>
            <p>{`Gruppen ${group.groupName} slettes. Kundene i den beholdes.`}</p>
            <DependentAssignments query={{}} uses={({ groupUuid }) => groupUuid === uuid}>
              {(assignments) =>
                `Gruppen er mottaker i ${assignments}. Der lages det ingen fakturaer før noen velger andre mottakere.`
              }
            </DependentAssignments>
          </DeleteRecord>
        </UnlessSent>
      )}
    </RecordPage>
  );
}

interface GroupFormProps {
  readonly group?: CustomerGroup;
  readonly save: Saving<GroupValues, CustomerGroup>;
  readonly onSaved?: (group: CustomerGroup) => void;
}

const LABELS = { groupName: 'Navn på gruppen', customers: 'Kunder i gruppen' };

/** Comes with the customers: a list that becomes shorter would pull up what is below it (WEB-27). */
function GroupForm(props: GroupFormProps) {
  const customers = useQuery(customersQuery);
  return <Fetched query={customers}>{(all) => <GroupFields {...props} customers={all} />}</Fetched>;
}

function GroupFields(props: GroupFormProps & { readonly customers: readonly Customer[] }) {
  const { group, save, onSaved, customers } = props;
  const form = useSchemaForm(customerGroupForm, initialValues(group));
  const members = useWiring({ control: form.control, name: 'customers' });
  return (
    <GuardedForm
      form={form}
      name="group"
      editing={group && { record: group, valuesOf: initialValues, labels: LABELS }}
      save={save}
      onSaved={onSaved}
      className="stack"
      label="Kundegruppe"
    >
      <Card>
        <TextField required {...labelled(form, LABELS)('groupName')} />
      </Card>
      <MemberPicker {...{ customers }} selected={members.value} onChange={members.onChange} />
      <FieldError message={members.error} />
      <div>
        <Button type="submit" variant="primary" pending={save.isPending}>
          Lagre
        </Button>
      </div>
    </GuardedForm>
  );
}

function initialValues(group: CustomerGroup | undefined): GroupValues {
  return {
    groupName: group?.groupName ?? '',
    customers: group?.customers.map((customer) => customer.customerNumber) ?? [],
  };
}

interface MemberPickerProps {
  /** All customers, since members may be on other pages. */
  readonly customers: readonly Customer[];
  readonly selected: readonly number[];
  readonly onChange: (customerNumbers: number[]) => void;
}

/** Selects the members of a group: a search, and every customer with a mark, fifty per page. */
function MemberPicker(props: MemberPickerProps) {
  const { customers, selected } = props;
  return (
    <Card
      heading="Kunder i gruppen"
      aside={
        <Badge tone="gray">
          {showCount(selected.length)} av {showCount(customers.length)} kunder
        </Badge>
      }
    >
      {customers.length === 0 ? (
        <p className="soft pad">
          Du har ingen kunder ennå.{' '}
          <May permission="edit">
            <Link to={paths.customerCreate}>Opprett den første kunden</Link>.
          </May>
        </p>
      ) : (
        <Members {...props} />
      )}
    </Card>
  );
}

function Members({ customers, selected, onChange }: MemberPickerProps) {
  const [text, setText] = useState('');
  const [onlyMembers, setOnlyMembers] = useState(false);
  const [page, setPage] = useState(1);
  const query = useDebounced(text.trim());
  const members = useMemo(() => new Set(selected), [selected]);
  const hits = useMemo(() => findCustomers(customers, query), [customers, query]);
  const isMember = ({ customerNumber }: Customer) => members.has(customerNumber);
  const listed = onlyMembers ? hits.filter(isMember) : hits;
  // Sorted, so that selecting and deselecting a customer restores the same value and the form is not dirty.
  const choose = (next: Iterable<number>) =>
    onChange([...next].toSorted((one, other) => one - other));
  const toggle = ({ customerNumber }: Customer) =>
    choose(members.symmetricDifference(new Set([customerNumber])));
  return (
    <Pages items={listed} page={page} onPage={setPage}>
      {(shown) => (
        <Combobox
          options={shown}
          keyOf={({ customerNumber }) => String(customerNumber)}
          isChosen={isMember}
          canRemove
          entersOnly={text !== '' && query === text.trim()}
          onChoose={toggle}
        >
          <div className="row">
            <ComboboxInput isOpen={shown.length > 0}>
              <SearchField
                label="Søk etter kunde"
                placeholder="Søk etter kunde"
                value={text}
                onChange={(next) => {
                  setText(next);
                  setPage(1);
                }}
              />
            </ComboboxInput>
            <Checkbox
              label="Vis bare valgte"
              checked={onlyMembers}
              onChange={(event) => {
                setOnlyMembers(event.target.checked);
                setPage(1);
              }}
            />
          </div>
          <ChooseAll hits={hits} isSearch={query !== ''} members={members} onChoose={choose} />
          <ComboboxList label="Kunder" className={styles.members}>
            {shown.map((customer) => (
              <ComboboxOption
                key={customer.customerNumber}
                option={customer}
                icon={<Mark isOn={isMember(customer)} />}
                name={
                  <>
                    <span className={`aside numeric ${styles.number}`}>
                      {customer.customerNumber}
                    </span>{' '}
                    {customer.name}
                  </>
                }
              />
            ))}
          </ComboboxList>
          {listed.length === 0 ? (
            <p className="soft pad">{query === '' ? 'Ingen er valgt.' : 'Ingen treff'}</p>
          ) : null}
        </Combobox>
      )}
    </Pages>
  );
}

/** Looks like a checkbox. The option says whether it is selected. */
function Mark({ isOn }: { isOn: boolean }) {
  return (
    <span className={styles.mark} data-on={isOn || undefined}>
      {isOn ? <CheckIcon strokeWidth={3} /> : null}
    </span>
  );
}

interface ChooseAllProps {
  readonly hits: readonly Customer[];
  readonly isSearch: boolean;
  readonly members: ReadonlySet<number>;
  readonly onChoose: (customerNumbers: Iterable<number>) => void;
}

function ChooseAll({ hits, isSearch, members, onChoose }: ChooseAllProps) {
  const numbers = new Set(hits.map(({ customerNumber }) => customerNumber));
  const chosen = numbers.intersection(members).size;
  const hasRoom = members.size + hits.length - chosen <= GROUP_SIZE_MAX;
  const what = isSearch ? `alle ${showCount(hits.length)} treff` : 'alle';
  return (
    <div className={`row gap-2 ${styles.chooseAll}`}>
      <Button
        disabled={chosen === hits.length || !hasRoom}
        onClick={() => onChoose(members.union(numbers))}
      >
        Velg {what}
      </Button>
      <Button
        variant="quiet"
        disabled={chosen === 0}
        onClick={() => onChoose(members.difference(numbers))}
      >
        Fjern {what}
      </Button>
      <p className="note numeric end" aria-live="polite">
        {hasRoom ? null : `En gruppe kan ha høyst ${showCount(GROUP_SIZE_MAX)} kunder.`}
        {hasRoom && isSearch
          ? `${showCount(chosen)} av ${showCount(hits.length)} treff er valgt`
          : null}
      </p>
    </div>
  );
}

/** Searches a complete list of customers with the same rules as the server. */
function findCustomers(customers: readonly Customer[], query: string): readonly Customer[] {
  const sought = searchWords(query).map(soughtOf);
  if (sought.length === 0) return customers;
  return customers.filter((customer) => {
    const text = customerSearchText(customer);
    return sought.every((word) => text.includes(word));
  });
}
