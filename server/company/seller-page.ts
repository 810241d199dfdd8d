import type { LinkSeller } from '../../domain/link-seller.ts';
import { formatOrgNumber } from '../../domain/parties.ts';
import { fitLogo } from '../../domain/profile/profile.schema.ts';
import { markup, type Markup } from '../platform/mail/layout.ts';

/** The style of pages that a seller shows to its customers: read on a phone first. */
export const SELLER_STYLE = `
main,footer{max-width:640px}
main{padding-top:24px}
section{margin-top:12px}
.seller{display:flex;align-items:center;gap:16px;margin-bottom:16px;font-size:1.125rem;font-weight:600}
.seller img{display:block;flex:none;max-width:50%;height:auto}
.top h1{font-size:1.125rem;letter-spacing:0}
.top>p{margin:0;font-size:1rem}
.top header{display:flex;flex-wrap:wrap;align-items:center;justify-content:space-between;gap:8px}
.state{border:1px solid var(--accent);border-radius:99px;padding:2px 12px;color:var(--accent);font-size:.9375rem;font-weight:600;white-space:nowrap}
.sums{display:flex;flex-wrap:wrap;gap:12px 40px;margin:16px 0 8px}
.sums dt{color:var(--soft);font-size:.9375rem}
.sums dd{font-size:1.875rem;line-height:1.25;font-weight:600;letter-spacing:-.01em;font-variant-numeric:tabular-nums;white-space:nowrap}
.hint{white-space:nowrap}
.lines{white-space:pre-line}
ul{list-style:none;margin:8px 0 0;padding:0}
li{border-bottom:1px solid var(--line)}
li:last-child{border-bottom:0}
li a{display:flex;justify-content:space-between;gap:16px;padding:11px 0}
li span{flex:none;color:var(--soft)}
section form{max-width:none;margin:12px 0 0;border:0;border-radius:0;padding:0}
`;

/** The head of such a page: logo and name. */
export function sellerHead({ name }: LinkSeller, logo: Uint8Array | null): Markup {
  return markup`<div class="seller">${logo && picture(logo)}<bdi>${name}</bdi></div>\n`;
}

function picture(png: Uint8Array): Markup {
  const { width, height } = fitLogo(png, { width: 180, height: 60 }, 1);
  const source = `data:image/png;base64,${Buffer.from(png).toString('base64')}`;
  return markup`<img src="${source}" alt="" width="${Math.round(width)}" height="${Math.round(height)}">`;
}

/** The foot of such a page: whom to ask, and who the seller is. */
export function sellerFoot({ name, email, orgNumber, vatRegistered, address }: LinkSeller) {
  const number = `Org.nr. ${formatOrgNumber(orgNumber)}${vatRegistered ? ' MVA' : ''}`;
  return [
    markup`<p>Spørsmål? Skriv til <bdi>${name}</bdi>: <a href="mailto:${encodeURIComponent(email)}" rel="noreferrer">${email}</a></p>\n`,
    markup`<p>${number}</p>\n<p class="lines">${address}</p>\n`,
  ];
}

/** A message of the seller to the customer. */
export function sellerMessage({ name }: LinkSeller, message: string | null): Markup | null {
  if (message === null) return null;
  return markup`<section><h2>Fra <bdi>${name}</bdi></h2>\n<p class="lines">${message}</p></section>\n`;
}

/** An address with all but its first letter and its domain hidden: 'k…@example.com'. */
export function hiddenAddress(address: string): string {
  const [first = ''] = address;
  return `${first}…${address.slice(address.lastIndexOf('@'))}`;
}
