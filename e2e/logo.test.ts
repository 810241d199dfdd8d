import { mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import type { Locator } from 'playwright-core';
import sharp from 'sharp';
import { expect, test } from 'vitest';

import { PHONE, visit } from './support/browser.ts';
import { inspect } from './support/inspect.ts';
import { stage } from './support/faktur.ts';
import { addCustomer, addDraft, call, completeProfile, createAccount } from './support/person.ts';

const here = stage();

const MARK = `<svg xmlns="http://www.w3.org/2000/svg" width="900" height="260"><circle cx="130" cy="130" r="120" fill="#b3541e"/><path d="M60 170 130 70 200 170Z" fill="#fff"/><rect x="290" y="90" width="560" height="80" fill="#1d2f4d"/></svg>`;

test('a logo can be chosen, dropped, previewed as on the invoice and removed', async () => {
  const folder = path.join(tmpdir(), `faktur-logo-${process.pid}`);
  mkdirSync(folder, { recursive: true });
  const file = (name: string, content: Buffer) => {
    writeFileSync(path.join(folder, name), content);
    return path.join(folder, name);
  };
  const png = await sharp(Buffer.from(MARK)).png().toBuffer();
  const { page, complaints } = await visit(here.browser, here.faktur.url);
  await createAccount(page, here.faktur, 'logo@fjordlys.no');
  await completeProfile(page);
  await page.goto('/profile/');
  const card = page.getByRole('region', { name: 'Logo' });
  const input = card.locator('input[type=file]');
  const alert = card.getByRole('alert');
  await card.getByText('PNG eller JPEG, høyst 1 MB.').waitFor();
  await inspect(page, 'logo-none');

  // The browser or the server names the reason of a refusal.
  await input.setInputFiles(file('tegning.svg', Buffer.from(MARK)));
  await alert.getByText('Filen er ikke et PNG- eller JPEG-bilde.').waitFor();
  await input.setInputFiles(file('stor.png', Buffer.concat([png, Buffer.alloc(2_200_000)])));
  await alert.getByText('Bildet er for stort: 2,1 MB. Det kan være på høyst 1 MB.').waitFor();
  await input.setInputFiles(file('ord.png', Buffer.from('ikke noe bilde')));
  await alert.getByText('Logoen er ikke et PNG- eller JPEG-bilde som kan leses.').waitFor();
  await inspect(page, 'logo-refused');

  // The form beside it keeps typed input.
  await page.getByLabel('Firmanavn').fill('Fjordlys Lys og Lyd AS');
  const chooser = page.waitForEvent('filechooser');
  await card.getByRole('button', { name: 'Velg bilde' }).focus();
  await page.keyboard.press('Enter');
  await (await chooser).setFiles(file('logo.png', png));
  await page.getByText('Logo lagret!').waitFor();
  await expectShown(page.getByAltText('Logoen din'), 720 / 208);
  expect(await alert.innerText()).toBe('');
  expect(await page.getByLabel('Firmanavn').inputValue()).toBe('Fjordlys Lys og Lyd AS');
  await inspect(page, 'logo');

  const { customer_number: customer } = await addCustomer(page, 'Nordnes Kaffebar');
  const draft = await addDraft(page, customer);
  const bytes = async () =>
    (await (await page.request.get(`/invoices/${draft.uuid}/pdf/`)).body()).length;
  const withLogo = await bytes();

  // A logo can be dropped anywhere on the screen, also at the width of a phone.
  await page.setViewportSize(PHONE);
  const jpeg = await sharp(Buffer.from(MARK)).resize(300, 300).flatten().jpeg().toBuffer();
  const dropped = await page.evaluateHandle((content) => {
    const data = new DataTransfer();
    const picture = Uint8Array.from(atob(content), (letter) => letter.charCodeAt(0));
    data.items.add(new File([picture], 'ny.jpg', { type: 'image/jpeg' }));
    return data;
  }, jpeg.toString('base64'));
  for (const event of ['dragover', 'drop']) {
    await page.dispatchEvent('h1', event, { dataTransfer: dropped });
  }
  await page.getByText('Logo lagret!').last().waitFor();
  await expectShown(page.getByAltText('Logoen din'), 1);

  await inspect(page, 'logo-square');
  await card.getByRole('button', { name: 'Fjern logo' }).focus();
  await page.keyboard.press('Enter');
  await page.getByText('Logo fjernet!').waitFor();
  await card.getByRole('button', { name: 'Velg bilde' }).waitFor();
  await expect
    .poll(async () => page.evaluate(() => document.activeElement?.textContent))
    .toBe('Velg bilde');
  expect(await call(page, 'GET', '/api/users/profile/')).toMatchObject({ logo: null });
  expect(await bytes()).toBeLessThan(withLogo);
  expect(complaints).toEqual([]);
});

/** Expects the picture to be loaded with these proportions. */
async function expectShown(picture: Locator, proportions: number): Promise<void> {
  await expect
    .poll(async () =>
      picture.evaluate((image) => {
        const { naturalWidth, naturalHeight } = image as HTMLImageElement;
        return naturalWidth / naturalHeight;
      }),
    )
    .toBeCloseTo(proportions, 1);
}
