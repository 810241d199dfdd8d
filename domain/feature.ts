/** What the operator turns on by name (the setting FEATURES). */
export const SWITCHES = ['payments', 'reminders', 'recurring', 'units'] as const;

/** All that is off by default: what has a switch, and EHF, which is on where there is an access point. */
export const FEATURES = [...SWITCHES, 'ehf'] as const;

export type Feature = (typeof FEATURES)[number];

/** Whether a thing is there: one of a feature that is on, or of none. */
export function isOn(
  { feature }: { readonly feature?: Feature },
  features: ReadonlySet<Feature>,
): boolean {
  return feature === undefined || features.has(feature);
}
