import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { FieldErrors } from 'react-hook-form';

import type { Customer } from '../../../domain/customer/customer.schema.ts';
import { errorAt, type FormFault } from '../../forms/Form.tsx';
import { keptInputs } from '../../forms/unsaved-input.tsx';
import { laterCode } from '../../lib/later-code.ts';
import { Alert, Card, Loading } from '../../ui/Surface.tsx';
import { Button } from '../../ui/Button.tsx';
import { FieldError } from '../../ui/Field.tsx';
import { PlusIcon } from '../../ui/icons.tsx';
import { Tabs } from '../../ui/Tabs.tsx';
import { Tag } from '../../ui/Tag.tsx';
import { useLaterCode } from '../../ui/useLaterCode.ts';
import { useCreateCustomer } from '../customer/customer.api.ts';
import {
  groupText,
  isNobody,
  onlyCustomer,
  withCustomer,
  withGroup,
  type ChosenCustomer,
  type ListedGroup,
  type Recipients,
} from './recipients.ts';
import { CustomerFinder, firstCustomersQuery, GroupFinder } from './RecipientFinders.tsx';
import styles from './RecipientPicker.module.css';

const RECIPIENTS_ID = 'recipients';
export const customerForm = laterCode(async () => import('../customer/CustomerForm.tsx'));

/** Said when the form that the recipients belong to is saved before the new customer. */
export const NEW_CUSTOMER_FIRST = 'Opprett den nye kunden, eller avbryt, før du lagrer';

/** The fault of a form without recipients, for its list of faults. */
export function recipientFaults(errors: FieldErrors, isOne = false): readonly FormFault[] {
  const isForNobody = errors['customerNumbers'] !== undefined;
  return isForNobody ? [{ id: RECIPIENTS_ID, name: isOne ? 'Kunde' : 'Mottakere' }] : [];
}

interface PickerProps {
  /** Whether there is only one customer; choosing another replaces it. */
  readonly isOne?: boolean;
  readonly recipients: Recipients;
  readonly onChange: (recipients: Recipients) => void;
  readonly errors: FieldErrors;
  /** The selector of the field to type in once somebody is chosen. Where it is given, the screen begins there or in the search. */
  readonly nextField?: string;
}

/** The recipients, above the form that they belong to: forms cannot be nested, and a new customer has its own form. */
export function RecipientPicker({ label, ...picker }: PickerProps & { label: string }) {
  // Loaded after the screen, so that it is there when 'Ny kunde' is pressed.
  useLaterCode(customerForm);
  const begin = useEffectEvent(() => {
    // The user may have gone elsewhere, or kept input is about to be restored.
    if (document.querySelector(':focus:not(h1)') || keptInputs().length > 0) return;
    const { nextField, recipients } = picker;
    if (!nextField) return;
    if (isNobody(recipients)) focusFirstField(document.getElementById(RECIPIENTS_ID));
    else document.querySelector<HTMLElement>(`${nextField}:enabled`)?.focus();
  });
  useEffect(() => begin(), []);
  return (
    <section
      id={RECIPIENTS_ID}
      tabIndex={-1}
      aria-label={label}
      aria-describedby="recipient-errors"
    >
      <Picker {...picker} />
    </section>
  );
}

/**
 * Once somebody is chosen the finder folds; asked for, it stays open for several. A new invoice of a company without
 * customers begins with the form of the first (INV-40).
 */
