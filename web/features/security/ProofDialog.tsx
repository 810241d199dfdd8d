import { useQuery } from '@tanstack/react-query';
import { useEffect, useId, useRef, useState } from 'react';
import { createPortal } from 'react-dom';

import { codeForm, LOGIN_MINUTES, type Session } from '../../../domain/session/session.schema.ts';
import { Form, useSchemaForm } from '../../forms/Form.tsx';
import { hasStatus, RequestAborted } from '../../lib/api-error.ts';
import { showSuccess } from '../../lib/toasts.ts';
import { Button } from '../../ui/Button.tsx';
import { FormButtons, Modal, ModalButtons } from '../../ui/Modal.tsx';
import { Loading } from '../../ui/Surface.tsx';
import { CodeField } from '../session/CodeField.tsx';
import { passkeysQuery, useHasPasskeys, useProveByPasskey } from '../session/passkey.api.ts';
import { useMailProofCode, useProve } from './security.api.ts';

interface ProofDialogProps {
  readonly session: Session;
  readonly onCancel: () => void;
}

/** Asks for a passkey or a mailed code before a call that needs a proof (SEC-10). */
export function ProofDialog({ session, onCancel }: ProofDialogProps) {
  const prove = useProve();
  const byPasskey = useProveByPasskey();
  const passkeys = useQuery({ ...passkeysQuery, enabled: useHasPasskeys() });
  const [wantsCode, setWantsCode] = useState(false);
  const isPending = prove.isPending || byPasskey.isPending;
  const mayUsePasskey = !wantsCode && (passkeys.data?.length ?? 0) > 0;
  // Outside of the screen: an open dialog there hides what is beside it from screen readers.
  return createPortal(
    <Modal title="Bekreft at det er deg" open pending={isPending} onClose={onCancel}>
      {passkeys.isLoading ? (
        <Loading />
      ) : mayUsePasskey ? (
        <div className="stack">
          <p className="soft">
            Dette er viktig for bedriften, så vi spør en gang til. Det du har skrevet, er der
            fortsatt.
          </p>
          <Button variant="quiet" disabled={isPending} onClick={() => setWantsCode(true)}>
            Få en kode på e-post
          </Button>
          <ModalButtons>
            <Button disabled={isPending} onClick={onCancel}>
              Avbryt
            </Button>
            <Button
              variant="primary"
              pending={byPasskey.isPending}
              onClick={() => byPasskey.mutate()}
            >
              Bruk passnøkkel
            </Button>
          </ModalButtons>
        </div>
      ) : (
        <CodeForm email={session.email} prove={prove} onCancel={onCancel} />
      )}
    </Modal>,
    document.body,
  );
}

interface CodeFormProps {
  readonly email: string;
  readonly prove: ReturnType<typeof useProve>;
  readonly onCancel: () => void;
}

function CodeForm({ email, prove, onCancel }: CodeFormProps) {
  const mail = useMailProofCode();
  const { mutate: sendCode } = mail;
  const isSent = useRef(false);
  useEffect(() => {
    if (!isSent.current) sendCode();
    isSent.current = true;
  }, [sendCode]);
  const form = useSchemaForm(codeForm, { registrationToken: '' });
  const intro = useId();
  return (
    <Form
      form={form}
      className="stack"
      onSubmit={async ({ registrationToken: code }) => {
        await prove.mutateAsync({ code }).catch((error: unknown) => {
          form.setFocus('registrationToken', { shouldSelect: true });
          // The toast says that the code is wrong; the field does not repeat it.
          throw hasStatus(error, 400) ? new RequestAborted() : error;
        });
      }}
    >
      <p id={intro} className="soft">
        Dette er viktig for bedriften, så vi har sendt en kode til <strong>{email}</strong>. Den går
        ut om {LOGIN_MINUTES} minutter. Det du har skrevet, er der fortsatt.
      </p>
      <CodeField form={form} describedBy={intro} />
      <div>
        <Button
          variant="quiet"
          pending={mail.isPending}
          onClick={() => sendCode(undefined, { onSuccess: () => showSuccess('Ny kode er sendt!') })}
        >
          Send en ny kode
        </Button>
      </div>
      <FormButtons label="Bekreft" pending={prove.isPending} onCancel={onCancel} />
    </Form>
  );
}
