import { useState } from 'react';
import { Link } from 'react-router';

import { accountDeletionForm } from '../../../domain/closing/closing.schema.ts';
import { fieldProps, Form, useSchemaForm } from '../../forms/Form.tsx';
import { leave } from '../../forms/unsaved-input.tsx';
import { hasStatus, reasonsOf } from '../../lib/api-error.ts';
import { paths } from '../../lib/paths.ts';
import { Button } from '../../ui/Button.tsx';
import { TextField } from '../../ui/Field.tsx';
import { Modal, ModalButtons } from '../../ui/Modal.tsx';
import { Alert } from '../../ui/Surface.tsx';
import { useSession } from '../session/session.api.ts';
import { useDeleteAccount } from './security.api.ts';

/** Deletes the account once its address is typed (CLO-16). */
export function DeleteAccount() {
  const [isAsking, setAsking] = useState(false);
  const remove = useDeleteAccount();
  const close = () => {
    setAsking(false);
    remove.reset();
  };
  return (
    <>
      <Button wide onClick={() => leave(() => setAsking(true))}>
        Slett kontoen min
      </Button>
      <Modal title="Slette kontoen?" open={isAsking} pending={remove.isPending} onClose={close}>
        {isAsking ? <DeletionForm remove={remove} onClose={close} /> : null}
      </Modal>
    </>
  );
}

interface DeletionFormProps {
  readonly remove: ReturnType<typeof useDeleteAccount>;
  readonly onClose: () => void;
}

function DeletionForm({ remove, onClose }: DeletionFormProps) {
  const { session } = useSession();
  const form = useSchemaForm(accountDeletionForm, { confirm: '' });
  return (
    <Form
      form={form}
      className="stack"
      label="Slett kontoen"
      onSubmit={async ({ confirm }) => remove.mutateAsync(confirm)}
    >
      <p className="soft">
        Du logges ut overalt, og passnøkler, API-nøkler og lenker du har delt, slutter å virke. Du
        er ikke lenger med i noen bedrift. En bedrift uten organisasjonsnummer og fakturaer slettes
        sammen med kontoen.
      </p>
      <p className="soft">
        Adressen din blir stående i historikken til bedriftene, så det går fram hvem som har gjort
        hva. Nyhetsbrevet melder du deg av for seg.
      </p>
      <TextField
        label="E-post"
        type="email"
        required
        hint={`Skriv ${session?.email ?? 'adressen din'} for å bekrefte.`}
        {...fieldProps(form, 'confirm')}
      />
      {hasStatus(remove.error, 409) ? (
        <Alert tone="error" live>
          {reasonsOf(remove.error)} {/* Of several companies it may be another one. */}
          {(session?.companies?.length ?? 1) > 1 ? null : (
            <Link to={paths.closing}>Avslutt bedriften</Link>
          )}
        </Alert>
      ) : null}
      <p className="strong">Dette kan ikke angres.</p>
      <ModalButtons>
        <Button disabled={remove.isPending} onClick={onClose}>
          Avbryt
        </Button>
        <Button type="submit" variant="danger" pending={remove.isPending}>
          Slett kontoen
        </Button>
      </ModalButtons>
    </Form>
  );
}
