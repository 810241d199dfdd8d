import fc from 'fast-check';
import { expect, test } from 'vitest';

import { invoiceTotals, lineNet } from '../../domain/invoice/invoice.totals.ts';
import { ore, oreToKroner, type Ore } from '../../domain/money.ts';
import type { VatRate, VatTreatment } from '../../domain/vat-treatment.ts';
import { AppError } from '../errors.ts';
import type { LineRow } from '../invoice/invoice.rows.ts';
import { planCredit, type Credited, type CreditPlan } from './credit-plan.ts';

const TREATMENTS: readonly [VatTreatment, VatRate][] = [
  ['STANDARD', 25],
  ['FOOD', 15],
  ['OUTSIDE', 0],
];

const anyLine = fc
  .record({
    quantity: fc.integer({ min: 1, max: 40_000 }).map((thousandths) => thousandths / 1000),
    netUnitAmount: fc.integer({ min: -300, max: 3000 }),
    treatment: fc.constantFrom(...TREATMENTS),
  })
  .map(({ quantity, netUnitAmount, treatment: [vatTreatment, vatRate] }) => ({
    quantity,
    unit: 'HUR',
    description: 'Time',
    productNumber: null,
    netUnitAmount: ore(netUnitAmount),
    vatRate,
    vatTreatment,
  }));

const anyWish = fc.record({
  line: fc.nat(4),
  way: fc.constantFrom('quantity', 'amount', 'reduction'),
  share: fc.double({ min: 0.01, max: 1.1, noNaN: true }),
});

// CRE-6
test('any sequence of credit notes adds up to the invoice, and its VAT is cancelled exactly', () => {
  fc.assert(
    fc.property(
      fc.array(anyLine, { minLength: 1, maxLength: 5 }),
      fc.array(anyWish, { maxLength: 8 }),
      (lines, wishes) => {
        const invoice: LineRow[] = lines.map((line, index) => ({ ...line, id: index + 1 }));
        const whole = invoiceTotals(invoice);
        fc.pre(whole.gross >= 0 && whole.subtotals.some(({ net }) => net !== 0));
        let credited: Credited = { lines: new Map(), vat: [] };
        const notes: CreditPlan[] = [];
        for (const wish of [...wishes.map((one) => bodyOf(one, invoice)), ALL]) {
          const plan = tryPlan(invoice, credited, wish);
          // The rest can always be credited.
          expect(wish === ALL && plan === null).toBe(false);
          if (plan === null) continue;
          notes.push(plan);
          expect(plan.totals.gross).toBeGreaterThanOrEqual(0);
          expect(plan.left.gross).toBeGreaterThanOrEqual(0);
          for (const part of plan.totals.subtotals) {
            const exact = (part.net * part.vatRate) / 100;
            const isLast = plan.left.subtotals.some(
              ({ net, vatTreatment }) => net === 0 && vatTreatment === part.vatTreatment,
            );
            expect(isLast || Math.abs(part.vat) <= Math.ceil(Math.abs(exact))).toBe(true);
          }
          credited = after(credited, invoice, plan);
          if (plan.isAll) break;
        }
        const sum = (key: 'net' | 'vat' | 'gross') =>
          notes.reduce((total, { totals }) => total + totals[key], 0);
        expect([sum('net'), sum('vat'), sum('gross')]).toEqual([whole.net, whole.vat, whole.gross]);
        for (const own of whole.subtotals) {
          const part = credited.vat.find(({ vatTreatment }) => vatTreatment === own.vatTreatment);
          expect([part?.net ?? 0, part?.vat ?? 0]).toEqual([own.net, own.vat]);
        }
      },
    ),
  );
});

type Wish = Parameters<typeof planCredit>[2];
const ALL: Wish = { lines: null, reductions: null };

function bodyOf(
  { line, way, share }: { line: number; way: string; share: number },
  invoice: readonly LineRow[],
): Wish {
  const own = invoice[line % invoice.length] as LineRow;
  const net = Math.abs(lineNet(own));
  const netAmount = oreToKroner(ore(Math.max(1, Math.round(net * share))));
  if (way === 'reduction') {
    const { vatTreatment } = own;
    return { lines: null, reductions: [{ description: 'Avslag', netAmount, vatTreatment }] };
  }
  const quantity = Math.max(1, Math.round(own.quantity * share * 1000)) / 1000;
  const part = way === 'quantity' ? { quantity, netAmount: null } : { quantity: null, netAmount };
  return { lines: [{ id: own.id, ...part }], reductions: null };
}

function tryPlan(invoice: LineRow[], credited: Credited, wish: Wish): CreditPlan | null {
  try {
    return planCredit(invoice, credited, wish);
  } catch (error) {
    if (error instanceof AppError && /^(credit_above|nothing_to)/.test(error.code)) return null;
    throw error;
  }
}

/** The credited sums as the database has them after a note. */
function after(credited: Credited, invoice: readonly LineRow[], plan: CreditPlan): Credited {
  const lines = new Map(
    invoice.map((line) => {
      const left = plan.linesLeft.find(({ id }) => id === line.id);
      const quantity = Math.round((line.quantity - (left?.quantity ?? 0)) * 1000) / 1000;
      return [line.id, { quantity, net: ore(lineNet(line) - (left?.net ?? 0)) }];
    }),
  );
  const vat = new Map(credited.vat.map((part) => [part.vatTreatment, part]));
  for (const part of plan.totals.subtotals) {
    const before = vat.get(part.vatTreatment);
    const add = (key: 'net' | 'vat'): Ore => ore((before?.[key] ?? 0) + part[key]);
    vat.set(part.vatTreatment, { ...part, net: add('net'), vat: add('vat') });
  }
  return { lines, vat: [...vat.values()] };
}
