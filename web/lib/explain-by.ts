/** A rule in the contract's English, and what it says in Norwegian, with what it matched as `$1`. */
export type Explanation = readonly [english: RegExp, norwegian: string];

/** What a message means by the first rule that it follows; null where it follows none. */
export function explainBy(rules: readonly Explanation[], message: string): string | null {
  for (const [english, norwegian] of rules) {
    const match = english.exec(message);
    if (match) {
      return norwegian.replaceAll(/\$(\d)/g, (_, group: string) => match[Number(group)] ?? '');
    }
  }
  return null;
}
