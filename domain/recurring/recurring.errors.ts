import type { ErrorWords } from '../api/error.ts';
import { formatDate } from '../date.ts';

/** Refusals about standing assignments. */
export const RECURRING_ERRORS = {
  customer_only_recipient: {
    en: (name) =>
      `The customer is the only recipient of the active assignment '${name}'; pause, change or delete that first`,
    nb: (name) =>
      `Kunden er den eneste mottakeren i det faste oppdraget «${name}». Stopp, endre eller slett oppdraget først.`,
  },
  first_date_fixed: {
    en: 'first_date is fixed once the assignment has been run',
    nb: 'Første dato kan ikke endres etter første kjøring',
  },
  first_date_too_early: {
    status: 400,
    en: 'first_date must not be more than a year ago',
    nb: 'Første dato kan ikke være mer enn et år tilbake',
  },
  source_sends: {
    status: 403,
    en: (name) =>
      `The assignment '${name}' sends invoices from this by itself, and your role in the company does not allow to send`,
    nb: (name) =>
      `Det faste oppdraget «${name}» sender fakturaer herfra av seg selv, og du har ikke tilgang til å sende. En eier i bedriften kan gi deg det.`,
  },
  assignment_not_due: {
    en: (date) => `The next period is due on ${date}`,
    nb: (date) => `Neste periode skal ikke lages før ${formatDate(String(date))}`,
  },
  assignment_paused: {
    en: 'The assignment is paused; resume it first',
    nb: 'Oppdraget er satt på pause. Start det igjen først.',
  },
  assignment_ended: {
    en: 'The assignment has ended',
    nb: 'Oppdraget er avsluttet',
  },
  assignment_running: {
    en: 'A run of the assignment is under way; try again when it is done',
    nb: 'Oppdraget kjøres akkurat nå. Prøv igjen når kjøringen er ferdig.',
  },
  assignment_late: {
    en: 'It was not made on its date, so it is a draft',
    nb: 'Ble ikke laget på datoen sin, og er derfor et utkast',
  },
  assignment_group_deleted: {
    en: 'The customer group of the assignment has been deleted; choose other recipients',
    nb: 'Kundegruppen i oppdraget er slettet. Velg andre mottakere.',
  },
  assignment_template_deleted: {
    en: 'The template of the assignment has been deleted; choose another one, or enter lines',
    nb: 'Fakturamalen i oppdraget er slettet. Velg en annen mal, eller legg inn fakturalinjer.',
  },
  assignment_placeholder: {
    en: 'A text of the assignment or its template has braces that are not filled in, such as {maaned}; correct it',
    nb: 'En tekst i oppdraget eller i malen har klammer som Faktur ikke fyller ut, som {maaned}. Rett teksten.',
  },
} satisfies Record<string, ErrorWords>;
