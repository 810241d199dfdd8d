import type { Page } from 'playwright-core';

import { registeredInTime } from '../../server/testing/late-invoices.ts';
import type { Faktur } from './faktur.ts';

/** Has every invoice registered on its issue date, and sent then what was sent. The page shows nothing afterwards. */
export async function registerInTime(page: Page, faktur: Faktur): Promise<void> {
  await page.goto('about:blank');
  await faktur.restart(async (db) => {
    const issued = await db
      .selectFrom('invoice')
      .select('uuid')
      .where('status', '<>', 'DRAFT')
      .execute();
    await registeredInTime(
      db,
      issued.map(({ uuid }) => uuid),
    );
  });
}
