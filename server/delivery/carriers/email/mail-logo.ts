import { fitLogo } from '../../../../domain/profile/profile.schema.ts';
import type { InlinePicture } from '../../../platform/mail/layout.ts';
import type { MailAttachment } from '../../../platform/mail/outgoing-mail.ts';

/** Pixels of CSS: a third of the logo's own, for sharp screens. */
const BOX = { width: 240, height: 80 };
const CONTENT_ID = 'logo@faktur';

/** How a mail shows the seller's logo, and what goes along for that; nothing without one. */
export function mailLogo(png: Uint8Array | null): {
  readonly shown: InlinePicture | null;
  readonly attached: readonly MailAttachment[];
} {
  if (!png) return { shown: null, attached: [] };
  const { width, height } = fitLogo(png, BOX, 1);
  const pixels = (length: number) => Math.max(1, Math.round(length));
  return {
    shown: { contentId: CONTENT_ID, width: pixels(width), height: pixels(height) },
    attached: [
      { filename: 'logo.png', contentType: 'image/png', content: png, contentId: CONTENT_ID },
    ],
  };
}
