import { useState } from 'react';

import type { VatRate } from '../../../domain/vat-treatment.ts';
import type { DraftLine } from '../invoice/draft-lines.ts';
import { grossOf, netOf } from './price-with-vat.ts';

type Price = DraftLine['netUnitAmount'];

/** A price as typed, with or without VAT. The form stores it without VAT. */
export interface TypedPrice {
  readonly isWithVat: boolean;
  readonly shown: Price;
  /** The price with VAT as it was typed; null when it was not. */
  readonly typed: Price;
  readonly change: (price: Price) => void;
  /** Keeps a typed price with VAT when the rate changes. */
  readonly changeRate: (rate: VatRate) => void;
}

interface Typing {
  readonly net: Price;
  readonly rate: VatRate | null;
  readonly isWithVat: boolean;
  readonly onNet: (net: Price) => void;
}

export function useTypedPrice({ net, rate, isWithVat, onNet }: Typing): TypedPrice {
  const [typed, setTyped] = useState<Price>(null);
  // Ignores the typed price when a template, an undo or a proposal has set another one in the form.
  const isTyped = typed !== null && Object.is(netOf(typed, rate), net);
  const gross = isTyped ? typed : grossOf(net, rate);
  const put = (price: Price, nextRate: VatRate | null) => {
    setTyped(price);
    onNet(netOf(price, nextRate));
  };
  return {
    isWithVat,
    shown: isWithVat ? gross : net,
    typed: isWithVat && isTyped ? typed : null,
    change: (price) => (isWithVat ? put(price, rate) : onNet(price)),
    changeRate: (next) => {
      if (isWithVat && gross !== null) put(gross, next);
    },
  };
}
