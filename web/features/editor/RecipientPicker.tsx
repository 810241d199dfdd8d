import { useLayoutEffect, useRef, useState, type ComponentType, type ReactNode } from 'react';
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
  type Recipients,
} from './recipients.ts';
import { CustomerFinder, GroupFinder } from './RecipientFinders.tsx';
import styles from './RecipientPicker.module.css';

/** Props of the form for a new customer, which the page provides. */
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

/** The recipients of the invoice. Outside the invoice's form, because forms cannot be nested. */
export function RecipientPicker(props: RecipientPickerProps) {
  const { isOne = false, recipients, onChange, errors, NewCustomer } = props;
  const [isCreating, setCreating] = useState(false);
  const [searched, setSearched] = useState('');
  const opener = useRef<HTMLButtonElement>(null);
  // The user may choose or remove recipients while a new customer is being saved.
  const latest = useRef(recipients);
  useLayoutEffect(() => {
    latest.current = recipients;
  }, [recipients]);
  const add = (customer: ChosenCustomer) =>
    onChange(isOne ? onlyCustomer(customer) : withCustomer(latest.current, customer));
  const finder = (
    <CustomerFinder chosen={recipients.customers} onChoose={add} onNotFound={setSearched} />
  );
  const close = () => {
    flushSync(() => setCreating(false));
    opener.current?.focus();
  };
  return (
    <Card heading={isOne ? 'Kunde' : 'Mottakere'}>
      <div className={styles.picker}>
        <Chosen recipients={recipients} onChange={onChange} />
        {recipients.group?.size === 0 ? (
          <Alert tone="warning" live>
            Gruppen har ingen kunder, så ingen får faktura gjennom den.
          </Alert>
        ) : null}
        <div id="recipient-errors" className={styles.errors}>
          <FieldError message={errorAt(errors, 'customerNumbers')} />
          <FieldError message={errorAt(errors, 'groupUuid')} />
        </div>
        {isCreating ? (
          <section ref={focusFirstField} className={styles.newCustomer} aria-label="Ny kunde">
            <h3 className={styles.newHeading}>Ny kunde</h3>
            <NewCustomer
              onCreated={(customer) => {
                add(customer);
                close();
              }}
              onCancel={close}
              searched={searched}
            />
          </section>
        ) : (
          <>
            {isOne ? (
              finder
            ) : (
              <Tabs label="Finn mottakere" tabs={finders(recipients, onChange, finder)} />
            )}
            <div>
              <Button
                ref={opener}
                variant="quiet"
                icon={<PlusIcon />}
                onClick={() => setCreating(true)}
              >
                Ny kunde
              </Button>
            </div>
          </>
        )}
      </div>
    </Card>
  );
}

/** Moves the focus into the form, which replaces the focused button. */
function focusFirstField(section: HTMLElement | null): void {
  section?.querySelector('input')?.focus();
}

function finders(
  recipients: Recipients,
  onChange: (recipients: Recipients) => void,
  customerFinder: ReactNode,
) {
  return [
    {
      name: 'customers',
      label: 'Kunder',
      content: customerFinder,
    },
    {
      name: 'groups',
      label: 'Grupper',
      content: (
        <GroupFinder
          chosen={recipients.group}
          onChoose={(group) => onChange({ ...recipients, group })}
        />
      ),
    },
  ];
}

function Chosen({ recipients, onChange }: Pick<RecipientPickerProps, 'recipients' | 'onChange'>) {
  const { customers, group } = recipients;
  return (
    <div aria-live="polite">
      {isNobody(recipients) ? (
        <p className={styles.nobody}>Legg til kunde først</p>
      ) : (
        <ul className={styles.tags} aria-label="Valgte mottakere">
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
