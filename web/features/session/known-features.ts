import { FEATURES, type Feature } from '../../../domain/api/endpoint.ts';

const KEY = 'faktur.features';

/**
 * The features of the last session on this device, so that the first render does not shift when the session arrives.
 * The operator sets them, so they reveal nothing about the previous user.
 */
export function rememberedFeatures(): readonly Feature[] {
  try {
    const names = localStorage.getItem(KEY)?.split(',');
    return FEATURES.filter((feature) => names?.includes(feature));
  } catch {
    return [];
  }
}

/** Ignores storage that is off or full: the next screen then shifts once, as on the first visit. */
export function rememberFeatures(features: readonly Feature[]): void {
  try {
    if (features.length > 0) localStorage.setItem(KEY, features.join());
    else localStorage.removeItem(KEY);
  } catch {
    // The remembered features are not required.
  }
}
