import { createHash } from 'node:crypto';

import { Markup, markup } from '../../platform/mail/layout.ts';

/** Paper is white without edges; nothing depends on colour alone. */
const STYLE = new Markup(`
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
.figures{display:grid;grid-template-columns:repeat(auto-fit,minmax(210px,1fr));gap:12px;margin:24px 0 12px}
.figures div,section{background:var(--surface);border:1px solid var(--line);border-radius:16px;padding:20px}
.figures dt{color:var(--soft);font-size:.9375rem}
.figures dd{font-size:1.625rem;line-height:1.25;font-weight:600;letter-spacing:-.01em;font-variant-numeric:tabular-nums;white-space:nowrap}
.figures dd+dd{margin-top:2px;color:var(--soft);font-size:.875rem;font-weight:400;letter-spacing:0;white-space:normal}
.figures .late{color:var(--red)}
.parts{display:grid;gap:12px}
section{min-width:0}
section>p{margin-top:2px;color:var(--soft);font-size:.875rem}
.beside{display:grid;gap:20px;margin-top:16px}
figure{display:flex;flex-direction:column}
figure>svg{display:block;width:100%;flex:1 1 180px;height:180px}
.names{display:flex;margin-top:6px;border-top:1px solid var(--line);padding-top:4px}
.names span{flex:1;min-width:0;text-align:center;color:var(--soft);font-size:.6875rem;white-space:nowrap;overflow:visible}
.key{display:flex;gap:16px;margin-top:8px;color:var(--soft);font-size:.875rem}
.key span{display:flex;align-items:center;gap:6px}
.key svg{width:12px;height:12px;flex:none}
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
td.bar{width:34%;vertical-align:middle}
td.bar svg{display:block;width:100%;height:12px}
.now{fill:var(--accent)}.then{fill:var(--pale)}.late{fill:var(--red)}
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
@media (min-width:50em){
main{padding-top:56px}
.parts{grid-template-columns:1fr 1fr;gap:16px}
.figures{gap:16px;margin-bottom:16px}
.wide{grid-column:1/-1}
.beside{grid-template-columns:3fr 2fr;gap:40px}
figure>svg{flex-basis:300px}
.wide~section:last-child:nth-child(even),section:first-child:not(.wide)~section:last-child:nth-child(odd),section:only-child{grid-column:1/-1}
section,.figures div{padding:24px}
}
@media (max-width:30em){.figures{gap:8px}.figures div{display:grid;grid-template-columns:1fr auto;align-items:baseline;column-gap:12px;padding:14px 20px}.figures dd{font-size:1.375rem}.figures dd+dd{grid-column:1/-1}td.bar{display:none}.hasbar thead th.bar{display:none}table{font-size:.875rem}th+*,td+*{padding-left:10px}}
@media print{
@page{margin:16mm 14mm}
*{-webkit-print-color-adjust:exact;print-color-adjust:exact}
body{background:#fff;font-size:10.5pt}
main,footer{max-width:none;padding-left:0;padding-right:0}
main{padding-top:0}
.figures{grid-template-columns:repeat(4,1fr);gap:8px;margin:14px 0 8px}
.figures dd{font-size:13pt}
.parts{display:block}
section{margin-bottom:8px}
.beside{grid-template-columns:3fr 2fr;gap:20px}
section,.figures div{padding:10px 12px;border-radius:6px;break-inside:avoid}
figure>svg{flex-basis:190px}
th,td{padding:3px 0}
table{font-size:9.5pt}
footer{padding-top:12px;padding-bottom:0}
}
`);

const STYLE_HASH = createHash('sha256').update(STYLE.source).digest('base64');

/** Nothing but the page's own style and its own form. */
export const PAGE_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${STYLE_HASH}'`,
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** A page of a link. Its title tells nothing, since browsers and chats show it to others. */
export function framed(content: Markup, footer: readonly Markup[]): string {
  return markup`<!doctype html>
<html lang="nb"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="robots" content="noindex,nofollow,noarchive">
<meta name="format-detection" content="telephone=no">
<title>Oversikt</title>
<style>${STYLE}</style></head>
<body><main>
${content}
</main>
<footer>
${footer}</footer></body></html>
`.source;
}
