import type { ErrorWords } from '../api/error.ts';

/** Refusals about exports. */
export const EXPORT_ERRORS = {
  export_under_way: {
    en: 'An export is being made; wait until it is done, or delete it',
    nb: 'En eksport lages allerede. Vent til den er ferdig, eller slett den.',
  },
  nothing_new: {
    en: 'Nothing was registered or paid since the last export',
    nb: 'Det er ikke registrert eller betalt noe siden forrige eksport',
  },
  export_not_done: {
    en: 'The file is not made yet; try again when the export is DONE',
    nb: 'Filen er ikke ferdig ennå. Vent til eksporten er ferdig.',
  },
} satisfies Record<string, ErrorWords>;
