import type { EhfConfig } from '../../../config.ts';
import type { AccessPoint } from './access-point.ts';
import type { Wire } from './guarded-fetch.ts';
import { createLookup, type Lookup } from './lookup.ts';
import { createPhossAp, PHOSS_AP_TIME_LIMIT } from './phoss-ap.ts';
import { createStorecove, STORECOVE_TIME_LIMIT } from './storecove.ts';

/** The network and access point that EHF goes through. */
export interface PeppolNetwork {
  readonly lookup: Lookup;
  readonly accessPoint: AccessPoint;
}

/** How long an access point of each kind may take over a document (milliseconds). */
export const ACCESS_POINT_TIME_LIMITS = {
  'phoss-ap': PHOSS_AP_TIME_LIMIT,
  storecove: STORECOVE_TIME_LIMIT,
} as const;

const ACCESS_POINTS = { 'phoss-ap': createPhossAp, storecove: createStorecove } as const;

/** The network that the settings name; null where EHF is off. `wire` is for tests. */
export function openNetwork(config: EhfConfig | null, wire?: Wire): PeppolNetwork | null {
  if (config === null) return null;
  const { zone, nameServer } = config;
  return {
    lookup: createLookup({ zone, nameServer, wire }),
    accessPoint: ACCESS_POINTS[config.accessPoint](config),
  };
}
