import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';

import {
  MOST_PASSKEYS,
  type Passkey,
  passkeyForm,
} from '../../../domain/passkey/passkey.schema.ts';
import { fieldProps, Form, useSchemaForm } from '../../forms/Form.tsx';
import { showDay } from '../../lib/date-text.ts';
import { Button } from '../../ui/Button.tsx';
import { TextField } from '../../ui/Field.tsx';
import { ConfirmButton, FormButtons, Modal } from '../../ui/Modal.tsx';
import { ReasonedButton } from '../../ui/ReasonedButton.tsx';
import { Fetched, Skeleton } from '../../ui/Surface.tsx';
import {
  passkeysQuery,
  useAddPasskey,
  useDeletePasskey,
  useRenamePasskey,
} from '../session/passkey.api.ts';
import styles from './SecurityCard.module.css';

/** The passkeys of the account (SEC-16). */
export function Passkeys() {
  const passkeys = useQuery(passkeysQuery);
  const add = useAddPasskey();
  return (
    <div className="stack gap-3">
      <h3>Passnøkler</h3>
      <Fetched query={passkeys} pending={<Skeleton height="3rem" />}>
        {(list) => (
          <>
            {list.length === 0 ? (
              <p className="note">
                Logg inn med fingeren, ansiktet eller koden til enheten. Koden på e-post virker
                fortsatt.
              </p>
            ) : (
              <ul className="stack gap-3" aria-label="Passnøkler">
                {list.map((passkey) => (
                  <li key={passkey.uuid} className={styles.item}>
                    <PasskeyText passkey={passkey} />
                    <div className="row">
                      <RenameButton passkey={passkey} />
                      <DeleteButton passkey={passkey} />
                    </div>
                  </li>
                ))}
              </ul>
            )}
            <ReasonedButton
              wide
              pending={add.isPending}
              whyOff={
                list.length < MOST_PASSKEYS ? undefined : 'Du har ti passnøkler. Fjern en først.'
              }
              onClick={() => add.mutate(`Passnøkkel ${list.length + 1}`)}
            >
              Lag passnøkkel
            </ReasonedButton>
          </>
        )}
      </Fetched>
    </div>
  );
}

function PasskeyText({ passkey }: { passkey: Passkey }) {
  const { createdAt, isSynced, lastUsedAt, name } = passkey;
  return (
    <div>
      <span>{name}</span>
      <div className="note">
        Laget {showDay(createdAt)}
        {isSynced ? ', synkronisert' : null}.
        {lastUsedAt === null ? null : ` Sist brukt ${showDay(lastUsedAt)}.`}
      </div>
    </div>
  );
}

function RenameButton({ passkey }: { passkey: Passkey }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button
        variant="quiet"
        aria-label={`Endre navnet på ${passkey.name}`}
        onClick={() => setOpen(true)}
      >
        Endre
      </Button>
      <Modal title="Navn på passnøkkelen" open={isOpen} onClose={() => setOpen(false)}>
        <NameForm passkey={passkey} onClose={() => setOpen(false)} />
      </Modal>
    </>
  );
}

function NameForm({
  passkey: { name, uuid },
  onClose,
}: {
  readonly passkey: Passkey;
  readonly onClose: () => void;
}) {
  const rename = useRenamePasskey(uuid);
  const form = useSchemaForm(passkeyForm, { name });
  return (
    <Form
      form={form}
      className="stack"
      onSubmit={async (body) => {
        await rename.mutateAsync(body);
        onClose();
      }}
    >
      <TextField label="Navn" required {...fieldProps(form, 'name')} />
      <FormButtons label="Lagre" pending={rename.isPending} onCancel={onClose} />
    </Form>
  );
}

function DeleteButton({ passkey: { name, uuid } }: { passkey: Passkey }) {
  const remove = useDeletePasskey();
  return (
    <ConfirmButton
      variant="quiet"
      label="Fjern"
      aria-label={`Fjern ${name}`}
      title={`Fjerne ${name}?`}
      confirmLabel="Fjern"
      pending={remove.isPending}
      onConfirm={(onSuccess) => remove.mutate(uuid, { onSuccess })}
    >
      Du kan ikke logge inn med den lenger. Koden på e-post virker fortsatt.
    </ConfirmButton>
  );
}
