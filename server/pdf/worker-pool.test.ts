import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { afterEach, describe, expect, it, vi } from 'vitest';

import type { FragileOrder } from '../testing/fragile.worker.ts';
import { WorkerPool } from './worker-pool.ts';

const pools: WorkerPool<FragileOrder, number>[] = [];
const onCrash = vi.fn<(error: Error) => void>();

function openPool(changes: { threads?: number; timeout?: number } = {}) {
  const pool = new WorkerPool<FragileOrder, number>({
    file: new URL('../testing/fragile.worker.ts', import.meta.url),
    threads: 1,
    timeout: 20_000,
    onCrash,
    ...changes,
  });
  pools.push(pool);
  return pool;
}

afterEach(async () => {
  onCrash.mockReset();
  await Promise.all(pools.splice(0).map(async (pool) => pool.close()));
});

describe('a pool of workers', () => {
  it('answers everything through the threads it may have', async () => {
    const pool = openPool({ threads: 2 });
    const answers = await Promise.all(Array.from({ length: 40 }, async () => pool.run('answer')));
    expect(answers).toHaveLength(40);
    expect(new Set(answers).size).toBe(2);
  });

  it('passes a refusal on and lives', async () => {
    const pool = openPool();
    const thread = await pool.run('answer');
    await expect(pool.run('refuse')).rejects.toThrow('not today');
    expect(await pool.run('answer')).toBe(thread);
    expect(onCrash).not.toHaveBeenCalled();
  });

  it('tries again on a new worker when one dies', async () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'faktur-pool-'));
    const pool = openPool();
    const thread = await pool.run('answer');
    const survivor = await pool.run({ dieOnce: path.join(folder, 'died') });
    expect(survivor).not.toBe(thread);
    expect(onCrash).toHaveBeenCalledOnce();
    fs.rmSync(folder, { recursive: true });
  });

  it.each(['die', 'throw'] as const)('gives up when two workers %s, and goes on', async (order) => {
    const pool = openPool();
    const waiting = [pool.run(order), pool.run('answer')];
    const [first, second] = await Promise.allSettled(waiting);
    expect(first?.status).toBe('rejected');
    expect(second?.status).toBe('fulfilled');
    expect(onCrash).toHaveBeenCalledTimes(2);
  });

  it('gives a hanging worker up', async () => {
    const pool = openPool({ timeout: 300 });
    await expect(pool.run('hang')).rejects.toThrow('died');
    expect(onCrash).toHaveBeenCalledTimes(2);
  });

  it('replaces a worker that is tired', async () => {
    const pool = openPool();
    const orders = ['answer', 'tire', 'answer', 'tire', 'answer'] as const;
    const threads = await Promise.all(orders.map(async (order) => pool.run(order)));
    expect(new Set(threads).size).toBe(3);
    expect(threads[1]).toBe(threads[0]);
    expect(threads[3]).toBe(threads[2]);
    expect(onCrash).not.toHaveBeenCalled();
  });

  it('finishes what it accepted when it is closed, and takes no more', async () => {
    const pool = openPool();
    const accepted = Array.from({ length: 10 }, async () => pool.run('answer'));
    await pool.close();
    await expect(Promise.all(accepted)).resolves.toHaveLength(10);
    await expect(pool.run('answer')).rejects.toThrow('sent home');
  });
});
