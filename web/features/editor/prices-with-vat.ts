import { useState } from 'react';

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

/** Undefined when the browser has turned storage off, or it is full: only a preference is lost. */
function withStorage<T>(work: (kept: Storage) => T): T | undefined {
  try {
    return work(localStorage);
  } catch {
    return undefined;
  }
}

export function priceLabel(isWithVat: boolean): string {
  return isWithVat ? 'Pris inkl. mva.' : 'Pris eks. mva.';
}
