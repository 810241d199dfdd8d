/** What is there only where the operator has turned it on (FEATURES). */
export const FEATURES = ['payments', 'reminders', 'recurring', 'units'] as const;

export type Feature = (typeof FEATURES)[number];

/** Whether a thing is there: one of a feature that is on, or of none. */
export function isOn(
  { feature }: { readonly feature?: Feature },
  features: ReadonlySet<Feature>,
): boolean {
  return feature === undefined || features.has(feature);
}
