import { useEffect } from 'react';
import type { z } from 'zod/mini';

import { formatBankAccount } from '../../../domain/parties.ts';
import {
  highestInvoiceNumber,
  KID_LENGTH_MAX,
  KID_LENGTH_MIN,
  makeAgreedKid,
  type KidRules,
} from '../../../domain/kid.ts';
import {
  kidAgreementForm,
  type KidAgreement,
} from '../../../domain/profile/kid-agreement.schema.ts';
import { START_INVOICE_NUMBER_MAX, type Profile } from '../../../domain/profile/profile.schema.ts';
import { Button } from '../../ui/Button.tsx';
import { ConfirmButton } from '../../ui/ConfirmDialog.tsx';
import { ControlledNumber } from '../../forms/Controlled.tsx';
import { showCount } from '../../lib/count.ts';
import { SelectField } from '../../ui/Field.tsx';
import { fieldProps, useSchemaForm, type Draft } from '../../forms/Form.tsx';
import { GuardedForm } from '../../forms/GuardedForm.tsx';
import { mainAccount } from './profile.api.ts';
import { useEndKidAgreement, useSaveKidAgreement } from './settings.api.ts';

type AgreementDraft = Draft<z.input<typeof kidAgreementForm>>;

const LABELS = { account: 'Konto', length: 'Lengde på KID', modulus: 'Kontrollsiffer' };

interface KidAgreementFormProps {
  readonly agreement: KidAgreement | null;
  readonly accounts: Profile['bankAccounts'];
}

export function KidAgreementForm({ agreement, accounts }: KidAgreementFormProps) {
  const save = useSaveKidAgreement();
  const form = useSchemaForm(kidAgreementForm, valuesOf(agreement, accounts));
  const { account, length, modulus } = form.watch();
  const numbers = accounts.map(({ bankAccountNumber }) => bankAccountNumber);
  const isRemoved = !numbers.includes(account);
  useEffect(() => {
    if (isRemoved) form.setValue('account', mainAccount(accounts));
  }, [isRemoved, form, accounts]);
  return (
    <GuardedForm
      form={form}
      name="kid-agreement"
      editing={
        agreement
          ? { record: agreement, valuesOf: (stored) => valuesOf(stored, accounts), labels: LABELS }
          : undefined
      }
      save={save}
      className="stack"
      label="KID-avtale"
    >
      <div className="grid narrow">
        <SelectField
          label={LABELS.account}
          required
          {...fieldProps(form, 'account')}
          options={numbers.map((number) => [number, formatBankAccount(number)])}
        />
        <ControlledNumber
          control={form.control}
          name="length"
          label={LABELS.length}
          required
          min={KID_LENGTH_MIN}
          max={KID_LENGTH_MAX}
          hint={`${KID_LENGTH_MIN} til ${KID_LENGTH_MAX} siffer, med kontrollsifferet.`}
        />
        <SelectField label={LABELS.modulus} required {...fieldProps(form, 'modulus')}>
          <option value="MOD10">MOD10</option>
          <option value="MOD11">MOD11</option>
        </SelectField>
      </div>
      <Example length={length} modulus={modulus} />
      <div className="row gap-2">
        <Button type="submit" variant="primary" wide pending={save.isPending}>
          {agreement ? 'Oppdater KID-avtale' : 'Inngå KID-avtale'}
        </Button>
        {agreement ? <EndAgreement /> : null}
      </div>
    </GuardedForm>
  );
}

function valuesOf(
  agreement: KidAgreement | null,
  accounts: Profile['bankAccounts'],
): AgreementDraft {
  return {
    account: agreement?.account ?? mainAccount(accounts),
    length: agreement?.length ?? null,
    modulus: agreement?.modulus ?? 'MOD10',
  };
}

const EXAMPLE = { customer: 42, invoice: 1001 };

/** An example KID for the typed values, and the highest invoice number that fits. */
function Example({ length, modulus }: { length: number | null; modulus: KidRules['modulus'] }) {
  return (
    <p className="box numeric" aria-live="polite">
      {isLength(length) ? (
        <Kid rules={{ length, modulus }} />
      ) : (
        'Skriv lengden, så ser du en KID her.'
      )}
    </p>
  );
}

function isLength(length: number | null): length is number {
  return kidAgreementForm.shape.length.safeParse(length).success;
}

function Kid({ rules }: { rules: KidRules }) {
  const highest = highestInvoiceNumber(rules);
  const invoice = Math.min(EXAMPLE.invoice, highest);
  const kid = makeAgreedKid(rules, EXAMPLE.customer, invoice);
  return (
    <>
      Faktura {invoice} til kunde {EXAMPLE.customer} får KID <strong>{kid}</strong>.
      {highest < START_INVOICE_NUMBER_MAX
        ? ` Lengden rekker til fakturanummer ${showCount(highest)}.`
        : null}
    </>
  );
}

function EndAgreement() {
  const end = useEndKidAgreement();
  return (
    <ConfirmButton
      label="Avslutt KID-avtale"
      variant="danger"
      wide
      title="Avslutte KID-avtale"
      confirmLabel="Avslutt"
      pending={end.isPending}
      onConfirm={(onSuccess) => end.mutate(undefined, { onSuccess })}
    >
      Nye fakturaer får ikke lenger KID etter avtalen, og skal betales til hovedkontoen. Fakturaer
      som er registrert, beholder sin KID.
    </ConfirmButton>
  );
}
