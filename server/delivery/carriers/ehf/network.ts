import type { Config } from '../../../config.ts';
import type { AccessPoint } from './access-point.ts';
import type { Wire } from './guarded-fetch.ts';
import { createLookup, type Lookup } from './lookup.ts';
import { createPhossAp, PHOSS_AP_TIME_LIMIT } from './phoss-ap.ts';
import { createStorecove, STORECOVE_TIME_LIMIT } from './storecove.ts';

declare module '../../../context.ts' {
  interface Context {
    /** Looks up who receives EHF, and sends it; null when nobody is looked up. */
    readonly network: PeppolNetwork | null;
  }
}

/** Peppol's network, and the access point through which EHF goes into it. */
export interface PeppolNetwork {
  readonly name: 'test' | 'production';
  readonly lookup: Lookup;
  /** Null when receivers are looked up and nothing is sent. */
  readonly accessPoint: AccessPoint | null;
}

/** How long an access point of each kind may take over a document (milliseconds). */
export const ACCESS_POINT_TIME_LIMITS = {
  'phoss-ap': PHOSS_AP_TIME_LIMIT,
  storecove: STORECOVE_TIME_LIMIT,
} as const;

const ACCESS_POINTS = { 'phoss-ap': createPhossAp, storecove: createStorecove } as const;

/** The network that the settings name; null where nobody is looked up. `wire` is for tests. */
export function openNetwork(
  { peppol, ehf }: Pick<Config, 'peppol' | 'ehf'>,
  wire?: Wire,
): PeppolNetwork | null {
  if (peppol === null) return null;
  const { name, zone, nameServer, publisher } = peppol;
  return {
    name,
    lookup: createLookup({ zone, nameServer, wire: publisher ? { to: publisher } : wire }),
    accessPoint: ehf && ACCESS_POINTS[ehf.accessPoint](ehf),
  };
}
