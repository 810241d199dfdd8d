import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { ensureSystemPackages, preventServices } from './system-packages.ts';

test('installs nothing when nothing is missing', () => {
  const install = vi.fn<(packages: string[]) => boolean>();
  expect(ensureSystemPackages('test', { missing: [], canInstall: true, install })).toBeUndefined();
  expect(install).not.toHaveBeenCalled();
});

test('installs only what is missing', () => {
  const install = vi.fn<(packages: string[]) => boolean>(() => true);
  const machine = { missing: ['chromium'], canInstall: true, install };
  expect(ensureSystemPackages('test', machine)).toBeUndefined();
  expect(install).toHaveBeenCalledExactlyOnceWith(['chromium']);
});

test('says in one line what to install when it is not allowed to', () => {
  const install = vi.fn<(packages: string[]) => boolean>();
  const advice = ensureSystemPackages('operations', {
    missing: ['postgresql', 'chromium'],
    canInstall: false,
    install,
  });
  expect(advice).toContain('apt-get install postgresql chromium');
  expect(advice).not.toContain('\n');
  expect(install).not.toHaveBeenCalled();
});

test('says what to install when the installation failed', () => {
  const machine = { missing: ['chromium'], canInstall: true, install: () => false };
  expect(ensureSystemPackages('test', machine)).toContain('apt-get install chromium');
});

test('prevents services from starting, and restores the previous policy', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'faktur-policy-'));
  const policy = path.join(folder, 'policy-rc.d');
  preventServices(policy)();
  expect(fs.readdirSync(folder)).toEqual([]);

  fs.writeFileSync(policy, '#!/bin/sh\nexit 104\n', { mode: 0o755 });
  const undo = preventServices(policy);
  expect(spawnSync(policy, ['haproxy', 'start']).status).toBe(101);
  undo();
  expect(spawnSync(policy, ['haproxy', 'start']).status).toBe(104);
  fs.rmSync(folder, { recursive: true });
});
