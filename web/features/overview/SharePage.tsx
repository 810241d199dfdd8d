import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import type { z } from 'zod/mini';

import { formatDate, formatInstant } from '../../../domain/date.ts';
import {
  MOST_LINKS,
  type OverviewLink,
  overviewLinkForm,
  type OverviewLinkForm,
  type RunningPeriod,
  type Shown,
} from '../../../domain/overview/overview-link.schema.ts';
import { ControlledDate, GuardedForm } from '../../forms/GuardedForm.tsx';
import { errorAt, fieldProps, useSchemaForm } from '../../forms/Form.tsx';
import { showDay } from '../../lib/date-text.ts';
import { countOf } from '../../lib/number-text.ts';
import { Badge } from '../../ui/Badge.tsx';
import { Button } from '../../ui/Button.tsx';
import { ConfirmButton } from '../../ui/Modal.tsx';
import { Checkbox, FieldError, SelectField, TextField } from '../../ui/Field.tsx';
import { ListTable, type ListColumn } from '../../ui/ListTable.tsx';
import { Page } from '../../ui/Page.tsx';
import { ReasonedButton } from '../../ui/ReasonedButton.tsx';
import { ShownOnce } from '../../ui/ShownOnce.tsx';
import { Card, Fetched, Skeleton } from '../../ui/Surface.tsx';
import { WhileOpen } from '../session/Allowed.tsx';
import { linksQuery, useCreateLink, useRevokeLink } from './overview.api.ts';

/** Makes links that show figures without a login, and lists and ends them (OVER-16). */
export function SharePage() {
  const links = useQuery(linksQuery);
  const [url, setUrl] = useState<string>();
  return (
    <Page heading="Del oversikt" width="form">
      <WhileOpen>
        <Card heading="Ny lenke">
          {url === undefined ? (
            <LinkForm onMade={setUrl} />
          ) : (
            <ShownOnce
              title="Lenken er klar"
              label="Lenke"
              value={url}
              copyLabel="Kopier lenken"
              copied="Lenken er kopiert!"
            >
              <Button onClick={() => setUrl(undefined)}>Lag en til</Button>
            </ShownOnce>
          )}
        </Card>
      </WhileOpen>
      <Fetched query={links} pending={<Skeleton height="160px" />}>
        {(made) =>
          made.length === 0 ? null : (
            <Card flush heading="Lenker">
              <ListTable label="Lenker" columns={COLUMNS} keyOf={({ uuid }) => uuid} items={made} />
            </Card>
          )
        }
      </Fetched>
    </Page>
  );
}

const COLUMNS: readonly ListColumn<OverviewLink>[] = [
  {
    heading: 'Lenke',
    kind: 'main',
    cell: (link) => (
      <div>
        {link.name}
        <div className="note">
          {link.shows.map((shown) => SHOWN_NAMES[shown]).join(', ')}. {periodText(link)}
          {link.email ? `. Bare for ${link.email}` : null}
        </div>
      </div>
    ),
  },
  {
    heading: 'Virker til',
    numeric: true,
    cell: (link) =>
      hasEnded(link) ? (
        <Badge tone="gray">{link.revokedAt ? 'Trukket tilbake' : 'Utløpt'}</Badge>
      ) : (
        formatInstant(link.expiresAt)
      ),
  },
  {
    heading: 'Brukt',
    numeric: true,
    cell: ({ lastUsedAt, daysUsed }) =>
      lastUsedAt ? (
        <>
          {showDay(lastUsedAt)}
          <div className="note">{countOf(daysUsed, 'dag', 'dager')} i alt</div>
        </>
      ) : (
        'Ikke ennå'
      ),
  },
  {
    heading: '',
    label: 'Handlinger',
    cell: (link) => (hasEnded(link) ? null : <RevokeButton link={link} />),
  },
];

function periodText({ from, to, period }: OverviewLink): string {
  if (period) return PERIOD_NAMES[period];
  return from && to ? `${formatDate(from)}–${formatDate(to)}` : '';
}

function hasEnded({ revokedAt, expiresAt }: OverviewLink): boolean {
  return revokedAt !== null || Date.parse(expiresAt) <= Date.now();
}

function RevokeButton({ link: { uuid, name } }: { link: OverviewLink }) {
  const revoke = useRevokeLink();
  return (
    <ConfirmButton
      variant="quiet"
      label="Trekk tilbake"
      title="Trekke lenken tilbake?"
      confirmLabel="Trekk tilbake"
      pending={revoke.isPending}
      onConfirm={(onSuccess) => revoke.mutate(uuid, { onSuccess })}
    >
      De som har lenken «{name}», ser ingenting lenger, fra nå av.
    </ConfirmButton>
  );
}

