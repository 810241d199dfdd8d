import { useQueries, useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { useFormContext } from 'react-hook-form';

import type { Customer } from '../../../../domain/customer/customer.schema.ts';
import { customerQuery, useUpdateCustomer } from '../../customer/customer.api.ts';
import { customerGroupQuery } from '../../customer-group/customer-group.api.ts';
import type { FormWithTerms } from '../../editor/draft-values.ts';
import type { Recipients } from '../../editor/recipients.ts';
import { Alert } from '../../../ui/Alert.tsx';
import { Button } from '../../../ui/Button.tsx';
import { showCount } from '../../../lib/count.ts';
import { Modal } from '../../../ui/Modal.tsx';
import { AddressForm } from '../AddressForm.tsx';

/** Limits the look-ups. Registration reports any further customers without an address. */
const ASKED_MAX = 50;
const GROUP_ASKED_MAX = 1_000;
/** The number of customers shown; the rest get their address on their own pages. */
const SHOWN_MAX = 4;

/** Lists the customers without an e-mail address, and asks for one. Needs the form's provider. */
export function MissingEmails({ recipients, locked }: { recipients: Recipients; locked: boolean }) {
  const form = useFormContext<FormWithTerms>();
  const customers = useWithoutEmail(recipients);
  const [asked, setAsked] = useState<Customer>();
  const list = useRef<HTMLUListElement>(null);
  const others = customers.length - SHOWN_MAX;
  return (
    <>
      {customers.length > 0 ? (
        <div className="whole-row">
          <Alert tone="warning" live title={titleOf(customers)}>
            <div className="stack gap-4">
              <p>
                {locked
                  ? 'Legg den til her, eller velg bort malen for å bruke Ingen.'
                  : 'Legg den til her, eller lag fakturaen uten å sende den.'}
              </p>
              <ul ref={list} className="stack gap-4">
                {customers.slice(0, SHOWN_MAX).map((customer) => (
                  <li key={customer.customerNumber} className="row gap-3">
                    {customers.length > 1 ? customer.name : null}
                    <Button
                      aria-label={`Legg til e-post for ${customer.name}`}
                      onClick={() => setAsked(customer)}
                    >
                      Legg til e-post
                    </Button>
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
      ) : null}
      <EmailDialog
        // The current version: somebody else may have changed the customer.
        customer={
          customers.find(({ customerNumber }) => customerNumber === asked?.customerNumber) ?? asked
        }
        onClose={() => setAsked(undefined)}
        // The next customer, or the field that the notice belonged to.
        nextFocus={() =>
          list.current?.querySelector('button') ??
          document.querySelector<HTMLElement>('[name="deliveryType"]')
        }
      />
    </>
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
  ].filter(({ email, invoiceEmails }) => !email && invoiceEmails.length === 0);
  return [...new Map(known.map((customer) => [customer.customerNumber, customer])).values()];
}

interface EmailDialogProps {
  readonly customer: Customer | undefined;
  readonly onClose: () => void;
  readonly nextFocus: () => HTMLElement | null;
}

function EmailDialog({ customer, onClose, nextFocus }: EmailDialogProps) {
  const update = useUpdateCustomer(customer?.customerNumber ?? 0);
  const save = async (changed: Customer, email: string) => {
    const { credit: _, version, ...fields } = changed;
    await update.mutateAsync({ values: { ...fields, email }, version });
  };
  // A form cannot be inside another one, which this notice is in.
  return createPortal(
    <Modal
      title="Legg til e-post"
      open={customer !== undefined}
      pending={update.isPending}
      {...{ onClose, nextFocus }}
    >
      {customer ? (
        <AddressForm
          label={`E-post til ${customer.name}`}
          submitLabel="Lagre"
          pending={update.isPending}
          onClose={onClose}
          onAddress={async (email) => save(customer, email)}
        />
      ) : null}
    </Modal>,
    document.body,
  );
}
