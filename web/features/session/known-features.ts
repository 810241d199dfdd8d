import { FEATURES, type Feature } from '../../../domain/api/endpoint.ts';

const KEY = 'faktur.features';

/**
 * What was on when this device was last told, so that a screen begins as it will be and does not move when the
 * session arrives. It is the operator's, and says nothing about whoever was logged in.
 */
export function rememberedFeatures(): readonly Feature[] {
  try {
    const names = localStorage.getItem(KEY)?.split(',');
    return FEATURES.filter((feature) => names?.includes(feature));
  } catch {
    return [];
  }
}

/** Storage may be switched off, or full: then the next screen moves once, as the first one does. */
export function rememberFeatures(features: readonly Feature[]): void {
  try {
    if (features.length > 0) localStorage.setItem(KEY, features.join());
    else localStorage.removeItem(KEY);
  } catch {
    // Nothing else follows.
  }
}
