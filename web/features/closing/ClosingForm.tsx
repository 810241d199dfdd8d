import { useState } from 'react';
import { Link } from 'react-router';
import type { z } from 'zod/mini';

import type { Obstacle } from '../../../domain/api/error.ts';
import {
  closingForm,
  DAYS_TO_REGRET,
  type Closing,
  type ClosingForm as Wish,
} from '../../../domain/closing/closing.schema.ts';
import { addDays, formatDate, todayInOslo } from '../../../domain/date.ts';
import { fieldProps, Form, useSchemaForm } from '../../forms/Form.tsx';
import { paths } from '../../lib/paths.ts';
import { Button } from '../../ui/Button.tsx';
import { ChoiceField } from '../../ui/ChoiceField.tsx';
import { Checkbox, TextField } from '../../ui/Field.tsx';
import { Alert, Card } from '../../ui/Surface.tsx';
import { useFeature } from '../session/session.api.ts';
import { lastDayOf } from './ClosedNotice.tsx';
import { useCloseCompany } from './closing.api.ts';

type Values = z.input<typeof closingForm>;

interface ClosingFormProps {
  readonly closing: Closing;
  /** Its name. */
  readonly company: string;
}

/** The choice of what becomes of the books, and the confirmation. */
export function ClosingForm({ closing, company }: ClosingFormProps) {
  const { obstacles, requiredUntil } = closing;
  const close = useCloseCompany();
  const [initial] = useState<Values>(() => ({ keep: true, confirm: '', acceptCredit: false }));
  const form = useSchemaForm<Values, Wish>(closingForm, initial);
  const { keep, acceptCredit } = form.watch();
  const [keepsArchive, setKeepsArchive] = useState(false);
  const hindering = obstacles.filter(({ code }) => code !== 'CREDIT' || !keep || !acceptCredit);
  const mayAccept = keep && obstacles.some(({ code }) => code === 'CREDIT');
  const isReady = hindering.length === 0 && (keep || keepsArchive || requiredUntil === null);
  return (
    <Form
      form={form}
      className="stack"
      label="Avslutt bedriften"
      onSubmit={async (wish) => close.mutateAsync(wish)}
    >
      <Card heading="2. Velg hva som skal skje">
        <Choice
          requiredUntil={requiredUntil}
          keep={keep}
          onChoose={(next) => form.setValue('keep', next)}
        />
        {keep || requiredUntil === null ? null : (
          <Checkbox
            label={`Jeg oppbevarer arkivet selv til ${formatDate(requiredUntil)}`}
            checked={keepsArchive}
            onChange={({ target }) => setKeepsArchive(target.checked)}
          />
        )}
        <AtOnce />
      </Card>
      <Card heading="3. Bekreft">
        <div className="stack">
          <Obstacles obstacles={hindering} />
          {mayAccept ? (
            <Checkbox
              label="Avslutt selv om kunder har penger til gode"
              {...form.register('acceptCredit')}
            />
          ) : null}
          <TextField
            label="Organisasjonsnummer"
            inputMode="numeric"
            required
            hint={`Skriv nummeret til ${company} for å bekrefte.`}
            {...fieldProps(form, 'confirm')}
          />
          <p className="lead">
            Du kan angre til {formatDate(deletionDay())}. Det som slettes da, kan ikke hentes
            tilbake.
          </p>
          <div>
            <Button
              type="submit"
              variant="danger"
              wide
              disabled={!isReady}
              pending={close.isPending}
            >
              Avslutt bedriften
            </Button>
          </div>
        </div>
      </Card>
    </Form>
  );
}

/** The day on which what the law does not ask for would go. */
function deletionDay() {
  return addDays(todayInOslo(), DAYS_TO_REGRET);
}

interface ChoiceProps extends Pick<Closing, 'requiredUntil'> {
  readonly keep: boolean;
  readonly onChoose: (keep: boolean) => void;
}

function Choice({ requiredUntil, keep, onChoose }: ChoiceProps) {
  const hasExport = useFeature('export');
  const day = deletionDay();
  if (requiredUntil === null) {
    return (
      <p className="lead">
        Bedriften har ingen fakturaer eller innbetalinger, så alt slettes {formatDate(day)}.
      </p>
    );
  }
  const kept = {
    value: 'KEEP',
    label: `Behold bøkene her til ${formatDate(lastDayOf({ keptUntil: requiredUntil }, day))}`,
    hint: `Fakturaer, innbetalinger og historikk kan leses og eksporteres av eierne. Utkast, maler, faste oppdrag, produkter, tilbud som ikke ble godtatt, og kunder uten fakturaer slettes ${formatDate(day)}.`,
  } as const;
  const deleted = {
    value: 'DELETE',
    label: 'Slett alt',
    hint: `Alt slettes ${formatDate(day)}, også fakturaene. Loven krever at du har arkivet til ${formatDate(requiredUntil)}.`,
  } as const;
  return (
    <ChoiceField
      label="Hva som skal skje med bøkene"
      hideLabel
      choices={hasExport ? [kept, deleted] : [kept]}
      value={keep ? 'KEEP' : 'DELETE'}
      onChange={(value) => onChoose(value === 'KEEP')}
    />
  );
}

function AtOnce() {
  const hasMembers = useFeature('members');
  const hasPortal = useFeature('portal');
  return (
    <p className="note lead">
      Med en gang: Ingenting kan endres eller sendes, og ingenting går av seg selv. Lenker du har
      delt med regnskapsfører og andre, API-nøkler og EHF-avtalen avsluttes, og kommer ikke tilbake
      om du angrer. {hasMembers ? 'Bare eierne kommer inn så lenge bedriften er avsluttet. ' : null}
      {hasPortal ? 'Kundene kan fortsatt åpne lenkene til fakturaene sine.' : null}
    </p>
  );
}

function Obstacles({ obstacles }: Pick<Closing, 'obstacles'>) {
  return (
    <div className="stack gap-2 unless-empty" aria-live="polite">
      {obstacles.map(({ code, message }) => (
        <Alert key={code} tone="warning">
          {message} <WayOut code={code} />
        </Alert>
      ))}
    </div>
  );
}

/** Leads to what hinders the closing. */
function WayOut({ code }: Pick<Obstacle, 'code'>) {
  const hasPayments = useFeature('payments');
  if (code === 'ARCHIVE_MISSING') return <a href="#archive">Gå til arkivet</a>;
  if (code === 'DELIVERIES') return <Link to={paths.invoices}>Se fakturaene</Link>;
  if (code === 'EXPORT') return <Link to={paths.exports()}>Se eksportene</Link>;
  return hasPayments ? (
    <Link to={paths.payments}>Se innbetalingene</Link>
  ) : (
    <Link to={paths.customers}>Se kundene</Link>
  );
}
