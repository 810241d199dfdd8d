import { useState } from 'react';

import { recall, remember } from '../../lib/device-memory.ts';

const KEY = 'faktur.prices-with-vat';
const WITH_VAT = 'yes';

/** Whether prices are typed with VAT. Remembered per device, not per user. */
export function usePricesWithVat(): readonly [boolean, (isWithVat: boolean) => void] {
  const [isWithVat, setWithVat] = useState(() => recall(KEY) === WITH_VAT);
  const choose = (next: boolean) => {
    setWithVat(next);
    remember(KEY, next ? WITH_VAT : '');
  };
  return [isWithVat, choose];
}
