import { useState } from 'react';

import { withStorage } from '../../lib/storage.ts';

const PRICES_WITH_VAT = 'faktur.prices-with-vat';
const WITH_VAT = 'yes';

/** Whether prices are typed with VAT. Remembered per device, not per user. */
export function usePricesWithVat(): readonly [boolean, (isWithVat: boolean) => void] {
  const [isWithVat, setWithVat] = useState(
    () => withStorage((kept) => kept.getItem(PRICES_WITH_VAT) === WITH_VAT) ?? false,
  );
  const choose = (next: boolean) => {
    setWithVat(next);
    withStorage((kept) =>
      next ? kept.setItem(PRICES_WITH_VAT, WITH_VAT) : kept.removeItem(PRICES_WITH_VAT),
    );
  };
  return [isWithVat, choose];
}

export function priceLabel(isWithVat: boolean): string {
  return isWithVat ? 'Pris inkl. mva.' : 'Pris eks. mva.';
}
