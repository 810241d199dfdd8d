import type { Block } from './blocks.ts';
import { FONT, STYLE } from './mail-style.ts';
import { Markup, markup } from './markup.ts';

/** The output of a template: everything of a mail except its addresses. */
export interface MailContent {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** A picture attached to the mail and shown in it. */
export interface InlinePicture {
  readonly contentId: string;
  /** CSS pixels. */
  readonly width: number;
  readonly height: number;
}

interface Letter {
  readonly subject: string;
  /** The preview that an inbox shows after the subject. */
  readonly preheader: string;
  /** The sender named in the mail: a seller, or null for the product itself. */
  readonly sender: string | null;
  /** The sender's logo, above its name. */
  readonly logo?: InlinePicture | null;
  readonly heading: string;
  readonly body: readonly Block[];
  readonly footer: readonly Block[];
}

/**
 * Builds a mail from its blocks, as text and as HTML that works in Outlook, on phones, in dark mode and for screen
 * readers.
 */
export function renderMail(letter: Letter): MailContent {
  return { subject: letter.subject, text: renderText(letter), html: renderHtml(letter).source };
}

function renderText({ sender, heading, body, footer }: Letter): string {
  const parts = [
    sender ?? 'Faktur',
    heading,
    ...body.map(({ text }) => text),
    // RFC 3676 § 4.3: the text after this line is a signature, and mail programs treat it as one.
    `-- \n${footer.map(({ text }) => text).join('\n')}`,
  ];
  return `${parts.join('\n\n')}\n`;
}

function renderHtml(letter: Letter): Markup {
  const { subject, preheader } = letter;
  return markup`<!doctype html>
<html lang="nb" dir="ltr" xmlns="http://www.w3.org/1999/xhtml" xmlns:o="urn:schemas-microsoft-com:office:office">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="format-detection" content="telephone=no,date=no,address=no,email=no,url=no">
<meta name="x-apple-disable-message-reformatting">
<title>${subject}</title>
<!--[if mso]><xml><o:OfficeDocumentSettings><o:PixelsPerInch>96</o:PixelsPerInch></o:OfficeDocumentSettings></xml><style>td,th,p,a,h1{font-family:"Segoe UI",Arial,sans-serif!important}</style><![endif]-->
<style>${STYLE}</style>
</head>
<body class="paper" bgcolor="#f7f5f0" style="margin:0;padding:0;background-color:#f7f5f0">
<div style="display:none;max-height:0;overflow:hidden;mso-hide:all" aria-hidden="true">${preheader}${AFTER_PREHEADER}</div>
<div role="article" aria-roledescription="e-post" aria-label="${subject}" lang="nb">
${page(letter)}
</div>
</body>
</html>
`;
}

// Prevents an inbox from showing the mail's own text after the preheader.
const AFTER_PREHEADER = new Markup('&#847;&zwnj;&nbsp;'.repeat(60));

// Outlook ignores max-width: it gets an outer table of fixed width.
function page({ sender, logo, heading, body, footer }: Letter): Markup {
  return markup`<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" class="paper" bgcolor="#f7f5f0" style="background-color:#f7f5f0"><tr><td align="center" class="frame" style="padding:32px 16px">
<!--[if mso]><table role="presentation" width="560" cellpadding="0" cellspacing="0" border="0"><tr><td><![endif]-->
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:560px;margin:0 auto;font-family:${FONT};font-size:16px;line-height:25px;text-align:left;overflow-wrap:anywhere">
<tr><td class="side" style="padding:0 33px 18px">${logo ? picture(logo) : null}${masthead(sender)}</td></tr>
<tr><td class="surface side" bgcolor="#ffffff" style="background-color:#ffffff;border:1px solid #e5e1d8;border-radius:16px;padding:32px 32px 16px">
<h1 class="ink" style="margin:0 0 16px;color:#1b1f1d;font-size:24px;line-height:31px;font-weight:600;letter-spacing:-0.3px">${heading}</h1>
${body.map((block) => block.html)}</td></tr>
<tr><td class="side" style="padding:20px 33px 0">
${footer.map((block) => block.html)}</td></tr>
</table>
<!--[if mso]></td></tr></table><![endif]-->
</td></tr></table>`;
}

// No alt text: the name stands below it. White background in dark mode too, since the logo was not drawn for dark.
function picture({ contentId, width, height }: InlinePicture): Markup {
  return markup`<p style="margin:0 0 12px"><img src="cid:${contentId}" alt="" width="${width}" height="${height}" style="display:block;width:${width}px;height:${height}px;padding:8px;border:0;border-radius:8px;background-color:#ffffff"></p>
`;
}

function masthead(sender: string | null): Markup {
  if (sender !== null) {
    return markup`<p class="ink" style="margin:0;color:#1b1f1d;font-size:20px;line-height:28px;font-weight:600;letter-spacing:-0.2px"><bdi>${sender}</bdi></p>`;
  }
  return markup`<table role="presentation" cellpadding="0" cellspacing="0" border="0"><tr>
<td class="accent on-accent" width="32" height="32" align="center" bgcolor="#1d5c4a" aria-hidden="true" style="width:32px;height:32px;background-color:#1d5c4a;border-radius:8px;color:#ffffff;font-size:18px;line-height:32px;font-weight:700">F</td>
<td class="ink" style="padding-left:10px;color:#1b1f1d;font-size:20px;line-height:32px;font-weight:600;letter-spacing:-0.2px">Faktur</td>
</tr></table>`;
}
