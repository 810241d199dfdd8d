import { Markup } from './markup.ts';

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
export const FONT = new Markup(
  "'Space Grotesk',-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif",
);

/**
 * Styles that cannot be inline: dark mode, small screens, and resets of what mail programs add. Outlook's own apps
 * mark dark mode by [data-ogsc] and [data-ogsb].
 */
export const STYLE = new Markup(`
:root{color-scheme:light dark;supported-color-schemes:light dark}
body{margin:0;padding:0;width:100%;-webkit-text-size-adjust:100%;-ms-text-size-adjust:100%}
table{mso-table-lspace:0;mso-table-rspace:0}
a[x-apple-data-detectors]{color:inherit!important;text-decoration:none!important}
.fact{font-variant-numeric:tabular-nums}
@media (max-width:480px){.side{padding-left:16px!important;padding-right:16px!important}.frame{padding:20px 8px!important}.fact,.label{font-size:14px!important}.label{padding-right:8px!important;white-space:normal!important}.figure{font-size:25px!important;line-height:32px!important}}
@media (prefers-color-scheme:dark){${DARK.map(([name, rule]) => `.${name}{${rule}}`).join('')}}
${DARK.map(([name, rule]) => `[data-ogsc] .${name},[data-ogsb] .${name}{${rule}}`).join('')}
`);
