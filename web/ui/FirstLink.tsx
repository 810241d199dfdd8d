import { paths } from '../lib/paths.ts';
import { ButtonLink } from './Button.tsx';
import { PlusIcon } from './icons.tsx';

interface FirstLinkProps {
  /** Where the first one is made. */
  readonly to: string;
  /** Whether the profile has to be filled in before that. */
  readonly incomplete: boolean;
  readonly children: string;
}

/** What leads on where there is nothing yet: to the first one, or to the profile that it needs. */
export function FirstLink({ to, incomplete, children }: FirstLinkProps) {
  return incomplete ? (
    <ButtonLink to={paths.profile} variant="primary">
      Fullfør profilen
    </ButtonLink>
  ) : (
    <ButtonLink to={to} variant="primary" icon={<PlusIcon />}>
      {children}
    </ButtonLink>
  );
}
