import { expect, test } from 'vitest';

import type { HistoryEvent, HistoryKind } from '../../../domain/history/history.schema.ts';
import { eventLabel, eventNote } from './HistoryCard.tsx';

// CRE-18
test.each([
  [
    'REMINDED',
    { reminderKind: 'NOTICE', step: 2, amount: 1287.5, dueDate: '2026-12-07' },
    'Purring på 1 287,50 kr',
    'Ny betalingsfrist 07.12.2026',
  ],
  [
    'SENT',
    { deliveryType: 'EMAIL', recipient: 'kari@nordnes.no', reminder: true },
    'Purring sendt',
    'kari@nordnes.no',
  ],
  [
    'FAILED',
    { deliveryType: 'EMAIL', recipient: 'kari@nordnes.no', reminder: true, stoppedBy: 'DISPUTED' },
    'Purring holdt tilbake',
    'Bestridt først',
  ],
  [
    'CREDITED',
    {
      credited: 625,
      creditNote: { uuid: '7f0c9b7e-0f0e-4c0e-8f0e-7f0c9b7e0f0e', invoiceNumber: 12 },
    },
    'Kreditert 625,00 kr',
    null,
  ],
  [
    'DISPUTED',
    { note: 'Halve leveransen var ødelagt.' },
    'Bestridt',
    'Halve leveransen var ødelagt.',
  ],
] satisfies [HistoryKind, HistoryEvent['details'], string, string | null][])(
  '%s is told in words',
  (kind, details, text, note) => {
    const event: HistoryEvent = {
      at: '2026-11-22T08:00:00Z',
      by: { type: 'SYSTEM', name: 'Faktur' },
      kind,
      details,
    };
    expect(eventLabel(event).text.replaceAll('\u00A0', ' ')).toBe(text);
    expect(eventNote(event)).toBe(note);
  },
);
