import { describe, expect, it } from 'vitest';

import { ore } from '../../../../domain/money.ts';
import {
  camtKey,
  contentKey,
  createIdentify,
  fingerprintOf,
  ocrKey,
  type CamtParts,
  type Content,
  type OcrParts,
} from './identity.ts';

const OCR: OcrParts = {
  account: '86011117947',
  amount: ore(125_000),
  kid: '0001000100451',
  transmissionDate: '201126',
  transmission: '0000321',
  assignment: '0000001',
  transaction: '0000001',
};
const CAMT: CamtParts = {
  account: '86011117947',
  amount: ore(125_000),
  entry: 'OCR20261120001464',
  detail: '0990385620001',
  ordinal: 1,
  repeat: 1,
};
const CONTENT: Content = {
  account: '86011117947',
  amount: ore(35_000),
  kids: [],
  text: 'Faktura 10048',
};

// BANK-16
describe('a key', () => {
  it.each<Partial<OcrParts>>([
    { account: '12345678903' },
    { amount: ore(-125_000) },
    { kid: null },
    { transmissionDate: '211126' },
    { transmission: '0000322' },
    { assignment: '0000002' },
    { transaction: '0000002' },
  ])('of OCR differs for %o', (change) => {
    expect(ocrKey({ ...OCR })).toBe(ocrKey(OCR));
    expect(ocrKey({ ...OCR, ...change })).not.toBe(ocrKey(OCR));
  });

  it.each<Partial<CamtParts>>([
    { account: '12345678903' },
    { amount: ore(-125_000) },
    { entry: 'OCR20261120001465' },
    { entry: null },
    { detail: '0990385620002' },
    { detail: null },
  ])('of camt differs for %o', (change) => {
    expect(camtKey({ ...CAMT, ...change })).not.toBe(camtKey(CAMT));
  });

  it('of camt numbers only the details without a reference', () => {
    expect(camtKey({ ...CAMT, ordinal: 2 })).toBe(camtKey(CAMT));
    const first = camtKey({ ...CAMT, detail: null });
    expect(camtKey({ ...CAMT, detail: null, ordinal: 2 })).not.toBe(first);
    expect(camtKey({ ...CAMT, detail: '1' })).not.toBe(first);
  });

  it('of camt without any reference comes from the content', () => {
    expect(camtKey({ ...CAMT, entry: null, detail: null })).toBeNull();
    const fingerprint = fingerprintOf(CONTENT);
    const first = contentKey(fingerprint, '2026-11-20', 1);
    expect(contentKey(fingerprint, '2026-11-20', 2)).not.toBe(first);
    expect(contentKey(fingerprint, '2026-11-21', 1)).not.toBe(first);
  });
});

describe('a fingerprint', () => {
  it('does not depend on case, spaces or the cut end of the text', () => {
    const long = `Faktura 10048 ${'og litt til '.repeat(5)}`;
    const print = fingerprintOf({ ...CONTENT, text: long });
    expect(fingerprintOf({ ...CONTENT, text: ` FAKTURA  ${long.slice(8)}\n` })).toBe(print);
    expect(fingerprintOf({ ...CONTENT, text: long.slice(0, 40) })).toBe(print);
    expect(fingerprintOf(CONTENT)).not.toBe(print);
  });

  it('depends on the KIDs and not on the text when there are KIDs', () => {
    const kids = [{ kid: '18' }, { kid: '26' }];
    const print = fingerprintOf({ ...CONTENT, kids });
    expect(fingerprintOf({ ...CONTENT, kids: kids.toReversed(), text: null })).toBe(print);
    expect(fingerprintOf({ ...CONTENT, kids: [{ kid: '18' }] })).not.toBe(print);
    expect(fingerprintOf({ ...CONTENT, kids, amount: ore(-35_000) })).not.toBe(print);
  });
});

it('counts equal payments of one date', () => {
  const identify = createIdentify();
  const references = { entry: null, detail: null, ordinal: 1, repeat: 1 };
  const occurrenceOf = (content: Content, date: string) =>
    identify({ ...content, date, kid: null }, { by: 'CAMT', ...references }).occurrence;
  const other = { ...CONTENT, text: null };
  expect(occurrenceOf(CONTENT, '2026-11-20')).toBe(1);
  expect(occurrenceOf(CONTENT, '2026-11-20')).toBe(2);
  expect(occurrenceOf(other, '2026-11-20')).toBe(1);
  expect(occurrenceOf(CONTENT, '2026-11-21')).toBe(1);
  expect(occurrenceOf(CONTENT, '2026-11-20')).toBe(3);
});
