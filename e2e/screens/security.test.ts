import { expect, test } from 'vitest';

import {
  endOtherSessions,
  endSession,
  listSessions,
} from '../../domain/session/session.endpoints.ts';
import type { OwnSession } from '../../domain/session/session.schema.ts';
import { PHONE } from '../support/browser.ts';
import { inspect } from '../support/inspect.ts';
import { screens } from '../support/screens.ts';

const here = screens();

const SESSIONS: readonly OwnSession[] = [
  {
    uuid: '0c1f0d5e-6a7d-4f0e-9a43-7b5b9a7c1d01',
    createdAt: '2026-11-21T13:05:00.000Z',
    lastSeenAt: '2026-11-21T13:05:00.000Z',
    browser: 'Firefox på Windows',
    how: 'CODE',
    isThis: true,
  },
  {
    uuid: '0c1f0d5e-6a7d-4f0e-9a43-7b5b9a7c1d02',
    createdAt: '2026-11-02T08:00:00.000Z',
    lastSeenAt: '2026-11-20T23:30:00.000Z',
    browser: 'Safari på iPhone',
    how: 'LINK',
    isThis: false,
  },
  {
    uuid: '0c1f0d5e-6a7d-4f0e-9a43-7b5b9a7c1d03',
    createdAt: '2026-10-02T08:00:00.000Z',
    lastSeenAt: '2026-10-20T08:30:00.000Z',
    browser: 'Ukjent nettleser',
    how: 'INVITATION',
    isThis: false,
  },
];

// SEC-6
test('the profile shows where one is logged in, and ends it', async () => {
  let sessions = SESSIONS;
  const { page, complaints } = await here.open('/profile/#security', {
    features: 'all',
    prepare: ({ api }) => {
      api.answer(listSessions, () => [...sessions]);
      api.answer(endSession, ({ params }) => {
        sessions = sessions.filter(({ uuid }) => uuid !== params.uuid);
        return undefined;
      });
      api.answer(endOtherSessions, () => {
        sessions = sessions.filter(({ isThis }) => isThis);
        return undefined;
      });
    },
  });
  const list = page.getByRole('list', { name: 'Innlogginger' });
  await list.getByText('Firefox på Windows').waitFor();
  await page.getByRole('heading', { name: 'Sikkerhet' }).waitFor();
  expect(await list.getByRole('listitem').allInnerTexts()).toEqual([
    expect.stringMatching(
      /Firefox på Windows\s+Denne nettleseren\s+Logget inn 21\.11\.2026, 14:05 med kode\.\s+Logg ut/,
    ),
    expect.stringMatching(
      /Safari på iPhone\s+Logget inn 02\.11\.2026, 09:00 med lenke\. Sist brukt 21\.11\.2026\./,
    ),
    expect.stringMatching(/Ukjent nettleser\s+.*med en invitasjon\. Sist brukt 20\.10\.2026\./),
  ]);
  await inspect(page, 'security');
  await page.setViewportSize(PHONE);
  await inspect(page, 'security-phone');
  await page.getByRole('button', { name: 'Logg ut Safari på iPhone' }).click();
  await list.getByText('Safari på iPhone').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Logg ut alle andre' }).click();
  await list.getByText('Ukjent nettleser').waitFor({ state: 'detached' });
  expect(await page.getByRole('button', { name: 'Logg ut alle andre' }).count()).toBe(0);
  expect(complaints).toEqual([]);
});

// SEC-6
test('without the feature the profile has no such part', async () => {
  const { page } = await here.open('/profile/');
  await page.getByRole('heading', { name: 'Logo' }).waitFor();
  expect(await page.getByRole('heading', { name: 'Sikkerhet' }).count()).toBe(0);
});