const SHOWN_NAMES: Readonly<Record<Shown, string>> = {
  TURNOVER: 'Omsetning',
  VAT: 'Mva',
  OUTSTANDING: 'Utestående',
  OVERDUE: 'Forfalt',
  CUSTOMERS: 'Kundenavn',
};

const PERIOD_NAMES: Readonly<Record<RunningPeriod, string>> = {
  THIS_YEAR: 'I år',
  LAST_YEAR: 'I fjor',
  LAST_12_MONTHS: 'Siste 12 måneder',
};

const DAYS = { 7: '7 dager', 30: '30 dager', 90: '90 dager', 365: 'Ett år' } as const;
const FIXED = 'FIXED';

type Values = z.input<typeof overviewLinkForm>;

const EMPTY: Values = {
  name: '',
  shows: ['TURNOVER', 'OUTSTANDING', 'OVERDUE'],
  from: null,
  to: null,
  period: 'THIS_YEAR',
  days: 30,
  email: '',
};

/** @param onMade called with the link's address */
function LinkForm({ onMade }: { onMade: (url: string) => void }) {
  const create = useCreateLink();
  const { data: made = [] } = useQuery(linksQuery);
  const isFull = made.filter((link) => !hasEnded(link)).length >= MOST_LINKS;
  const form = useSchemaForm<Values, OverviewLinkForm>(overviewLinkForm, EMPTY);
  const { shows } = form.watch();
  return (
    <GuardedForm
      form={form}
      name="overview link"
      className="stack"
      save={create}
      onSaved={({ url }) => onMade(url)}
      label="Ny lenke"
    >
      <TextField
        label="Navn"
        required
        hint="Hvem lenken er til, for eksempel «Styret» eller «Banken»."
        {...fieldProps(form, 'name')}
      />
      <fieldset>
        <legend>Dette vises</legend>
        {Object.entries(SHOWN_NAMES).map(([shown, label]) => (
          <Checkbox
            key={shown}
            label={label}
            value={shown}
            hint={
              shown === 'CUSTOMERS'
                ? 'De ti største. Krever at du skriver hvem lenken er til.'
                : undefined
            }
            {...form.register('shows')}
          />
        ))}
        <FieldError message={errorAt(form.formState.errors, 'shows')} />
      </fieldset>
      <PeriodFields form={form} />
      <TextField
        label="Bare for"
        type="email"
        required={shows.includes('CUSTOMERS')}
        hint="E-postadressen til den som skal se. Da må den bekreftes med en kode. Uten adresse kan alle som får lenken, se tallene."
        {...fieldProps(form, 'email')}
      />
      <ReasonedButton
        type="submit"
        variant="primary"
        wide
        pending={create.isPending}
        whyOff={
          isFull
            ? `Du har ${MOST_LINKS} lenker som virker. Trekk tilbake en av dem først.`
            : undefined
        }
      >
        Lag lenke
      </ReasonedButton>
    </GuardedForm>
  );
}

interface PeriodFieldsProps {
  readonly form: UseFormReturn<Values, unknown, OverviewLinkForm>;
}

/** A period that follows the calendar, or one with both ends; and how long the link works. */
function PeriodFields({ form }: PeriodFieldsProps) {
  const running = form.watch('period');
  const isFixed = running === null;
  const choosePeriod = (chosen: string) => {
    form.setValue('period', chosen === FIXED ? null : (chosen as RunningPeriod));
    if (chosen !== FIXED) {
      form.setValue('from', null);
      form.setValue('to', null);
    }
    form.clearErrors(['period', 'from', 'to']);
  };
  return (
    <>
      <div className="grid narrow">
        <SelectField
          label="Periode"
          required
          value={running ?? FIXED}
          onChange={({ target }) => choosePeriod(target.value)}
          error={errorAt(form.formState.errors, 'period')}
          options={[...Object.entries(PERIOD_NAMES), [FIXED, 'Fra og til']]}
        />
        <SelectField
          label="Virker i"
          required
          {...fieldProps(form, 'days', { setValueAs: Number })}
          options={Object.entries(DAYS)}
        />
      </div>
      {isFixed ? (
        <div className="grid narrow">
          <ControlledDate control={form.control} name="from" label="Fra og med" required />
          <ControlledDate control={form.control} name="to" label="Til og med" required />
        </div>
      ) : null}
    </>
  );
}
