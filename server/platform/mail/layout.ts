/** HTML that is safe: literal markup, with every inserted value escaped. */
export class Markup {
  readonly source: string;

  constructor(source: string) {
    this.source = source;
  }
}

/** A value to insert into a template; null inserts nothing. */
type Value = string | number | Markup | readonly Markup[] | null;

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/**
 * Template tag for HTML: markup`<p title="${title}">${text}</p>`. Texts are escaped for content and for quoted
 * attributes; insert user text nowhere else in a template.
 *
 * Not called `html`, since the formatter would then reformat its contents, and in a mail white space and conditional
 * comments matter.
 */
export function markup(literals: TemplateStringsArray, ...values: readonly Value[]): Markup {
  const parts = literals.map((literal, index) => literal + toSource(values[index] ?? null));
  return new Markup(parts.join(''));
}

function toSource(value: Value): string {
  if (value === null) return '';
  if (value instanceof Markup) return value.source;
  if (typeof value === 'object') return value.map((part) => part.source).join('');
  return String(value).replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}

/**
 * A URL for href, src and similar attributes.
 *
 * @throws TypeError unless it is an absolute http(s) URL
 */
export function webUrl(text: string): string {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new TypeError(`Not a web address: ${JSON.stringify(text)}`);
  }
  return url.href;
}

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

/** The words and parts of a mail, before its layout. */
export interface Letter {
  readonly subject: string;
  /** The preview that an inbox shows after the subject. */
  readonly preheader: string;
  /** The company that a notice of Faktur's own concerns, which the mail names: a reader may have several. */
  readonly about?: string | null;
  /** The seller that sends the mail; the product itself when absent. */
  readonly sender?: string;
  /** The sender's logo, above its name. */
  readonly logo?: InlinePicture | null;
  /** The subject when absent. */
  readonly heading?: string;
  /** A plain text is a paragraph. */
  readonly body: readonly (Block | string)[];
  /** A plain text is a remark. */
  readonly footer: readonly (Block | string)[];
}

/** A letter with its defaults filled in. */
interface Page extends Pick<Letter, 'subject' | 'preheader' | 'sender' | 'logo'> {
  readonly heading: string;
  readonly body: readonly Block[];
  readonly footer: readonly Block[];
}

/**
 * Builds a mail from its blocks, as text and as HTML that works in Outlook, on phones, in dark mode and for screen
 * readers.
 */
export function renderMail({ about = null, ...letter }: Letter): MailContent {
  const concerns = about === null ? [] : [`Gjelder ${about}`];
  const page = {
    ...letter,
    preheader: [...concerns, letter.preheader].join(': '),
    heading: letter.heading ?? letter.subject,
    body: [...concerns, ...letter.body].map((one) =>
      typeof one === 'string' ? paragraph(one) : one,
    ),
    footer: letter.footer.map((one) => (typeof one === 'string' ? remark(one) : one)),
  };
  return { subject: letter.subject, text: renderText(page), html: renderHtml(page).source };
}

function renderText({ sender, heading, body, footer }: Page): string {
  const parts = [
    sender ?? 'Faktur',
    heading,
    ...body.map(({ text }) => text),
    // RFC 3676 § 4.3: the text after this line is a signature, and mail programs treat it as one.
    `-- \n${footer.map(({ text }) => text).join('\n')}`,
  ];
  return `${parts.join('\n\n')}\n`;
}

