import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { useEffect } from 'react';
import type { z } from 'zod/mini';

import { type Profile, START_INVOICE_NUMBER_MAX } from '../../../domain/profile/profile.schema.ts';
import { formatInstant } from '../../../domain/date.ts';
import type { EhfAgreement, EhfAgreementStatus } from '../../../domain/ehf/ehf.schema.ts';
import { formatOrgNumber, formatBankAccount } from '../../../domain/parties.ts';
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
import { paths } from '../../lib/paths.ts';
import { useFeature, useSession } from '../session/session.api.ts';
import { Alert, Card, Fetched, LoadFailure, PageSkeleton, Skeleton } from '../../ui/Surface.tsx';
import { Badge, type Label, LabelBadge } from '../../ui/Badge.tsx';
import { Button } from '../../ui/Button.tsx';
import { FileIcon } from '../../ui/icons.tsx';
import { NotFound, Page } from '../../ui/Page.tsx';
import { AgreementCard, Agreements } from './Agreements.tsx';
import { EInvoiceChoices } from '../einvoice/EInvoiceChoices.tsx';
import { ehfAgreementQuery, profileQuery, mainAccount } from './profile.api.ts';
import {
  kidAgreementQuery,
  useRequestEhfAgreement,
  useEndKidAgreement,
  useSaveKidAgreement,
} from './settings.api.ts';
import { ConfirmButton } from '../../ui/Modal.tsx';
import { ControlledNumber, GuardedForm } from '../../forms/GuardedForm.tsx';
import { showCount } from '../../lib/number-text.ts';
import { SelectField } from '../../ui/Field.tsx';
import { labelled, useSchemaForm, type Draft } from '../../forms/Form.tsx';

/** The agreements, as soon as one of their features is on. Until then they stand on the profile. */
export function AgreementsPage() {
  const sendsEhf = useFeature('ehf');
  const takesPayments = useFeature('payments');
  const hasEInvoice = useFeature('einvoice');
  const profile = useQuery(profileQuery);
  if (!useSession().session) return <PageSkeleton />;
  if (!sendsEhf && !takesPayments && !hasEInvoice) return <NotFound />;
  return (
    <Page heading="Avtaler" width="form">
      <Agreements
        {...(sendsEhf && { alert: <EhfAgreementAlert />, ehf: <EhfAgreementCard /> })}
        {...(takesPayments && { kid: null })}
      />
      {hasEInvoice ? <EInvoiceChoices /> : null}
      {takesPayments ? (
        <Fetched query={profile}>
          {({ bankAccounts }) => <KidAgreementCard accounts={bankAccounts} />}
        </Fetched>
      ) : null}
    </Page>
  );
}

const BADGES: Readonly<Record<EhfAgreementStatus, Label>> = {
  NONE: { tone: 'gray', text: 'Ingen avtale' },
  REQUESTED: { tone: 'amber', text: 'Venter på svar' },
  ACTIVE: { tone: 'green', text: 'Aktiv' },
  REVOKED: { tone: 'red', text: 'Avsluttet' },
};

/** The status of the EHF agreement; nothing when none was requested. */
function EhfAgreementAlert() {
  const { data, isError, refetch } = useQuery(ehfAgreementQuery);
  if (isError && !data) return <LoadFailure onRetry={() => void refetch()} />;
  if (!data || data.status === 'NONE') return null;
  return (
    <Alert
      tone={data.status === 'ACTIVE' ? 'success' : data.status === 'REVOKED' ? 'warning' : 'info'}
      title="Eksisterende avtale!"
      live
    >
      {standing(data)}
    </Alert>
  );
}

function standing({ status, orgNumber, requestedAt, approvedAt }: EhfAgreement): string {
  const company = `organisasjonsnummer ${formatOrgNumber(orgNumber ?? '')}`;
  const since = (instant: string | null) => (instant ? formatInstant(instant) : '');
  switch (status) {
    case 'ACTIVE':
      return `Utstederavtalen for ${company} gjelder fra ${since(approvedAt)}. Du kan sende EHF.`;
    case 'REQUESTED':
      return `Du ba om utstederavtale for ${company} ${since(requestedAt)}. Vi sjekker hvem du er, før du kan sende EHF.`;
    default:
      return `Utstederavtalen for ${company} er avsluttet. Den gjelder ikke lenger når organisasjonsnummeret er endret.`;
  }
}

