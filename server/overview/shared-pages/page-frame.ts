import { linkPages } from '../../platform/http/link-pages.ts';

/** The pages of links to the overview. */
export const OVERVIEW_PAGES = linkPages({
  title: 'Oversikt',
  style: `
.figures{display:grid;grid-template-columns:repeat(auto-fit,minmax(210px,1fr));gap:12px;margin:24px 0 12px}
.figures dt{color:var(--soft);font-size:.9375rem}
.figures dd{font-size:1.625rem;line-height:1.25;font-weight:600;letter-spacing:-.01em;font-variant-numeric:tabular-nums;white-space:nowrap}
.figures dd+dd{margin-top:2px;color:var(--soft);font-size:.875rem;font-weight:400;letter-spacing:0;white-space:normal}
.figures .late{color:var(--red)}
.parts{display:grid;gap:12px}
.beside{display:grid;gap:20px;margin-top:16px}
figure{display:flex;flex-direction:column}
figure>svg{display:block;width:100%;flex:1 1 180px;height:180px}
.names{display:flex;margin-top:6px;border-top:1px solid var(--line);padding-top:4px}
.names span{flex:1;min-width:0;text-align:center;color:var(--soft);font-size:.6875rem;white-space:nowrap;overflow:visible}
.key{display:flex;gap:16px;margin-top:8px;color:var(--soft);font-size:.875rem}
.key span{display:flex;align-items:center;gap:6px}
.key svg{width:12px;height:12px;flex:none}
td.bar{width:34%;vertical-align:middle}
td.bar svg{display:block;width:100%;height:12px}
.now{fill:var(--accent)}.then{fill:var(--pale)}.late{fill:var(--red)}
@media (min-width:50em){
.parts{grid-template-columns:1fr 1fr;gap:16px}
.figures{gap:16px;margin-bottom:16px}
.wide{grid-column:1/-1}
.beside{grid-template-columns:3fr 2fr;gap:40px}
figure>svg{flex-basis:300px}
.wide~section:last-child:nth-child(even),section:first-child:not(.wide)~section:last-child:nth-child(odd),section:only-child{grid-column:1/-1}
}
@media (max-width:30em){.figures{gap:8px}.figures div{display:grid;grid-template-columns:1fr auto;align-items:baseline;column-gap:12px;padding:14px 20px}.figures dd{font-size:1.375rem}.figures dd+dd{grid-column:1/-1}td.bar{display:none}.hasbar thead th.bar{display:none}table{font-size:.875rem}th+*,td+*{padding-left:10px}}
@media print{
.figures{grid-template-columns:repeat(4,1fr);gap:8px;margin:14px 0 8px}
.figures dd{font-size:13pt}
.parts{display:block}
.beside{grid-template-columns:3fr 2fr;gap:20px}
figure>svg{flex-basis:190px}
}
`,
});