function renderHtml(letter: Page): Markup {
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
function page({ sender, logo, heading, body, footer }: Page): Markup {
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

function masthead(sender: string | undefined): Markup {
  if (sender !== undefined) {
    return markup`<p class="ink" style="margin:0;color:#1b1f1d;font-size:20px;line-height:28px;font-weight:600;letter-spacing:-0.2px"><bdi>${sender}</bdi></p>`;
  }
  return markup`<table role="presentation" cellpadding="0" cellspacing="0" border="0"><tr>
<td class="accent on-accent" width="32" height="32" align="center" bgcolor="#1d5c4a" aria-hidden="true" style="width:32px;height:32px;background-color:#1d5c4a;border-radius:8px;color:#ffffff;font-size:18px;line-height:32px;font-weight:700">F</td>
<td class="ink" style="padding-left:10px;color:#1b1f1d;font-size:20px;line-height:32px;font-weight:600;letter-spacing:-0.2px">Faktur</td>
</tr></table>`;
}

/** A part of a mail in both forms, text and HTML, so that their content cannot differ. */
export interface Block {
  readonly html: Markup;
  readonly text: string;
}

/** A row of a list of facts. */
export interface Fact {
  readonly label: string;
  readonly value: string;
}

// Colours are inline for programs that drop style sheets; the style sheet below uses the classes to change them in dark mode.

function paragraph(text: string): Block {
  return { html: markup`<p class="ink" style="margin:0 0 16px;color:#1b1f1d">${text}</p>\n`, text };
}

/** Text that a user typed, with its line breaks. */
export function freeText(text: string): Block {
  const lines = text
    .split('\n')
    .map((line, index) => (index === 0 ? markup`${line}` : markup`<br>${line}`));
  return {
    html: markup`<p class="ink" style="margin:0 0 16px;color:#1b1f1d">${lines}</p>\n`,
    // Mail programs would take the text after such a line for a signature (RFC 3676 § 4.3).
    text: text.replaceAll(/^-- $/gm, '--'),
  };
}

/** Less prominent text than a paragraph, such as a reservation. */
export function remark(text: string): Block {
  return { html: smallPrint(markup`${text}`), text };
}

/** A link, less prominent than a button. @throws TypeError unless the URL is http(s) */
export function link(label: string, url: string): Block {
  const href = webUrl(url);
  return {
    html: smallPrint(
      markup`<a href="${href}" class="soft" style="color:#515955;text-decoration:underline">${label}</a>`,
    ),
    text: `${label}:\n${href}`,
  };
}

/** A link whose address is shown, in a sentence. @throws TypeError unless the URL is http(s) */
export function shownLink(label: string, url: string): Block {
  const href = webUrl(url);
  return {
    html: markup`<p class="ink" style="margin:0 0 16px;color:#1b1f1d">${label}: <a href="${href}" class="ink" style="color:#1b1f1d;text-decoration:underline">${href}</a></p>\n`,
    text: `${label}: ${href}`,
  };
}

function smallPrint(content: Markup): Markup {
  return markup`<p class="soft" style="margin:0 0 12px;color:#515955;font-size:14px;line-height:21px">${content}</p>\n`;
}

/** A value to read or copy, with its label. */
export function code({ label, value }: Fact): Block {
  return {
    html: markup`<p class="ink" style="margin:0 0 8px;color:#1b1f1d">${label}:</p>
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="margin:8px 0 24px">
<tr><td align="center" class="tint tint-ink" bgcolor="#e4efe9" style="background-color:#e4efe9;border-radius:10px;padding:22px 8px;color:#14463a;font-family:ui-monospace,'SF Mono',Menlo,Consolas,monospace;font-size:32px;line-height:40px;font-weight:600;letter-spacing:6px;text-indent:6px">${value}</td></tr>
</table>\n`,
    text: `${label}: ${value}`,
  };
}

/** The mail's main action. @throws TypeError unless the URL is http(s) */
export function button(label: string, url: string): Block {
  const href = webUrl(url);
  return {
    html: markup`<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:8px 0 24px">
<tr><td class="accent" bgcolor="#1d5c4a" style="background-color:#1d5c4a;border-radius:10px;mso-padding-alt:13px 28px"><a href="${href}" class="on-accent" style="display:inline-block;padding:13px 28px;color:#ffffff;font-size:16px;line-height:22px;font-weight:600;text-decoration:none">${label}</a></td></tr>
</table>\n`,
    text: `${label}:\n${href}`,
  };
}

/** The mail's main figure with its label, and a line below it. */
export function headline({ label, value }: Fact, below: string): Block {
  return {
    html: markup`<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="margin:8px 0 16px">
<tr><td class="tint" bgcolor="#e4efe9" style="background-color:#e4efe9;border-radius:10px;padding:20px 24px">
<p class="tint-ink" style="margin:0;color:#14463a;font-size:14px;line-height:20px">${label}</p>
<p class="tint-ink figure" style="margin:2px 0 0;color:#14463a;font-size:30px;line-height:38px;font-weight:600;letter-spacing:-0.5px">${value}</p>
<p class="tint-ink" style="margin:4px 0 0;color:#14463a;font-size:16px;line-height:24px">${below}</p>
</td></tr>
</table>\n`,
    text: `${label}: ${value}\n${below}`,
  };
}

/** Facts as a table: names in the first column, values in the second. */
export function facts(rows: readonly Fact[]): Block {
  const width = Math.max(...rows.map(({ label }) => label.length)) + 2;
  return {
    html: markup`<table width="100%" cellpadding="0" cellspacing="0" border="0" style="margin:0 0 24px;border-collapse:collapse">
${rows.map(factRow)}</table>\n`,
    text: rows.map(({ label, value }) => `${`${label}:`.padEnd(width)}${value}`).join('\n'),
  };
}

function factRow({ label, value }: Fact): Markup {
  return markup`<tr><th scope="row" align="left" valign="top" class="soft line label" style="padding:11px 12px 11px 0;border-bottom:1px solid #e5e1d8;color:#515955;font-size:15px;line-height:22px;font-weight:400;text-align:left;white-space:nowrap">${label}</th>
<td align="right" valign="top" class="ink line fact" style="padding:11px 0;border-bottom:1px solid #e5e1d8;color:#1b1f1d;font-size:15px;line-height:22px;font-weight:600;text-align:right">${value}</td></tr>
`;
}

// Styles of dark mode, by class. The light colours are those of the product.
const DARK = Object.entries({
  paper: 'background-color:#151816!important',
  surface: 'background-color:#1f2421!important;border-color:#343b37!important',
  ink: 'color:#f0f2f0!important',
  soft: 'color:#b5bdb8!important',
  line: 'border-color:#343b37!important',
  accent: 'background-color:#9ad4be!important',
  'on-accent': 'color:#10261f!important',
  tint: 'background-color:#20382f!important',
  'tint-ink': 'color:#d9efe5!important',
});

/** Set inline, for programs that drop style sheets. */
const FONT = new Markup(
  "'Space Grotesk',-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif",
);

/**
 * Styles that cannot be inline: dark mode, small screens, and resets of what mail programs add. Outlook's own apps
 * mark dark mode by [data-ogsc] and [data-ogsb].
 */
const STYLE = new Markup(`
:root{color-scheme:light dark;supported-color-schemes:light dark}
body{margin:0;padding:0;width:100%;-webkit-text-size-adjust:100%;-ms-text-size-adjust:100%}
table{mso-table-lspace:0;mso-table-rspace:0}
a[x-apple-data-detectors]{color:inherit!important;text-decoration:none!important}
.fact{font-variant-numeric:tabular-nums}
@media (max-width:480px){.side{padding-left:16px!important;padding-right:16px!important}.frame{padding:20px 8px!important}.fact,.label{font-size:14px!important}.label{padding-right:8px!important;white-space:normal!important}.figure{font-size:25px!important;line-height:32px!important}}
@media (prefers-color-scheme:dark){${DARK.map(([name, rule]) => `.${name}{${rule}}`).join('')}}
${DARK.map(([name, rule]) => `[data-ogsc] .${name},[data-ogsb] .${name}{${rule}}`).join('')}
`);
