import type { ReactNode } from 'react';

import { laterCode, type LaterCode } from '../../lib/later-code.ts';
import { useLaterCode } from '../../ui/useLaterCode.ts';

interface LaterProps<Module> {
  readonly code: LaterCode<Module>;
  readonly children: (loaded: Module) => ReactNode;
}

/** Shows a part that few need. Renders nothing until its code is loaded. */
export function Later<Module>({ code, children }: LaterProps<Module>) {
  const loaded = useLaterCode(code);
  return loaded ? children(loaded) : null;
}

/** The parts about the session's company, with `members`. Only those who share companies load them. */
export const companies = laterCode(async () => import('../../features/member/Companies.tsx'));
