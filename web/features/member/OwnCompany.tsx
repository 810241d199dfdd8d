import { useState } from 'react';
import { useNavigate } from 'react-router';

import { leave } from '../../forms/unsaved-input.tsx';
import { paths } from '../../lib/paths.ts';
import { Button } from '../../ui/Button.tsx';
import { ConfirmDialog } from '../../ui/Modal.tsx';
import { useSession } from '../session/session.api.ts';
import { useCreateCompany } from './company.api.ts';

/** For an account that owns no company, such as one that an invitation made (MEM-16). */
export function OwnCompanyButton() {
  const { session } = useSession();
  const navigate = useNavigate();
  const create = useCreateCompany(() => void navigate(paths.profile));
  const [isAsking, setAsking] = useState(false);
  if (!session?.mayCreateCompany) return null;
  const close = () => setAsking(false);
  return (
    <>
      <Button onClick={() => leave(() => setAsking(true))}>Opprett egen bedrift</Button>
      <ConfirmDialog
        title="Opprette egen bedrift?"
        confirmLabel="Opprett"
        open={isAsking}
        pending={create.isPending}
        onClose={close}
        onConfirm={() => create.mutate(undefined, { onSettled: close })}
      >
        Du blir eier av en ny bedrift i Faktur.
        {session.company ? ' Øverst på siden kan du bytte mellom den og den du er i nå.' : null}
      </ConfirmDialog>
    </>
  );
}
