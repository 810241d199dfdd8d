import { useState } from 'react';

const KEY = 'faktur.prices-with-vat';
const WITH_VAT = 'yes';

/** Whether prices are typed with VAT, which the device remembers, whoever uses it. */
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

/** Storage may be switched off, or full: then it is asked anew on the next screen. */
function remember(isWithVat: boolean): void {
  try {
    if (isWithVat) localStorage.setItem(KEY, WITH_VAT);
    else localStorage.removeItem(KEY);
  } catch {
    // Nothing is lost but a habit.
  }
}
