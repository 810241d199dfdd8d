import { useQuery } from '@tanstack/react-query';

import type { Passkey } from '../../../domain/passkey/passkey.schema.ts';
import { showDay } from '../../lib/date-text.ts';
import { Button } from '../../ui/Button.tsx';
import { ConfirmButton } from '../../ui/Modal.tsx';
import { Fetched, Skeleton } from '../../ui/Surface.tsx';
import { passkeysQuery, useAddPasskey, useDeletePasskey } from './passkey.api.ts';
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
                    <DeleteButton passkey={passkey} />
                  </li>
                ))}
              </ul>
            )}
            <div>
              <Button
                wide
                pending={add.isPending}
                onClick={() => add.mutate(`Passnøkkel ${list.length + 1}`)}
              >
                Lag passnøkkel
              </Button>
            </div>
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
