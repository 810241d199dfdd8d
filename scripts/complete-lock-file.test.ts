import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { type LockFile, missingPackages, platformOf } from './complete-lock-file.ts';

test('npm ci finds each package for each platform in package-lock.json', () => {
  const file = path.resolve(import.meta.dirname, '..', 'package-lock.json');
  const lock = JSON.parse(fs.readFileSync(file, 'utf8')) as LockFile;
  // If this fails: node scripts/complete-lock-file.ts
  expect(missingPackages(lock)).toEqual([]);
});

test('finds packages that are required but not locked', () => {
  const lock: LockFile = {
    packages: {
      'node_modules/a': {
        dev: true,
        optionalDependencies: { hoisted: '1.0.0', nested: '1.0.0', absent: '1.0.0' },
      },
      'node_modules/hoisted': {},
      'node_modules/a/node_modules/nested': {},
    },
  };
  expect(missingPackages(lock)).toEqual([{ name: 'absent', version: '1.0.0', dev: true }]);
});

test.each([
  ['@oxlint/binding-linux-arm64-musl', { cpu: ['arm64'], libc: ['musl'], os: ['linux'] }],
  ['@oxlint/binding-linux-riscv64-gnu', { cpu: ['riscv64'], libc: ['glibc'], os: ['linux'] }],
  ['@oxlint/binding-linux-arm-gnueabihf', { cpu: ['arm'], os: ['linux'] }],
  ['@oxlint/binding-win32-x64-msvc', { cpu: ['x64'], os: ['win32'] }],
  ['@oxlint-tsgolint/darwin-arm64', { cpu: ['arm64'], os: ['darwin'] }],
])('knows the platform of %s', (name, platform) => {
  expect(platformOf(name)).toEqual(platform);
});