function Picker(props: PickerProps) {
  const { isOne = false, recipients, onChange, errors, nextField } = props;
  const queryClient = useQueryClient();
  const [open, setOpen] = useState<'finder' | 'form' | undefined>(() => {
    const hasNone = queryClient.getQueryData(firstCustomersQuery.queryKey)?.length === 0;
    return nextField && hasNone && isNobody(recipients) ? 'form' : undefined;
  });
  const [searched, setSearched] = useState('');
  const opener = useRef<HTMLButtonElement>(null);
  // The user may choose or remove recipients while a new customer is being saved.
  const latest = useRef(recipients);
  useLayoutEffect(() => {
    latest.current = recipients;
  }, [recipients]);
  /** Moves the focus on, or to the button that opens the finder again. */
  const fold = (next = recipients) => {
    flushSync(() => {
      if (next !== recipients) onChange(next);
      setOpen(undefined);
    });
    const isFirst = next !== recipients && isNobody(recipients) && nextField;
    // It may be disabled, as the lines of a template are: then the button has the focus.
    const field = isFirst && document.querySelector<HTMLElement>(`${nextField}:enabled`);
    (field || opener.current)?.focus();
  };
  const choose = (next: Recipients) => (isOne || open !== 'finder' ? fold(next) : onChange(next));
  const add = (customer: ChosenCustomer) =>
    choose(isOne ? onlyCustomer(customer) : withCustomer(latest.current, customer));
  const isFolded = open === undefined && !isNobody(recipients);
  return (
    <Card heading={isOne ? 'Kunde' : 'Mottakere'}>
      <div className="stack gap-4">
        <div className="row gap-2">
          <Chosen recipients={recipients} onChange={onChange} />
          {isFolded ? (
            <Button ref={opener} variant="quiet" onClick={() => setOpen('finder')}>
              {isOne ? 'Bytt kunde' : 'Legg til flere'}
            </Button>
          ) : null}
        </div>
        {recipients.group?.size === 0 ? (
          <Alert tone="warning" live>
            Gruppen har ingen kunder ennå, så ingen får faktura gjennom den.
          </Alert>
        ) : null}
        <div id="recipient-errors" className="unless-empty">
          <FieldError message={errorAt(errors, 'customerNumbers')} />
          <FieldError message={errorAt(errors, 'groupUuid')} />
        </div>
        {open === 'form' ? (
          <section className={`stack gap-4 ${styles.newCustomer}`} aria-label="Ny kunde">
            <h3>Ny kunde</h3>
            <NewCustomer onCreated={add} onCancel={() => fold()} searched={searched} />
          </section>
        ) : isFolded ? null : (
          <div ref={open ? focusFirstField : null} className="stack gap-4">
            <Finders
              {...{ isOne, recipients }}
              onCustomer={add}
              onGroup={(group) => choose(withGroup(recipients, group))}
              onNotFound={setSearched}
            />
            <div>
              <Button
                ref={opener}
                variant="quiet"
                icon={<PlusIcon />}
                onClick={() => setOpen('form')}
              >
                Ny kunde
              </Button>
              {open && !isNobody(recipients) ? (
                <Button variant="quiet" onClick={() => fold()}>
                  Ferdig
                </Button>
              ) : null}
            </div>
          </div>
        )}
      </div>
    </Card>
  );
}

interface NewCustomerProps {
  readonly onCreated: (customer: Customer) => void;
  readonly onCancel: () => void;
  /** The search text that found nobody; it may be a name or an e-mail address. */
  readonly searched: string;
}

function NewCustomer({ onCreated, onCancel, searched }: NewCustomerProps) {
  const create = useCreateCustomer();
  const need = { isNeeded: true, what: 'Skjemaet', onFailure: onCancel };
  const code = useLaterCode(customerForm, need);
  if (!code) return <Loading />;
  return (
    <div ref={focusFirstField}>
      <code.CustomerForm
        isBrief
        prefilled={searched.includes('@') ? { email: searched } : { name: searched }}
        save={create}
        onSaved={onCreated}
        onCancel={onCancel}
      />
    </div>
  );
}

export function focusFirstField(place: HTMLElement | null): void {
  place?.querySelector('input')?.focus();
}

interface FindersProps {
  readonly isOne: boolean;
  readonly recipients: Recipients;
  readonly onCustomer: (customer: ChosenCustomer) => void;
  readonly onGroup: (group: ListedGroup) => void;
  readonly onNotFound: (searched: string) => void;
}

function Finders({ isOne, recipients, onCustomer, onGroup, onNotFound }: FindersProps) {
  const { customers, group } = recipients;
  const customerFinder = (
    <CustomerFinder chosen={customers} onChoose={onCustomer} onNotFound={onNotFound} />
  );
  if (isOne) return customerFinder;
  return (
    <Tabs
      label="Finn mottakere"
      tabs={[
        { name: 'customers', label: 'Kunder', content: customerFinder },
        {
          name: 'groups',
          label: 'Grupper',
          content: <GroupFinder chosen={group} onChoose={onGroup} />,
        },
      ]}
    />
  );
}

function Chosen({ recipients, onChange }: Pick<PickerProps, 'recipients' | 'onChange'>) {
  const { customers, group } = recipients;
  return (
    <div aria-live="polite">
      {isNobody(recipients) ? (
        <p className="soft">Legg til kunde først</p>
      ) : (
        <ul className="row gap-2" aria-label="Valgte mottakere">
          {group ? (
            <li>
              <Tag
                label={groupText(group)}
                onRemove={() => onChange({ ...recipients, group: null })}
              />
            </li>
          ) : null}
          {customers.map(({ customerNumber, name }) => (
            <li key={customerNumber}>
              <Tag
                label={name}
                onRemove={() => {
                  const others = customers.filter((one) => one.customerNumber !== customerNumber);
                  onChange({ ...recipients, customers: others });
                }}
              />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
