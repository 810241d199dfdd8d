import type { ErrorWords } from '../api/error.ts';

/** Refusals about drafts, invoices and templates. */
export const INVOICE_ERRORS = {
  unknown_template: {
    status: 400,
    en: 'template_id is not a known template',
    nb: 'Fakturamalen finnes ikke',
  },
  unknown_template_line: {
    status: 400,
    en: (id) => `The template has no line ${id}`,
    nb: (id) => `Malen har ingen linje ${id}`,
  },
  unknown_unit: {
    status: 400,
    en: (unit) => `There is no unit ${unit} in UN/ECE Recommendation 20`,
    nb: (unit) => `Det finnes ingen enhet ${unit} i UN/ECE Recommendation 20`,
  },
  vat_registered: {
    status: 400,
    en: 'NOT_REGISTERED is for sellers outside of the VAT register; the company is registered',
    nb: 'Bedriften er registrert i Merverdiavgiftsregisteret. Velg noe annet enn «Ingen mva»',
  },
  vat_rate_unknown: {
    en: (date) => `The VAT rates of ${date} are not known; they are from 2018-01-01 on`,
    nb: 'Mva-satsene er kjent fra 1. januar 2018. Velg en senere leveringsdato',
  },
  line_registered: {
    en: (line) => `Line ${line} is for VAT-registered companies, and this one is not registered`,
    nb: (line) => `Linje ${line} er for bedrifter i Merverdiavgiftsregisteret. Velg «Ingen mva»`,
  },
  line_needs_country: {
    en: (line) =>
      `Line ${line} needs a country other than NO: the customer's country, or delivery_country`,
    nb: (line) => `Linje ${line} krever et annet land enn Norge på kunden eller leveringen`,
  },
  line_needs_vat_number: {
    en: (line) => `Line ${line} needs the customer's vat_number`,
    nb: (line) => `Linje ${line} krever kundens mva-nummer. Legg det inn på kunden`,
  },
  line_not_registered: {
    en: (line) => `Line ${line} is NOT_REGISTERED, and the company is VAT-registered`,
    nb: (line) =>
      `Linje ${line} er for bedrifter utenfor Merverdiavgiftsregisteret. Velg noe annet`,
  },
  negative_total: {
    en: 'An invoice with a negative total cannot be registered',
    nb: 'En faktura med negativ sum kan ikke registreres',
  },
  total_too_large: {
    status: 400,
    en: 'The total is too large',
    nb: 'Summen er for stor',
  },
  too_many_lines: {
    status: 400,
    en: (lines) => `The invoices would have ${lines} lines; at most 100000 can be made at once`,
    nb: (lines) => `Fakturaene får ${lines} linjer; det går an å lage høyst 100 000 om gangen`,
  },
  too_much_text: {
    status: 400,
    en: (bytes) =>
      `The lines would have ${bytes} bytes of text; at most 20000000 can be made at once`,
    nb: (bytes) => `Linjene får ${bytes} byte tekst; det går an å lage høyst 20 000 000 om gangen`,
  },
  status_not_possible: {
    en: (change) => `The invoice cannot go from ${change}`,
    nb: (change) => {
      const [is, wished] = String(change).split(' to ');
      if (is === 'DRAFT') return 'Fakturaen er et utkast';
      if (is === 'CANCELLED') return 'Fakturaen er kreditert';
      if (is === 'PAID' && wished === 'PAID') return 'Fakturaen er allerede betalt';
      return is === wished ? 'Fakturaen er ikke betalt' : 'Fakturaen er endret i mellomtiden';
    },
  },
  already_registered: {
    en: 'The invoice is registered already',
    nb: 'Fakturaen er allerede registrert',
  },
  paid_invoice_stays: {
    en: 'A paid invoice cannot be deleted; mark it as not paid first',
    nb: 'En betalt faktura kan ikke slettes; merk den som ikke betalt først',
  },
  already_cancelled: {
    en: 'The invoice is already cancelled by a credit note',
    nb: 'Fakturaen er allerede kreditert',
  },
  not_a_draft: {
    en: 'Only a draft can be changed',
    nb: 'Bare utkast kan endres, og dette er ikke et utkast lenger',
  },
  status_changed: {
    en: (status) => `The status has changed to ${status} meanwhile`,
    nb: 'Fakturaen er endret i mellomtiden',
  },
  draft_not_credited: {
    en: 'A draft is not credited; change or delete it',
    nb: 'Et utkast kan ikke krediteres. Endre eller slett det',
  },
  paid_invoice_not_credited: {
    en: 'A paid invoice cannot be credited; mark it as not paid first',
    nb: 'En betalt faktura kan ikke krediteres; merk den som ikke betalt først',
  },
  unknown_credit_line: {
    status: 400,
    en: (id) => `The invoice has no line ${id}`,
    nb: (id) => `Fakturaen har ingen linje ${id}`,
  },
  quantity_in_pieces: {
    status: 400,
    en: 'The quantity of a line without a unit is whole',
    nb: 'Skriv et helt antall',
  },
  credit_above_left: {
    en: (what) => `Less is left to credit of ${what}`,
    nb: (what) => `Det er mindre igjen å kreditere av ${what}`,
  },
  credit_above_total: {
    en: 'Less is left to credit of the invoice',
    nb: 'Det er mindre igjen å kreditere av fakturaen',
  },
  nothing_to_credit: {
    en: 'This credits nothing of the invoice',
    nb: 'Dette krediterer ingenting av fakturaen',
  },
  credit_note_stays: {
    en: 'A credit note cannot be deleted or paid',
    nb: 'En kreditnota kan ikke slettes eller betales',
  },
} satisfies Record<string, ErrorWords>;