function EhfAgreementCard() {
  const { data } = useQuery(ehfAgreementQuery);
  const request = useRequestEhfAgreement();
  const badge = data ? BADGES[data.status] : null;
  const canAsk = data?.status === 'NONE' || data?.status === 'REVOKED';
  return (
    <AgreementCard
      icon={<FileIcon />}
      title="Efakturautsteder"
      badge={badge ? <LabelBadge label={badge} /> : null}
      text="Inngå utstederavtale og send EHF rett til kundens regnskapssystem."
      action={
        <Button disabled={!canAsk} pending={request.isPending} onClick={() => request.mutate()}>
          Inngå utstederavtale
        </Button>
      }
    />
  );
}

/** @param accounts those that the agreement can cover */
function KidAgreementCard({ accounts }: { accounts: Profile['bankAccounts'] }) {
  const query = useQuery(kidAgreementQuery);
  return (
    <Card
      heading="KID/OCR-avtale"
      aside={
        query.data === undefined ? null : (
          <Badge tone={query.data ? 'green' : 'gray'}>
            {query.data ? 'Aktiv' : 'Ingen avtale'}
          </Badge>
        )
      }
    >
      {accounts.length === 0 ? (
        <p className="note lead">
          Legg til en bankkonto i <Link to={paths.profile}>profilen</Link> først.
        </p>
      ) : (
        <Fetched query={query} pending={<Skeleton height="120px" />}>
          {(agreement) => (
            <>
              <p className="note lead">
                {agreement
                  ? 'Nye fakturaer får KID etter avtalen, og skal betales til kontoen som den gjelder for. Fakturaer som er registrert, beholder sin KID.'
                  : 'Har du en OCR-avtale med banken? Fyll inn det som står i brevet derfra, så får nye fakturaer en KID som banken leser.'}
              </p>
              <KidAgreementForm
                key={agreement ? 'stored' : 'new'}
                agreement={agreement}
                accounts={accounts}
              />
            </>
          )}
        </Fetched>
      )}
    </Card>
  );
}

type AgreementDraft = Draft<z.input<typeof kidAgreementForm>>;

const LABELS = { account: 'Konto', length: 'Lengde på KID', modulus: 'Kontrollsiffer' };

interface KidAgreementFormProps {
  readonly agreement: KidAgreement | null;
  readonly accounts: Profile['bankAccounts'];
}

function KidAgreementForm({ agreement, accounts }: KidAgreementFormProps) {
  const save = useSaveKidAgreement();
  const end = useEndKidAgreement();
  const form = useSchemaForm(kidAgreementForm, valuesOf(agreement, accounts));
  const field = labelled(form, LABELS);
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
          required
          {...field('account')}
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
        <SelectField required {...field('modulus')}>
          <option value="MOD10">MOD10</option>
          <option value="MOD11">MOD11</option>
        </SelectField>
      </div>
      <Example length={length} modulus={modulus} />
      <div className="row gap-2">
        <Button type="submit" variant="primary" wide pending={save.isPending}>
          {agreement ? 'Oppdater KID-avtale' : 'Inngå KID-avtale'}
        </Button>
        {agreement ? (
          <ConfirmButton
            label="Avslutt KID-avtale"
            variant="danger"
            wide
            title="Avslutte KID-avtale"
            confirmLabel="Avslutt"
            pending={end.isPending}
            onConfirm={(onSuccess) => end.mutate(undefined, { onSuccess })}
          >
            Nye fakturaer får ikke lenger KID etter avtalen, og skal betales til hovedkontoen.
            Fakturaer som er registrert, beholder sin KID.
          </ConfirmButton>
        ) : null}
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
