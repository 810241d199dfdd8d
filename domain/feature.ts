/** Features that the operator turns on by name (the setting FEATURES). */
export const SWITCHES = ['payments', 'reminders', 'recurring', 'units'] as const;

/** Everything that is off by default: the switches, and EHF, which is on when there is an access point. */
export const FEATURES = [...SWITCHES, 'ehf'] as const;

export type Feature = (typeof FEATURES)[number];

/** Whether something exists: it needs no feature, or its feature is on. */
export function isOn(
  { feature }: { readonly feature?: Feature },
  features: ReadonlySet<Feature>,
): boolean {
  return feature === undefined || features.has(feature);
}
