// Draws the home screen icons from the app's mark during the build (vite.config.ts).

import sharp from 'sharp';

/** A file of the built app. */
export interface AppIcon {
  readonly fileName: string;
  readonly source: Uint8Array;
}

interface Wanted {
  readonly fileName: string;
  readonly size: number;
  /** Fills the corners and draws a smaller mark, because the platform cuts its own shape. */
  readonly isCut?: boolean;
}

/** Names used by web/public/app.webmanifest and the pages. */
const ICONS: readonly Wanted[] = [
  { fileName: 'icon-192.png', size: 192 },
  { fileName: 'icon-512.png', size: 512 },
  { fileName: 'icon-maskable-512.png', size: 512, isCut: true },
  { fileName: 'apple-touch-icon.png', size: 180, isCut: true },
];
/** Nothing within this share of the side is cut off (W3C Web App Manifest, § 'Icon masks and safe zone'). */
const SAFE = 0.8;

/**
 * Draws all icons.
 * @param mark an SVG whose first colour is its background
 */
export async function drawIcons(mark: Buffer): Promise<AppIcon[]> {
  const ground = /fill="(#[0-9a-f]{6})"/.exec(mark.toString())?.[1];
  if (ground === undefined) throw new Error('The mark has no ground');
  return Promise.all(
    ICONS.map(async ({ fileName, size, isCut = false }) => {
      const inner = isCut ? Math.round(size * SAFE) : size;
      // Rendered at the final size, not enlarged: an SVG has 72 dots per inch.
      const drawn = sharp(mark, { density: (72 * inner) / 32 }).resize(inner, inner);
      if (!isCut) return { fileName, source: await drawn.png().toBuffer() };
      const square = sharp({
        create: { width: size, height: size, channels: 3, background: ground },
      });
      const source = await square
        .composite([{ input: await drawn.png().toBuffer() }])
        .removeAlpha()
        .png()
        .toBuffer();
      return { fileName, source };
    }),
  );
}
