import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';

import { Button } from '../../ui/Button.tsx';
import { Fetched } from '../../ui/Fetched.tsx';
import { SendIcon } from '../../ui/icons.tsx';
import { Modal } from '../../ui/Modal.tsx';
import { showSuccess } from '../../lib/toasts.ts';
import { AddressForm } from '../invoice/AddressForm.tsx';
import { exportSettingsQuery } from '../export-settings/export-settings.api.ts';
import { type ExportWish, useCreateExport } from './export.api.ts';

interface SendToAccountantProps {
  readonly wish: ExportWish | undefined;
  readonly disabled: boolean;
}

/** Asks for the accountant's address, and mails a link to what is chosen. */
export function SendToAccountant({ wish, disabled }: SendToAccountantProps) {
  const [isAsking, setAsking] = useState(false);
  const settings = useQuery({ ...exportSettingsQuery, enabled: isAsking });
  const create = useCreateExport();
  const close = () => setAsking(false);
  const send = async (sendTo: string) => {
    if (!wish) return;
    const { state } = await create.mutateAsync({ ...wish, sendTo });
    showSuccess(
      state === 'DONE'
        ? `Lenken sendes til ${sendTo}.`
        : `Lenken sendes til ${sendTo} når filen er klar.`,
    );
  };
  return (
    <>
      <Button wide icon={<SendIcon />} disabled={disabled} onClick={() => setAsking(true)}>
        Send til regnskapsfører
      </Button>
      <Modal
        title="Send til regnskapsfører"
        description="Regnskapsføreren får en e-post som sier hva som er med, og har en lenke til filen. Lenken virker i 7 dager, uten innlogging."
        open={isAsking}
        pending={create.isPending}
        onClose={close}
      >
        {isAsking ? (
          <Fetched query={settings}>
            {({ accountantEmail }) => (
              <AddressForm
                label="Regnskapsførers e-post"
                email={accountantEmail ?? ''}
                submitLabel="Send"
                pending={create.isPending}
                onClose={close}
                onAddress={send}
              />
            )}
          </Fetched>
        ) : null}
      </Modal>
    </>
  );
}
