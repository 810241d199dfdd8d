import { expect, test, vi } from 'vitest';
import { ensureSystemPackages } from './system-packages.ts';

test('installs nothing where nothing is missing', () => {
  const install = vi.fn<(packages: string[]) => boolean>();
  expect(ensureSystemPackages({ missing: [], canInstall: true, install })).toBeUndefined();
  expect(install).not.toHaveBeenCalled();
});

test('installs only what is missing', () => {
  const install = vi.fn<(packages: string[]) => boolean>(() => true);
  const machine = { missing: ['chromium'], canInstall: true, install };
  expect(ensureSystemPackages(machine)).toBeUndefined();
  expect(install).toHaveBeenCalledExactlyOnceWith(['chromium']);
});

test('says in one line what to install where it may not', () => {
  const install = vi.fn<(packages: string[]) => boolean>();
  const advice = ensureSystemPackages({
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
  expect(ensureSystemPackages(machine)).toContain('apt-get install chromium');
});
