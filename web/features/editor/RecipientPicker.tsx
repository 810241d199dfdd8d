import { useLayoutEffect, useRef, useState, type ComponentType } from 'react';
import { flushSync } from 'react-dom';
import type { FieldErrors } from 'react-hook-form';

import type { Customer } from '../../../domain/customer/customer.schema.ts';
import { Alert } from '../../ui/Alert.tsx';
import { Button } from '../../ui/Button.tsx';
import { FieldError } from '../../ui/Field.tsx';
import { errorAt } from '../../forms/Form.tsx';
import { PlusIcon } from '../../ui/icons.tsx';
import { Card } from '../../ui/Surface.tsx';
import { Tabs } from '../../ui/Tabs.tsx';
import { Tag } from '../../ui/Tag.tsx';
import {
  groupText,
  isNobody,
  onlyCustomer,
  withCustomer,
  withoutCustomer,
  type ChosenCustomer,
  type ChosenGroup,
  type Recipients,
} from './recipients.ts';
import { CustomerFinder, GroupFinder } from './RecipientFinders.tsx';
import styles from './RecipientPicker.module.css';

/** Props of the form for a new customer, which the page provides. It takes the focus. */
export interface NewCustomerSlot {
  readonly onCreated: (customer: Customer) => void;
  readonly onCancel: () => void;
  /** The search text that found nobody; it may be a name or an e-mail address. */
  readonly searched: string;
}

interface RecipientPickerProps {
  /** Whether there is only one customer; choosing another replaces it. */
  readonly isOne?: boolean;
  readonly recipients: Recipients;
  readonly onChange: (recipients: Recipients) => void;
  readonly errors: FieldErrors;
  readonly NewCustomer: ComponentType<NewCustomerSlot>;
}

/**
 * The recipients of the invoice. Outside the invoice's form, because forms cannot be nested. Once somebody is chosen the
 * finder folds; asked for, it stays open for several.
 */
export function RecipientPicker(props: RecipientPickerProps) {
  const { isOne = false, recipients, onChange, errors, NewCustomer } = props;
  const [open, setOpen] = useState<'finder' | 'form'>();
  const [searched, setSearched] = useState('');
  const opener = useRef<HTMLButtonElement>(null);
  // The user may choose or remove recipients while a new customer is being saved.
  const latest = useRef(recipients);
  useLayoutEffect(() => {
    latest.current = recipients;
  }, [recipients]);
  /** Moves the focus to the button that opens the finder again. */
  const fold = (next = recipients) => {
    flushSync(() => {
      if (next !== recipients) onChange(next);
      setOpen(undefined);
    });
    opener.current?.focus();
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
            Gruppen har ingen kunder, så ingen får faktura gjennom den.
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
              onGroup={(group) => choose({ ...recipients, group })}
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

export function focusFirstField(place: HTMLElement | null): void {
  place?.querySelector('input')?.focus();
}

interface FindersProps {
  readonly isOne: boolean;
  readonly recipients: Recipients;
  readonly onCustomer: (customer: ChosenCustomer) => void;
  readonly onGroup: (group: ChosenGroup) => void;
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

function Chosen({ recipients, onChange }: Pick<RecipientPickerProps, 'recipients' | 'onChange'>) {
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
                onRemove={() => onChange(withoutCustomer(recipients, customerNumber))}
              />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
