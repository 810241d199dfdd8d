import { useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { useFormContext } from 'react-hook-form';

import type { Customer } from '../../../../domain/customer/customer.schema.ts';
import { useUpdateCustomer } from '../../customer/customer.api.ts';
import type { FormWithTerms } from '../../editor/draft-values.ts';
import { type Recipients, useRecipientCustomers } from '../../editor/recipients.ts';
import { May } from '../../session/Allowed.tsx';
import { Alert } from '../../../ui/Surface.tsx';
import { Button } from '../../../ui/Button.tsx';
import { showCount } from '../../../lib/number-text.ts';
import { Modal } from '../../../ui/Modal.tsx';
import { useEhfReceivers } from './ehf-first.ts';
import { AddressForm } from '../AddressForm.tsx';

/** The number of customers shown at first. */
const SHOWN_FIRST = 4;

interface MissingEmailsProps {
  readonly recipients: Recipients;
  readonly locked: boolean;
  /** Called when the button that sends to the others is pressed, before it submits the form; absent where none does. */
  readonly onSend?: (() => void) | undefined;
}

/** Lists the customers without an e-mail address who do not get EHF either, and asks for one. Needs the form's provider. */
export function MissingEmails({ recipients, locked, onSend }: MissingEmailsProps) {
  const form = useFormContext<FormWithTerms>();
  const { customers: known, withoutEmail, areAll } = useRecipientCustomers(recipients);
  const { first } = useEhfReceivers(recipients, 'EMAIL');
  const customers = withoutEmail.filter((one) => !first.includes(one.customerNumber));
  const [asked, setAsked] = useState<Customer>();
  const [isWhole, setWhole] = useState(false);
  const list = useRef<HTMLUListElement>(null);
  const missing = customers.length;
  const reached = known.length - missing;
  return (
    <>
      {missing > 0 ? (
        <div className="whole-row">
          <Alert tone="warning" live title={titleOf(customers)}>
            <div className="stack gap-4">
              <p>{adviceOf(reached, locked)}</p>
              <ul ref={list} className="stack gap-4 scrolls">
                {customers.slice(0, isWhole ? missing : SHOWN_FIRST).map((customer) => (
                  <li key={customer.customerNumber} className="row gap-3">
                    {missing > 1 ? customer.name : null}
                    <Button
                      aria-label={`Legg til e-post for ${customer.name}`}
                      onClick={() => setAsked(customer)}
                    >
                      Legg til e-post
                    </Button>
                  </li>
                ))}
              </ul>
              <div className="row gap-3">
                {missing > SHOWN_FIRST && !isWhole ? (
                  <Button variant="quiet" onClick={() => setWhole(true)}>
                    Vis alle {showCount(missing)}
                  </Button>
                ) : null}
                {reached > 0 && areAll && onSend ? (
                  <May permission="issue">
                    <Button
                      // No submit button: Enter in a field would press the form's first one.
                      onClick={({ currentTarget }) => {
                        onSend();
                        currentTarget.form?.requestSubmit();
                      }}
                    >
                      {`Send ${showCount(reached)} nå, la ${showCount(missing)} bli utkast`}
                    </Button>
                  </May>
                ) : null}
                {reached === 0 && areAll && !locked ? (
                  <Button
                    onClick={() => {
                      form.setValue('deliveryType', 'NONE');
                      form.setFocus('deliveryType');
                    }}
                  >
                    Bruk Ingen i stedet
                  </Button>
                ) : null}
              </div>
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

/** @param reached how many recipients have an address */
function adviceOf(reached: number, locked: boolean): string {
  if (reached > 0) return 'Legg den til her. Fakturaer uten adresse blir liggende som utkast.';
  return locked
    ? 'Legg den til her, eller velg bort malen for å bruke Ingen.'
    : 'Legg den til her, eller lag fakturaen uten å sende den.';
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
