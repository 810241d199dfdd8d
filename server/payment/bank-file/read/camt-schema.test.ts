import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { describe, expect, it } from 'vitest';

import {
  camtFile,
  type CamtFile,
  type CamtFileEntry,
} from '../../../testing/bank-files/camt-file.ts';
import { createRandom, type Random } from '../../../testing/bank-files/random.ts';
import { findBankSamples, readAtOnce } from '../../../testing/bank-files/read-at-once.ts';

const SCHEMAS = findBankSamples();
const FILES = 25;
const SEED = 2026;

/** Validates documents with xmllint. Returns the errors of each document; '' means valid. */
function validateBySchema(schema: string, documents: readonly Uint8Array[]): string[] {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'faktur-xsd-'));
  try {
    return documents.map((document, index) => {
      const file = path.join(folder, `${index}.xml`);
      fs.writeFileSync(file, document);
      const args = ['--noout', '--nonet', '--huge', '--schema', schema, file];
      const { status, stderr, error } = spawnSync('xmllint', args, { encoding: 'utf8' });
      if (error) throw error;
      return status === 0 ? '' : stderr;
    });
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}

/** A file with a random selection of everything that banks write. */
function randomFile(random: Random, format: 'CAMT054' | 'CAMT053', version: string): CamtFile {
  const entries = Array.from({ length: random.below(6) }, () => randomEntry(random, version));
  const signed = entries.map(({ amount, direction, status, currency = 'NOK' }) =>
    status === 'BOOK' && currency === 'NOK' ? Number(amount) * (direction === 'DBIT' ? -1 : 1) : 0,
  );
  const moved = signed.reduce((sum, amount) => sum + amount, 0);
  const balances = [
    { code: 'OPBD', amount: '5000.00' },
    { code: 'CLBD', amount: (5000 + moved).toFixed(2) },
  ];
  const isStatement = format === 'CAMT053';
  const account = random.pick(['86011117947', 'NO9386011117947']);
  return { format, version, statements: [{ account, entries, ...(isStatement && { balances }) }] };
}

function randomEntry(random: Random, version: string): CamtFileEntry {
  const count = random.below(4);
  const oere = Array.from({ length: count }, () => 1 + random.below(100_000));
  const sum = oere.reduce((all, one) => all + one, 0) || 4200;
  return {
    amount: (sum / 100).toFixed(2),
    direction: random.pick(['CRDT', 'CRDT', 'DBIT']),
    reversal: random.pick([undefined, true, false]),
    status: random.pick(['BOOK', 'BOOK', 'PDNG']),
    date: random.pick(['2026-11-20', '2026-11-20T09:30:00+01:00', null]),
    reference: random.pick([undefined, `E-${random.below(1000)}`]),
    batch: random.pick([undefined, { count, total: (sum / 100).toFixed(2) }]),
    additional: random.pick([undefined, 'Gebyr & <annet>']),
    details: oere.map((amount, index) => ({
      amount: (amount / 100).toFixed(2),
      reference: random.pick([undefined, `D-${index}`]),
      transactionId: random.pick([undefined, `T-${index}`]),
      uetr: version === '08' ? '8a562c67-ca16-48ba-b074-65581be6f011' : undefined,
      instructed: random.pick([undefined, { amount: '10.00', currency: 'EUR' }]),
      payer: random.pick([undefined, 'Øyvind Åsheim & sønn']),
      payerAccount: random.pick([undefined, '12345678903', 'NO9297104133219']),
      texts: random.pick([[], ['Faktura 10048'], ['Takk', 'for nå']]),
      kids: random.pick([[], [{ kid: '0001000100451', amount: '1.00', invoice: '10045' }]]),
      additional: random.pick([undefined, 'Fra banken']),
    })),
  };
}

describe.skipIf(SCHEMAS === null)('the generated camt files of the tests', () => {
  it.each([
    ['CAMT053', '02'],
    ['CAMT053', '08'],
    ['CAMT054', '02'],
    ['CAMT054', '08'],
  ] as const)('are valid by the official schema and can be read: %s %s', (format, version) => {
    const random = createRandom(SEED);
    const files = Array.from({ length: FILES }, () =>
      camtFile(randomFile(random, format, version)),
    );
    const name = `camt.0${format.slice(-2)}.001.${version}.xsd`;
    const complaints = validateBySchema(path.join(SCHEMAS ?? '', name), files);
    expect(complaints.filter((text) => text !== '')).toEqual([]);
    const counts = files.map((file) => readAtOnce(file).summary.count);
    expect(Math.max(...counts)).toBeGreaterThan(3);
  });
});
