import { useEffect, useId, useRef } from 'react';
import { createPortal } from 'react-dom';

import { codeForm, LOGIN_MINUTES, type Session } from '../../../domain/session/session.schema.ts';
import { Form, useSchemaForm } from '../../forms/Form.tsx';
import { hasStatus, RequestAborted } from '../../lib/api-error.ts';
import { showSuccess } from '../../lib/toasts.ts';
import { Button } from '../../ui/Button.tsx';
import { FormButtons, Modal } from '../../ui/Modal.tsx';
import { CodeField } from '../session/CodeField.tsx';
import { useMailProofCode, useProve } from './security.api.ts';

interface ProofDialogProps {
  readonly session: Session;
  readonly onCancel: () => void;
}

/** Asks for a mailed code before a call that needs a proof (SEC-10). */
export function ProofDialog({ session, onCancel }: ProofDialogProps) {
  const prove = useProve();
  // Outside of the screen: an open dialog there hides what is beside it from screen readers.
  return createPortal(
    <Modal title="Bekreft at det er deg" open pending={prove.isPending} onClose={onCancel}>
      <CodeForm email={session.email} prove={prove} onCancel={onCancel} />
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
