import { leave } from '../../forms/unsaved-input.tsx';
import { paths } from '../../lib/paths.ts';
import { Button, type ButtonProps } from '../../ui/Button.tsx';
import { useLogout } from './session.api.ts';

/** Ends the session, and asks first where something typed would be lost. */
export function LogoutButton(looks: Pick<ButtonProps, 'variant' | 'icon' | 'aria-label'>) {
  const logout = useLogout(() => window.location.assign(paths.landing));
  return (
    <Button {...looks} pending={logout.isPending} onClick={() => leave(() => logout.mutate())}>
      Logg ut
    </Button>
  );
}
