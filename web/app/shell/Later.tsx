import type { ComponentType } from 'react';

import type { LaterCode } from '../../lib/later-code.ts';
import { useLaterCode } from '../../ui/useLaterCode.ts';

interface LaterProps<Name extends string> {
  readonly code: LaterCode<Readonly<Record<Name, ComponentType>>>;
  readonly show: Name;
}

/** Shows a part that few need. Renders nothing until its code is loaded. */
export function Later<Name extends string>({ code, show }: LaterProps<Name>) {
  const Part: ComponentType | undefined = useLaterCode(code)?.[show];
  return Part ? <Part /> : null;
}
