import { expect, test } from 'vitest';

import { bannerText } from './EInvoiceBanner.tsx';

// EINV-9
test('the banner says what is missing, before 2027 and from then on', () => {
  const text = (banner: Parameters<typeof bannerText>[0]['banner'], isBefore: boolean) =>
    bannerText({ banner, reachableCustomers: 7 }, isBefore);
  expect(text('NO_AGREEMENT', true)).toBe(
    'Fra 1. januar 2027 skal bedrifter få e-faktura (EHF). 7 av bedriftskundene dine kan motta.',
  );
  expect(text('NO_AGREEMENT', false)).toBe(
    'Bedrifter skal få e-faktura (EHF). Du har ingen utstederavtale, så fakturaene går på e-post med EHF-filen vedlagt.',
  );
  for (const isBefore of [true, false]) {
    expect(text('REQUESTED', isBefore)).toBe('Avtalen om e-faktura venter på godkjenning.');
  }
  expect(text('NO_ACCESS_POINT', true)).toBe(
    'Fra 1. januar 2027 skal bedrifter få e-faktura (EHF). Denne installasjonen sender ikke EHF ennå.',
  );
  expect(text('NO_ACCESS_POINT', false)).toBe(
    'Bedrifter skal få e-faktura (EHF). Denne installasjonen sender ikke EHF.',
  );
});
