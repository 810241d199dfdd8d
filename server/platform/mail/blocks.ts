import { type Markup, markup, webUrl } from './markup.ts';

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

// Colours are inline for programs that drop style sheets; mail-style.ts uses the classes to change them in dark mode.

export function paragraph(text: string): Block {
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
