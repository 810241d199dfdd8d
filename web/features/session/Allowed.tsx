import type { ReactNode } from 'react';

import type { Permission } from '../../../domain/permission.ts';
import { useCan, useIsClosed } from './session.api.ts';

interface AllowedProps {
  readonly permission: Permission;
  readonly children: ReactNode;
}

/** Shows buttons and links to those who may use them. */
export function May({ permission, children }: AllowedProps) {
  return useCan(permission) ? children : null;
}

/** Shows buttons that change the company, which a closed one refuses (CLO-15). */
export function WhileOpen({ children }: Pick<AllowedProps, 'children'>) {
  return useIsClosed() ? null : children;
}

/** A form or a card whose fields are off and whose buttons are hidden, unless the caller may use them. */
export function Allowed({ permission, children }: AllowedProps) {
  if (useCan(permission)) return children;
  return (
    <fieldset disabled className="read-only">
      {children}
    </fieldset>
  );
}
