import { LOGIN_MINUTES } from '../../../domain/session/session.schema.ts';
import { codeField, described, faultOf } from '../../platform/http/link-pages.ts';
import { markup, type Markup } from '../../platform/mail/layout.ts';
import { OVERVIEW_PAGES } from './page-frame.ts';

/** The next step of a browser that is not confirmed, and why the one before was refused. */
export interface CodeStep {
  readonly asks: 'ADDRESS' | 'CODE';
  readonly fault: string | null;
}

/** Asks for the address of a link, and then for the code that was mailed to it. It tells nothing about the company. */
export function codePage({ asks, fault }: CodeStep): string {
  return OVERVIEW_PAGES.frame(asks === 'ADDRESS' ? addressForm(fault) : codeForm(fault), []);
}

function addressForm(fault: string | null): Markup {
  return markup`<h1>Er det deg lenken er til?</h1>
<p class="lead">Noen vil vise deg tallene sine. Skriv e-postadressen din, så sender vi deg en kode.</p>
<form method="post">
${faultOf(fault)}<label for="email">E-post</label>
<input id="email" name="email" type="email" autocomplete="email" inputmode="email" required${described(fault)}>
<button>Send kode</button>
</form>`;
}

function codeForm(fault: string | null): Markup {
  return markup`<h1>Skriv inn koden</h1>
<p class="lead">Er adressen den som lenken er til, har vi sendt deg en kode. Den virker i ${LOGIN_MINUTES} minutter.</p>
<form method="post">
${codeField(fault)}
<button>Vis tallene</button>
</form>
<p>Fikk du ingen kode? Se i søppelposten, eller <a href="" rel="noreferrer">skriv adressen på nytt</a>.</p>`;
}
