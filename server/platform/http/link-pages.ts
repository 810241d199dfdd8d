import { createHash } from 'node:crypto';

import { LOGIN_CODE_LENGTH } from '../../../domain/session/session.schema.ts';
import { Markup, markup } from '../mail/layout.ts';

/** The style of all pages of links. Paper is white without edges; nothing depends on colour alone. */
const BASE = `
*{box-sizing:border-box}
:root{color-scheme:light;--paper:#f7f5f0;--surface:#fff;--ink:#1b1f1d;--soft:#515955;--line:#e5e1d8;--accent:#1d5c4a;--pale:#b9d3c7;--red:#a82a1f}
html{-webkit-text-size-adjust:100%;text-size-adjust:100%}
body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.5 'Space Grotesk',system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif;overflow-wrap:anywhere}
main,footer{max-width:1040px;margin:0 auto;padding:0 16px}
main{padding-top:32px}
h1,h2,p,dl,dd,figure{margin:0}
h1{font-size:clamp(1.625rem,1.3rem + 1.4vw,2.25rem);line-height:1.2;letter-spacing:-.02em;font-weight:600}
h2{font-size:1.125rem;line-height:1.3;font-weight:600}
.lead{margin-top:6px;color:var(--soft)}
.card,section{background:var(--surface);border:1px solid var(--line);border-radius:16px;padding:20px}
section{min-width:0}
section>p{margin-top:2px;color:var(--soft);font-size:.875rem}
table{width:100%;border-collapse:collapse;font-size:.9375rem;font-variant-numeric:tabular-nums}
section>table{margin-top:12px}
th{font-weight:400;text-align:left;color:var(--soft)}
thead th{font-size:.8125rem;padding-bottom:6px;vertical-align:bottom}
tbody th,tfoot th{color:var(--ink)}
th,td{padding:7px 0;border-bottom:1px solid var(--line);vertical-align:top}
th+*,td+*{padding-left:14px}
td,thead th.sum{text-align:right;white-space:nowrap}
tbody th.whole{white-space:nowrap}
thead tr>*{border-bottom-color:#cfcabf}
tfoot>tr>*{border-bottom:0;font-weight:600}
form{max-width:420px;margin:24px 0;background:var(--surface);border:1px solid var(--line);border-radius:16px;padding:24px}
label{display:block;font-size:.9375rem}
input{width:100%;height:48px;margin:4px 0 16px;padding:0 14px;border:1px solid #8a877e;border-radius:10px;background:var(--surface);color:var(--ink);font:inherit}
input.code{font-size:1.375rem;letter-spacing:.25em;text-transform:uppercase}
button{width:100%;height:48px;border:0;border-radius:10px;background:var(--accent);color:#fff;font:inherit;font-weight:600;cursor:pointer}
:focus-visible{outline:3px solid var(--pale);outline-offset:2px}
.fault{margin:0 0 12px;color:var(--red)}
a{color:var(--accent)}
footer{padding-top:24px;padding-bottom:40px;color:var(--soft);font-size:.875rem}
footer p+p{margin-top:4px}
@media (min-width:50em){main{padding-top:56px}.card,section{padding:24px}}
@media print{
@page{margin:16mm 14mm}
*{-webkit-print-color-adjust:exact;print-color-adjust:exact}
body{background:#fff;font-size:10.5pt}
main,footer{max-width:none;padding-left:0;padding-right:0}
main{padding-top:0}
section{margin-bottom:8px}
.card,section{padding:10px 12px;border-radius:6px;break-inside:avoid}
th,td{padding:3px 0}
table{font-size:9.5pt}
footer{padding-top:12px;padding-bottom:0}
}
`;

/** The pages of one kind of links. */
export interface LinkPages {
  /** Nothing is loaded but the pages' own style, and pictures that stand in the page itself. */
  readonly policy: string;
  /** A page with its content, and the paragraphs below it. */
  frame(content: Markup, footer: readonly Markup[]): string;
}

/** @param title tells nothing, since browsers and chats show it to others */
export function linkPages({ title, style }: { title: string; style: string }): LinkPages {
  const all = new Markup(`${BASE}${style}`);
  const hash = createHash('sha256').update(all.source).digest('base64');
  return {
    policy: [
      "default-src 'none'",
      `style-src 'sha256-${hash}'`,
      ...(style.includes('img') ? ['img-src data:'] : []),
      "form-action 'self'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
    frame: (content, footer) =>
      markup`<!doctype html>
<html lang="nb"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="robots" content="noindex,nofollow,noarchive">
<meta name="format-detection" content="telephone=no">
<title>${title}</title>
<style>${all}</style></head>
<body><main>
${content}
</main>
<footer>
${footer}</footer></body></html>
`.source,
  };
}

/** The field for a mailed code, with what was wrong with the last one. */
export function codeField(fault: string | null): Markup {
  return markup`${faultOf(fault)}<label for="code">Kode</label>
<input id="code" class="code" name="code" autocomplete="one-time-code" autocapitalize="characters" spellcheck="false" maxlength="${LOGIN_CODE_LENGTH + 4}" required${described(fault)}>`;
}

/** Says above a field what is wrong with it. */
export function faultOf(fault: string | null): Markup | null {
  return fault === null ? null : markup`<p class="fault" id="fault" role="alert">${fault}</p>\n`;
}

/** The attributes of such a field. */
export function described(fault: string | null): Markup | null {
  return fault === null ? null : markup` aria-invalid="true" aria-describedby="fault"`;
}
