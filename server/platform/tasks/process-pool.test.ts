import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { afterEach, describe, expect, it, vi } from 'vitest';

import type { FragileOrder } from '../../testing/fragile.process.ts';
import { ProcessPool, TooManyTasks } from './process-pool.ts';
import { TaskFailed } from './task-runner.ts';

const pools: ProcessPool<FragileOrder, number>[] = [];
const onCrash = vi.fn<(error: Error) => void>();

function openPool(
  changes: { processes?: number; timeout?: number; mostOfOwner?: number; idle?: number } = {},
) {
  const pool = new ProcessPool<FragileOrder, number>({
    file: new URL('../../testing/fragile.process.ts', import.meta.url),
    processes: 1,
    timeout: 240_000,
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

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe('a pool of processes', () => {
  it('answers everything through the processes it may have', async () => {
    const pool = openPool({ processes: 2 });
    const answers = await Promise.all(Array.from({ length: 40 }, async () => pool.run('answer')));
    expect(answers).toHaveLength(40);
    expect(new Set(answers).size).toBe(2);
  });

  it('passes a refusal on, and has another process answer the next', async () => {
    const pool = openPool();
    const first = await pool.run('answer');
    const refused = pool.run('refuse');
    await expect(refused).rejects.toThrow('not today');
    await expect(refused).rejects.toThrow(TaskFailed);
    expect(await pool.run('answer')).not.toBe(first);
    expect(onCrash).not.toHaveBeenCalled();
  });

  it('tries again in a new process when one dies', async () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'faktur-pool-'));
    const pool = openPool();
    const first = await pool.run('answer');
    const survivor = await pool.run({ dieOnce: path.join(folder, 'died') });
    expect(survivor).not.toBe(first);
    expect(onCrash).toHaveBeenCalledOnce();
    fs.rmSync(folder, { recursive: true });
  });

  it.each(['die', 'crash'] as const)(
    'gives up when two processes %s, and goes on',
    async (order) => {
      const pool = openPool();
      const waiting = [pool.run(order), pool.run('answer')];
      const [first, second] = await Promise.allSettled(waiting);
      expect(first?.status).toBe('rejected');
      expect(second?.status).toBe('fulfilled');
      expect(onCrash).toHaveBeenCalledTimes(2);
    },
  );

  it('gives a hanging process up', async () => {
    const pool = openPool({ timeout: 300 });
    await expect(pool.run('hang')).rejects.toThrow('gave no sign of life');
    expect(onCrash).toHaveBeenCalledTimes(2);
  });

  it('has owners take turns, in the order in which each came', async () => {
    const pool = openPool();
    const order: string[] = [];
    const run = async (owner: number, name: string) => {
      await pool.run('answer', { owner });
      order.push(name);
    };
    await Promise.all([
      ...['a1', 'a2', 'a3', 'a4'].map(async (name) => run(1, name)),
      ...['b1', 'b2'].map(async (name) => run(2, name)),
      run(3, 'c1'),
    ]);
    expect(order).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']);
  });

  it('refuses what is more than an owner may have, until some of it is done', async () => {
    const pool = openPool({ mostOfOwner: 3 });
    const first = Array.from({ length: 3 }, async () => pool.run('answer', { owner: 1 }));
    await expect(pool.run('answer', { owner: 1 })).rejects.toThrow(TooManyTasks);
    await expect(pool.run('answer', { owner: 2 })).resolves.toBeGreaterThan(0);
    await Promise.all(first);
    await expect(pool.run('answer', { owner: 1 })).resolves.toBeGreaterThan(0);
  });

  it('leaves what nobody waits for any more', async () => {
    const pool = openPool({ timeout: 1000 });
    const gone = new AbortController();
    const { signal } = gone;
    const running = pool.run('hang', { signal });
    // It would hang, too, if it were begun.
    const waiting = pool.run('hang', { signal });
    gone.abort();
    await expect(running).rejects.toThrow('aborted');
    await expect(waiting).rejects.toThrow('aborted');
    await expect(pool.run('hang', { signal })).rejects.toThrow('aborted');
    await expect(pool.run('answer')).resolves.toBeGreaterThan(0);
    expect(onCrash).toHaveBeenCalledOnce();
  });

  it('replaces a process after its last answer', async () => {
    const pool = openPool();
    const orders = ['answer', 'retire', 'answer', 'retire', 'answer'] as const;
    const ids = await Promise.all(orders.map(async (order) => pool.run(order)));
    expect(new Set(ids).size).toBe(3);
    expect(ids[1]).toBe(ids[0]);
    expect(ids[3]).toBe(ids[2]);
    expect(onCrash).not.toHaveBeenCalled();
  });

  it('ends a process that has waited for work', async () => {
    const pool = openPool({ idle: 1 });
    const first = await pool.run('answer');
    await vi.waitUntil(() => !isAlive(first), { timeout: 240_000 });
    expect(await pool.run('answer')).not.toBe(first);
    expect(onCrash).not.toHaveBeenCalled();
  });

  it('does a task once for all who wait for it, as long as one of them does', async () => {
    const pool = openPool({ mostOfOwner: 2 });
    const gone = new AbortController();
    const { signal } = gone;
    const busy = pool.run('answer', { owner: 1 });
    const left = pool.run('die', { owner: 1, key: 'left', signal });
    await expect(pool.run('answer', { owner: 1 })).rejects.toThrow(TooManyTasks);
    gone.abort();
    await expect(left).rejects.toThrow('aborted');
    const joint = Array.from({ length: 5 }, async () => pool.run('answer', { owner: 1, key: 'a' }));
    expect(new Set(await Promise.all([busy, ...joint])).size).toBe(1);
    expect(onCrash).not.toHaveBeenCalled();
  });

  it('lets others join what has begun and was left', async () => {
    const pool = openPool({ timeout: 1000 });
    const gone = new AbortController();
    const first = pool.run('hang', { key: 'a', signal: gone.signal });
    // One turn of the loop, and it has begun.
    await new Promise(setImmediate);
    gone.abort();
    await expect(first).rejects.toThrow('aborted');
    await expect(pool.run('answer', { key: 'a' })).rejects.toThrow('gave no sign of life');
    expect(onCrash).toHaveBeenCalledOnce();
  });

  it('finishes what it accepted when it is closed, and takes no more', async () => {
    const pool = openPool();
    const accepted = Array.from({ length: 10 }, async () => pool.run('answer'));
    await pool.close();
    await expect(Promise.all(accepted)).resolves.toHaveLength(10);
    await expect(pool.run('answer')).rejects.toThrow('closed');
  });
});
