import { useQueries, useQuery } from '@tanstack/react-query';
import { useImperativeHandle, useRef, type KeyboardEvent, type Ref } from 'react';
import { useFormContext } from 'react-hook-form';
import { z } from 'zod';

import type { Customer } from '../../../../domain/customer/customer.schema.ts';
import { requiredEmail } from '../../../../domain/text.ts';
import { customerQuery, useUpdateCustomer } from '../../customer/customer.api.ts';
import { customerGroupQuery } from '../../customer-group/customer-group.api.ts';
import { RequestAborted } from '../../../lib/api-error.ts';
import type { FormWithTerms } from '../../editor/invoice-form-state.ts';
import type { Recipients } from '../../editor/recipients.ts';
import { Alert } from '../../../ui/Alert.tsx';
import { Button } from '../../../ui/Button.tsx';
import { showCount } from '../../../lib/count.ts';
import { TextField } from '../../../ui/Field.tsx';
import { fieldProps, useSchemaForm } from '../../../forms/Form.tsx';
import styles from './MissingEmails.module.css';

/** Limits the look-ups. Registration reports any further customers without an address. */
const ASKED_MAX = 50;
const GROUP_ASKED_MAX = 1_000;
/** The number of address fields shown; the rest are filled in on the customers' own pages. */
const FIELDS_MAX = 4;

/** Lets the surrounding form save typed addresses before it saves itself. */
export interface TypedEmails {
  /**
   * Saves the addresses that are typed but not yet added.
   *
   * @throws RequestAborted when an address is invalid, after showing the error at its field; also throws any error of
   *   the mutation
   */
  readonly save: () => Promise<void>;
}

interface MissingEmailsProps {
  readonly ref: Ref<TypedEmails>;
  readonly recipients: Recipients;
  /** Whether a template decides the delivery type. */
  readonly locked: boolean;
}

/** Lists the customers without an e-mail address, with a field for each. Needs the form's provider. */
export function MissingEmails({ ref, recipients, locked }: MissingEmailsProps) {
  const customers = useWithoutEmail(recipients);
  return customers.length === 0 ? null : <Missing ref={ref} {...{ customers, locked }} />;
}

interface MissingProps extends Pick<MissingEmailsProps, 'ref' | 'locked'> {
  readonly customers: readonly Customer[];
}

function Missing({ ref, customers, locked }: MissingProps) {
  const form = useFormContext<FormWithTerms>();
  const root = useRef<HTMLDivElement>(null);
  const fields = useRef(new Set<TypedEmails>());
  useImperativeHandle(
    ref,
    () => ({
      save: async () => {
        // Copies the set: each field registers again on every render.
        const typed = [...fields.current];
        for (const field of typed) await field.save();
      },
    }),
    [],
  );
  const add = (field: TypedEmails) => {
    fields.current.add(field);
    return () => void fields.current.delete(field);
  };
  const goOn = () => {
    const next = root.current?.querySelector('input');
    if (next) next.focus();
    else form.setFocus('deliveryType');
  };
  const others = customers.length - FIELDS_MAX;
  return (
    <div ref={root} className={styles.notice}>
      <Alert tone="warning" live title={titleOf(customers)}>
        <div className={styles.body}>
          <p>
            {locked
              ? 'Legg den til her, eller velg bort malen for å bruke Ingen.'
              : 'Legg den til her, eller lag fakturaen uten å sende den.'}
          </p>
          <ul className={styles.list}>
            {customers.slice(0, FIELDS_MAX).map((customer) => (
              <li key={customer.customerNumber}>
                <EmailField ref={add} customer={customer} onSaved={goOn} />
              </li>
            ))}
          </ul>
          {others > 0 ? <p>Og {showCount(others)} til.</p> : null}
          {locked ? null : (
            <div>
              <Button
                onClick={() => {
                  form.setValue('deliveryType', 'NONE');
                  form.setFocus('deliveryType');
                }}
              >
                Bruk Ingen i stedet
              </Button>
            </div>
          )}
        </div>
      </Alert>
    </div>
  );
}

function titleOf(customers: readonly Customer[]): string {
  const [first] = customers;
  return customers.length === 1 && first
    ? `${first.name} har ingen e-postadresse`
    : `${showCount(customers.length)} kunder har ingen e-postadresse`;
}

/** The recipients who are known to have no e-mail address, without duplicates. */
function useWithoutEmail({ customers, group }: Recipients): readonly Customer[] {
  const asked = customers.slice(0, ASKED_MAX);
  const chosen = useQueries({
    queries: asked.map(({ customerNumber }) => customerQuery(customerNumber)),
  });
  const members = useQuery({
    ...customerGroupQuery(group?.uuid ?? ''),
    enabled: group !== null && (group.size ?? 0) <= GROUP_ASKED_MAX,
  });
  const known = [
    ...chosen.flatMap(({ data }) => data ?? []),
    ...(group ? (members.data?.customers ?? []) : []),
  ].filter(({ email }) => !email);
  return [...new Map(known.map((customer) => [customer.customerNumber, customer])).values()];
}

const emailForm = z.object({ email: requiredEmail() });

interface EmailFieldProps {
  readonly ref: Ref<TypedEmails>;
  readonly customer: Customer;
  readonly onSaved: () => void;
}

function EmailField({ ref, customer, onSaved }: EmailFieldProps) {
  const update = useUpdateCustomer(customer.customerNumber);
  // Renders no <form> element: it is inside the invoice's form, and forms cannot be nested.
  const form = useSchemaForm(emailForm, { email: '' });
  const store = async ({ email }: { email: string }) => {
    const { credit: _, version, ...fields } = customer;
    await update.mutateAsync({ values: { ...fields, email }, version });
  };
  const save = form.handleSubmit(async (values) => store(values).then(onSaved, () => undefined));
  useImperativeHandle(ref, () => ({
    save: async () => {
      if (form.getValues('email').trim() === '') return;
      let isEmail = false;
      await form.handleSubmit(async (values) => {
        isEmail = true;
        await store(values);
      })();
      if (isEmail) return;
      form.setFocus('email');
      throw new RequestAborted();
    },
  }));
  const saveOnEnter = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    if (!update.isPending) void save();
  };
  return (
    <fieldset className={styles.field} aria-label={customer.name}>
      <TextField
        label={`E-post til ${customer.name}`}
        required
        type="email"
        autoComplete="off"
        onKeyDown={saveOnEnter}
        {...fieldProps(form, 'email')}
      />
      <Button pending={update.isPending} onClick={() => void save()}>
        Legg til e-post
      </Button>
    </fieldset>
  );
}
