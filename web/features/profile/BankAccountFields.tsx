import { useQuery } from '@tanstack/react-query';
import { useFieldArray, type UseFormReturn } from 'react-hook-form';
import { Link } from 'react-router';
import type { z } from 'zod/mini';

import { formatBankAccount, isValidBankAccount } from '../../../domain/parties.ts';
import type { profileFormWithVat, ProfileForm } from '../../../domain/profile/profile.schema.ts';
import { withoutSpaces } from '../../../domain/text.ts';
import { openAccountsQuery } from '../bank-file/bank-file.api.ts';
import { useFeature } from '../session/session.api.ts';
import { Alert } from '../../ui/Surface.tsx';
import { Button, IconButton } from '../../ui/Button.tsx';
import { countOf } from '../../lib/number-text.ts';
import { paths } from '../../lib/paths.ts';
import { Checkbox, FieldError, TextField } from '../../ui/Field.tsx';
import { errorAt, fieldProps, tidied, type Draft } from '../../forms/Form.tsx';
import { PlusIcon, TrashIcon } from '../../ui/icons.tsx';
import { kidAgreementQuery } from './settings.api.ts';
import styles from './BankAccountFields.module.css';

export type ProfileDraft = Draft<z.input<typeof profileFormWithVat>>;
export type ProfileFormState = UseFormReturn<ProfileDraft, unknown, ProfileForm>;

export function BankAccountFields({ form }: { form: ProfileFormState }) {
  const { fields, append, remove } = useFieldArray({ control: form.control, name: 'bankAccounts' });
  const { errors } = form.formState;
  const { data: kid } = useQuery({ ...kidAgreementQuery, enabled: useFeature('payments') });
  const isKept = (number: string) => kid?.account === digitsOf(number);
  const choosePrimary = (chosen: number, isPrimary: boolean) => {
    for (const index of fields.keys()) {
      form.setValue(`bankAccounts.${index}.isPrimary`, isPrimary && index === chosen, {
        shouldDirty: true,
      });
    }
  };
  return (
    <fieldset>
      <legend>Bankkontoer</legend>
      {fields.map((field, index) => (
        <div key={field.id} className={styles.account}>
          <AccountNumberField form={form} index={index} isKept={isKept(field.bankAccountNumber)} />
          <Checkbox
            label="Hovedkonto"
            checked={form.watch(`bankAccounts.${index}.isPrimary`) ?? false}
            onChange={(event) => choosePrimary(index, event.target.checked)}
          />
          <IconButton
            label={`Fjern konto ${index + 1}`}
            icon={<TrashIcon />}
            disabled={fields.length === 1 || isKept(field.bankAccountNumber)}
            onClick={() => remove(index)}
          />
        </div>
      ))}
      <FieldError
        message={errorAt(errors, 'bankAccounts') ?? errorAt(errors, 'bankAccounts.root')}
      />
      <Button
        variant="quiet"
        icon={<PlusIcon />}
        onClick={() => append({ bankAccountNumber: '', isPrimary: false })}
      >
        Legg til konto
      </Button>
      <RemovedAccounts form={form} />
    </fieldset>
  );
}

/** Warns when an account is removed that open invoices are to be paid to. */
function RemovedAccounts({ form }: { form: ProfileFormState }) {
  const numbersOf = (accounts: ProfileDraft['bankAccounts']) =>
    new Set((accounts ?? []).map((one) => digitsOf(one?.bankAccountNumber ?? '')));
  const stored = numbersOf(form.formState.defaultValues?.bankAccounts as never);
  const removed = stored.difference(numbersOf(form.watch('bankAccounts')));
  const isAsked = useFeature('payments') && removed.size > 0;
  const { data = [] } = useQuery({ ...openAccountsQuery, enabled: isAsked });
  const named = isAsked ? data.filter(({ account }) => removed.has(account)) : [];
  return (
    <>
      {named.map(({ account, openInvoices }) => (
        <Alert key={account} tone="warning" live>
          Konto {formatBankAccount(account)} står på{' '}
          {countOf(openInvoices, 'ubetalt faktura', 'ubetalte fakturaer')}. Kundene betaler dit til
          de er gjort opp, så behold kontoen i banken. Bankfilene for den leses fortsatt.
        </Alert>
      ))}
    </>
  );
}

function digitsOf(number: string): string {
  return number.replaceAll(/\D/g, '');
}

interface AccountNumberFieldProps {
  readonly form: ProfileFormState;
  readonly index: number;
  /** Whether it has the KID agreement, and so cannot be removed or become another one. */
  readonly isKept: boolean;
}

function AccountNumberField({ form, index, isKept }: AccountNumberFieldProps) {
  const name = `bankAccounts.${index}.bankAccountNumber` as const;
  const digits = (form.watch(name) ?? '').replaceAll(/[.\s]/g, '');
  const doubtful = /^\d{11}$/.test(digits) && !isValidBankAccount(digits);
  return (
    <TextField
      label="Kontonummer"
      hideLabel={index > 0}
      required
      // No numeric keypad: on some phones it lacks the point.
      placeholder="1234.11.12345"
      {...fieldProps(form, name, tidied(withoutSpaces))}
      readOnly={isKept}
      hint={
        doubtful ? (
          'Kontroller kontonummeret: kontrollsifferet stemmer ikke.'
        ) : isKept ? (
          <>
            Har KID-avtalen. <Link to={paths.agreements}>Endre avtalen</Link> før du bytter konto.
          </>
        ) : null
      }
      hintTone={doubtful ? 'warning' : 'plain'}
    />
  );
}
