/** Families by the first mark that a User-Agent has: most name Chrome and Safari too. */
const FAMILIES: readonly (readonly [mark: RegExp, name: string])[] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\b(?:OPR|Opera|OPiOS|OPT)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  // Chrome without windows calls itself HeadlessChrome.
  [/(?:Chrome|CriOS)\//, 'Chrome'],
  [/\bVersion\/\S+ (?:Mobile\/\S+ )?Safari\//, 'Safari'],
];

/** Systems by the first mark: an iPhone names the Mac, Android names Linux. */
const SYSTEMS: readonly (readonly [mark: RegExp, name: string])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows NT\b/, 'Windows'],
  [/\bMacintosh\b/, 'Mac'],
  [/\bLinux\b/, 'Linux'],
];

/** The name of a browser or a system that is not known (SEC-2). */
export const UNKNOWN_BROWSER = 'Ukjent nettleser';

/**
 * Family and system of a browser, without versions: 'Firefox på Windows' (SEC-2).
 *
 * @returns null when either is unknown
 */
export function browserOf(userAgent: string): string | null {
  const nameIn = (known: typeof FAMILIES) => known.find(([mark]) => mark.test(userAgent))?.[1];
  const [family, system] = [nameIn(FAMILIES), nameIn(SYSTEMS)];
  return family === undefined || system === undefined ? null : `${family} på ${system}`;
}
