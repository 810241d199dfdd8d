/** Exchange: the recipient accepts mail only from certain senders, or from authenticated ones. */
export const RESTRICTED_RECIPIENT = /^5\.7\.1(24|29|3[3-6])$/;

const MEANINGS: readonly (readonly [RegExp, string])[] = [
  [/^5\.1\.[1236]$/, 'E-postadressen finnes ikke hos mottakerens e-posttjener'],
  [/^5\.1\.10$|^5\.4\.[14]$/, 'E-postadressens domene tar ikke imot e-post'],
  [/^5\.2\.1$/, 'Mottakerens postkasse er stengt'],
  [/^[45]\.2\.2$/, 'Mottakerens postkasse er full'],
  [RESTRICTED_RECIPIENT, 'Mottakeren tar bare imot e-post fra godkjente avsendere'],
  [/^5\.(3\.4|2\.3)$/, 'E-posten er for stor for mottakerens e-posttjener'],
];

/** The meaning of an enhanced status code (RFC 3463) such as 5.1.1, in Norwegian; null when unknown. */
export function explainStatus(status: string): string | null {
  return MEANINGS.find(([pattern]) => pattern.test(status))?.[1] ?? null;
}
