import { COUNTRIES, countryName, HOME_COUNTRY } from '../../domain/country.ts';

/** Every country with its Norwegian name: Norway first, the others by name. */
export function namedCountries() {
  const { compare } = new Intl.Collator('nb');
  const others = COUNTRIES.filter((code) => code !== HOME_COUNTRY);
  const named = others.map((code) => [code, countryName(code)] as const);
  return [
    [HOME_COUNTRY, countryName(HOME_COUNTRY)] as const,
    ...named.toSorted(([, one], [, other]) => compare(one, other)),
  ];
}
