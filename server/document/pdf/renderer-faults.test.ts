import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';

import { sampleBuyer, sampleInvoice, sampleLine } from '../../testing/invoice-documents.ts';
import { readWithPoppler, removeFolder, temporaryFolder } from '../../testing/poppler.ts';
import { createPdfRenderer, PdfNotPrintable, type PdfRenderer } from './renderer.ts';

const log = { warn: vi.fn<() => void>(), error: vi.fn<() => void>() };
const report = vi.fn<() => void>();
const input = {
  document: sampleInvoice({ buyer: { ...sampleBuyer, name: 'شركة القهوة 株式会社' } }),
  stamp: null,
  xml: null,
  logo: null,
};

let folder = '';
let faults = '';
let renderer: PdfRenderer;

beforeAll(() => {
  folder = temporaryFolder();
  faults = join(folder, 'faults');
  vi.stubEnv('PDF_FAULTS', faults);
  const program = new URL('../../testing/faulty-pdf.process.ts', import.meta.url);
  renderer = createPdfRenderer({ processes: 1, log, reports: { report }, program });
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await renderer.close();
  removeFolder(folder);
});
beforeEach(() => {
  vi.clearAllMocks();
  rmSync(faults, { recursive: true, force: true });
  mkdirSync(faults);
});

function fail(times: number): void {
  for (let time = 0; time < times; time++) writeFileSync(join(faults, String(time)), '');
}

const caller = { owner: 1, signal: new AbortController().signal };

describe('an engine that fails', () => {
  it('once costs no character', async () => {
    const before = await renderer.render(input);
    fail(1);
    const after = await renderer.render(input);
    expect(readdirSync(faults)).toEqual([]);
    expect(Buffer.from(after).equals(before)).toBe(true);
    const text = readWithPoppler(folder, after).text('reading');
    expect(text).toContain('株式会社');
    expect(text).not.toContain('\uFFFD');
    expect(log.warn).toHaveBeenCalledExactlyOnceWith(
      {
        err: expect.objectContaining({ message: 'the engine is out of order' }),
        invoiceNumber: 10_027,
      },
      expect.stringContaining('trying once more'),
    );
  });

  it('twice prints nothing, is told, and prints the next', async () => {
    fail(2);
    await expect(renderer.render(input)).rejects.toThrow(PdfNotPrintable);
    expect(log.error).toHaveBeenCalledOnce();
    expect(report).not.toHaveBeenCalled();
    fail(2);
    await expect(renderer.preview(input, caller)).rejects.toThrow(PdfNotPrintable);
    expect(report).toHaveBeenCalledOnce();
    await expect(renderer.preview(input, caller)).resolves.toBeDefined();
  });
});

describe('previews of the same', () => {
  const calls = (owner: number) => {
    const gone = new AbortController();
    return { gone, rendering: renderer.preview(input, { owner, signal: gone.signal }) };
  };

  // DOC-13
  it('are one printing for all who wait, also for whoever comes after it was left', async () => {
    // One fault for each printing: as many as are left were not needed.
    fail(40);
    const first = calls(1);
    const others = Array.from({ length: 9 }, () => calls(1));
    first.gone.abort();
    await expect(first.rendering).rejects.toThrow('aborted');
    // Tried once more, then given up, for all.
    const outcomes = await Promise.allSettled(others.map(({ rendering }) => rendering));
    expect(outcomes.every(({ status }) => status === 'rejected')).toBe(true);
    expect(readdirSync(faults)).toHaveLength(38);
  });

  it('of another company are another', async () => {
    fail(40);
    await Promise.allSettled([calls(1).rendering, calls(2).rendering]);
    expect(readdirSync(faults)).toHaveLength(36);
  });
});

describe('heavy previews of one company', () => {
  const lines = Array.from({ length: 150 }, () => sampleLine('قهوة محمصة طازجة للمكتب', 2, 149.5));
  const heavy = (at: number) => ({
    ...input,
    document: sampleInvoice({ lines, reference: `Bestilling ${at}` }),
  });

  it('hold up neither another company nor mailing', async () => {
    const done: string[] = [];
    const gone = new AbortController();
    const company = { owner: 1, signal: gone.signal };
    const note = async (name: string, rendering: Promise<unknown>) => {
      await rendering;
      done.push(name);
    };
    await Promise.all([renderer.render(input), renderer.preview(input, caller)]);
    const many = Array.from({ length: 10 }, async (_, at) =>
      note(`heavy ${at}`, renderer.preview(heavy(at), company)),
    );
    await expect(renderer.preview(heavy(10), company)).rejects.toThrow('');
    await Promise.all([
      note('mail', renderer.render(input)),
      note('small', renderer.preview(input, { ...caller, owner: 2 })),
    ]);
    // The one company had one under way, and one more may have had its turn.
    expect(done.length).toBeLessThanOrEqual(4);
    expect(done.indexOf('mail')).toBeLessThan(2);
    // Nobody waits for the rest, so it is not printed.
    gone.abort();
    await Promise.allSettled(many);
  });
});
