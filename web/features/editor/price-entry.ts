import { useState } from 'react';

const KEY = 'faktur.prices-with-vat';
const WITH_VAT = 'yes';

/** Whether prices are typed with VAT. Remembered per device, not per user. */
export function usePricesWithVat(): readonly [boolean, (isWithVat: boolean) => void] {
  const [isWithVat, setWithVat] = useState(isRemembered);
  const choose = (next: boolean) => {
    setWithVat(next);
    remember(next);
  };
  return [isWithVat, choose];
}

function isRemembered(): boolean {
  try {
    return localStorage.getItem(KEY) === WITH_VAT;
  } catch {
    return false;
  }
}

/** Storage may be turned off or full; then the choice lasts for this screen only. */
function remember(isWithVat: boolean): void {
  try {
    if (isWithVat) localStorage.setItem(KEY, WITH_VAT);
    else localStorage.removeItem(KEY);
  } catch {
    // Only the preference is lost.
  }
}
