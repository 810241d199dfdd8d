/** A pattern for an English message of the API contract, and its Norwegian translation with groups as `$1`. */
export type Explanation = readonly [english: RegExp, norwegian: string];

/** Translates a message with the first rule that matches; null when none matches. */
export function explainBy(rules: readonly Explanation[], message: string): string | null {
  for (const [english, norwegian] of rules) {
    const match = english.exec(message);
    if (match) {
      return norwegian.replaceAll(/\$(\d)/g, (_, group: string) => match[Number(group)] ?? '');
    }
  }
  return null;
}
