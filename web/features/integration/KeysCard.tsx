import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { z } from 'zod/mini';

import { addDays, formatDate, todayInOslo } from '../../../domain/date.ts';
import {
  type ApiToken,
  MOST_KEYS,
  type Scope,
  SCOPES,
  tokenForm,
  type TokenForm,
} from '../../../domain/token/token.schema.ts';
import { errorAt, fieldProps, useSchemaForm } from '../../forms/Form.tsx';
import { DialogForm } from '../../forms/DialogForm.tsx';
import { ControlledDate } from '../../forms/GuardedForm.tsx';
import { leave } from '../../forms/unsaved-input.tsx';
import { showDay } from '../../lib/date-text.ts';
import { Button } from '../../ui/Button.tsx';
import { ReasonedButton } from '../../ui/ReasonedButton.tsx';
import { Checkbox, FieldError, TextField } from '../../ui/Field.tsx';
import { PlusIcon } from '../../ui/icons.tsx';
import { type ListColumn, ListTable } from '../../ui/ListTable.tsx';
import { ConfirmButton, Modal } from '../../ui/Modal.tsx';
import { ShownOnce } from '../../ui/ShownOnce.tsx';
import { Card, Fetched, Skeleton } from '../../ui/Surface.tsx';
import { WhileOpen } from '../session/Allowed.tsx';
import { useSession } from '../session/session.api.ts';
import { tokensQuery, useCreateToken, useDeleteToken } from './token.api.ts';

const SCOPE_NAMES: Readonly<Record<Scope, string>> = {
  see: 'Se fakturaer, kunder og historikk',
  edit: 'Lage og endre utkast, kunder og produkter',
  issue: 'Registrere, sende og kreditere',
  payments: 'Føre innbetalinger og purre',
  export: 'Hente eksporter',
};

/** A key may always see. */
const FURTHER_SCOPES = SCOPES.slice(1);

/** The keys of the company, and the form of a new one. */
export function KeysCard() {
  const tokens = useQuery(tokensQuery);
  const [isMaking, setMaking] = useState(false);
  const close = () => setMaking(false);
  return (
    <>
      <Fetched query={tokens} pending={<Skeleton height="160px" />}>
        {(list) => (
          <Card
            flush={list.length > 0}
            heading="API-nøkler"
            aside={
              <WhileOpen>
                <ReasonedButton
                  icon={<PlusIcon />}
                  whyOff={
                    list.filter(isOfMember).length < MOST_KEYS
                      ? undefined
                      : `Bedriften har ${MOST_KEYS} nøkler. Trekk tilbake en først.`
                  }
                  onClick={() => setMaking(true)}
                >
                  Lag nøkkel
                </ReasonedButton>
              </WhileOpen>
            }
          >
            {list.length === 0 ? (
              <p className="note">Ingen nøkler ennå. Et program trenger en for å komme inn.</p>
            ) : (
              <ListTable
                label="API-nøkler"
                columns={COLUMNS}
                keyOf={({ uuid }) => uuid}
                items={list}
              />
            )}
          </Card>
        )}
      </Fetched>
      <Modal title="Ny API-nøkkel" open={isMaking} onClose={() => leave(close)}>
        {isMaking ? <NewKey onClose={close} /> : null}
      </Modal>
    </>
  );
}

/** The operator's tokens do not count. */
function isOfMember({ createdBy }: ApiToken): boolean {
  return createdBy !== null;
}

const COLUMNS: readonly ListColumn<ApiToken>[] = [
  {
    heading: 'Nøkkel',
    kind: 'main',
    cell: ({ name, scopes, createdBy, createdAt }) => (
      <div>
        {name}
        <div className="note">
          {createdBy === null
            ? 'Laget av den som driver Faktur'
            : `Laget av ${createdBy} ${showDay(createdAt)}. ${scopesText(scopes)}`}
        </div>
      </div>
    ),
  },
  {
    heading: 'Virker til og med',
    numeric: true,
    cell: ({ expiresOn }) => (expiresOn === null ? 'Til den avsluttes' : formatDate(expiresOn)),
  },
  {
    heading: 'Sist brukt',
    numeric: true,
    cell: ({ lastUsedOn }) => (lastUsedOn === null ? 'Ikke ennå' : formatDate(lastUsedOn)),
  },
  {
    heading: '',
    label: 'Handlinger',
    width: '160px',
    cell: (token) => (isOfMember(token) ? <WithdrawButton token={token} /> : null),
  },
];

/** For example 'Se fakturaer, kunder og historikk, hente eksporter'. */
function scopesText(scopes: ApiToken['scopes']): string {
  return SCOPES.filter((scope) => scopes.includes(scope))
    .map((scope, index) =>
      index === 0 ? SCOPE_NAMES[scope] : SCOPE_NAMES[scope].toLocaleLowerCase('nb'),
    )
    .join(', ');
}

function WithdrawButton({ token: { uuid, name } }: { token: ApiToken }) {
  const withdraw = useDeleteToken();
  return (
    <ConfirmButton
      variant="quiet"
      label="Trekk tilbake"
      title="Trekke nøkkelen tilbake?"
      confirmLabel="Trekk tilbake"
      pending={withdraw.isPending}
      onConfirm={(onSuccess) => withdraw.mutate(uuid, { onSuccess })}
    >
      Programmer som bruker nøkkelen «{name}», kommer ikke inn lenger, fra nå av.
    </ConfirmButton>
  );
}

type Values = z.input<typeof tokenForm>;

/** The form, and then the key. */
function NewKey({ onClose }: { onClose: () => void }) {
  const create = useCreateToken();
  const { permissions } = useSession().session ?? {};
  const [token, setToken] = useState<string>();
  const [initial] = useState<Values>(() => ({
    name: '',
    scopes: [],
    expiresOn: addDays(todayInOslo(), 90),
  }));
  const form = useSchemaForm<Values, TokenForm>(tokenForm, initial);
  if (token !== undefined) {
    return (
      <ShownOnce
        title="Nøkkelen er klar"
        text="Kopier den nå. Den vises bare denne ene gangen. Del den bare med programmet som skal bruke den."
        label="API-nøkkel"
        value={token}
        copyLabel="Kopier"
        copied="Nøkkelen er kopiert!"
      >
        <Button onClick={onClose}>Ferdig</Button>
      </ShownOnce>
    );
  }
  return (
    <DialogForm
      form={form}
      name="api key"
      className="stack"
      save={create}
      onSaved={(made) => setToken(made.token)}
      submitLabel="Lag nøkkel"
      onClose={onClose}
      label="Ny API-nøkkel"
    >
      <TextField
        label="Navn"
        required
        hint="Programmet som skal bruke den, for eksempel «Nettbutikken». Navnet står i historikken."
        {...fieldProps(form, 'name')}
      />
      <fieldset>
        <legend>Nøkkelen kan</legend>
        <Checkbox label={SCOPE_NAMES.see} checked disabled />
        {FURTHER_SCOPES.filter((scope) => !permissions || permissions.includes(scope)).map(
          (scope) => (
            <Checkbox
              key={scope}
              label={SCOPE_NAMES[scope]}
              value={scope}
              {...form.register('scopes')}
            />
          ),
        )}
        <FieldError message={errorAt(form.formState.errors, 'scopes')} />
      </fieldset>
      <ControlledDate
        control={form.control}
        name="expiresOn"
        label="Virker til og med"
        required
        hint="Høyst ett år. Lag en ny før den tid."
      />
    </DialogForm>
  );
}
