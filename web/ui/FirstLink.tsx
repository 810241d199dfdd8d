import { paths } from '../lib/paths.ts';
import { ButtonLink } from './Button.tsx';
import { PlusIcon } from './icons.tsx';

interface FirstLinkProps {
  /** The address of the screen that creates the first record. */
  readonly to: string;
  /** Whether the profile must be completed first. */
  readonly incomplete: boolean;
  readonly children: string;
}

/** The link in an empty list: to create the first record, or to complete the profile first. */
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
