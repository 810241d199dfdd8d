const LOGIN = 'Who logs in, or calls, is known before the company is; accounts are apart.';
const NEW_COMPANY = 'A company that is made has no number yet.';
const OLD_JOB = 'A job of a version before did not say whose it is.';
const CARRIER = 'What a carrier tells of may not say whose it is, or was sent before it did.';
const EVERY_COMPANY =
  'Looks for what is to be done of all companies; each then gets what is its own.';
const HOUSEKEEPING = 'What a worker that died left behind is looked for where there is any.';
const METRICS = 'A number over all companies.';
const MIGRATION = 'Tables and their indexes are of all companies.';
const OPERATOR = 'A command of the operator, on the whole database.';

/**
 * Places whose statements name no company, and why they need not: a file and a function in it, or all of a
 * file. With several databases each of these runs on every one of them.
 */
export const EXCEPTIONS: Readonly<Record<string, string>> = {
  'server/bank-file/bank-file.repository.ts findCutOff': HOUSEKEEPING,
  'server/bank-file/bank-file.repository.ts findHalfDone': HOUSEKEEPING,
  'server/db/backup.ts': OPERATOR,
  'server/db/migration.ts': MIGRATION,
  'server/db/restore.ts': OPERATOR,
  'server/db/upkeep.ts': HOUSEKEEPING,
  'server/delivery/deferral.repository.ts findDueCompanies': EVERY_COMPANY,
  'server/delivery/deliver.repository.ts findCompanyOf': OLD_JOB,
  'server/delivery/deliver.repository.ts releaseAll': HOUSEKEEPING,
  'server/delivery/delivery.repository.ts countFailed': METRICS,
  'server/delivery/delivery.repository.ts countOverdue': METRICS,
  'server/delivery/delivery.repository.ts countWaiting': METRICS,
  'server/delivery/delivery.repository.ts findCarried': CARRIER,
  'server/delivery/delivery.repository.ts findFailed': OPERATOR,
  'server/delivery/delivery.repository.ts findToAsk': EVERY_COMPANY,
  'server/delivery/delivery.repository.ts findWaiting': HOUSEKEEPING,
  'server/delivery/failure-notice.repository.ts findCompaniesToTell': EVERY_COMPANY,
  'server/document/document-move.repository.ts countFiles': OPERATOR,
  'server/document/document-move.repository.ts findToMove': OPERATOR,
  'server/ehf-agreement/ehf-agreement.repository.ts listAgreements': OPERATOR,
  'server/invoice/invoice-series.repository.ts findSeries': OPERATOR,
  'server/invoice/invoice.repository.ts countPending': METRICS,
  'server/invoice/invoice.repository.ts countSent': METRICS,
  'server/invoice/invoice.repository.ts hasUndelivered': HOUSEKEEPING,
  // Reads one company wherever a person has asked for it; all for staff and for housekeeping.
  'server/invoice/invoice.repository.ts lockUndelivered': EVERY_COMPANY,
  'server/peppol-records/evidence.repository.ts countDifferent': METRICS,
  'server/profile/profile.repository.ts insertCompany': NEW_COMPANY,
  'server/profile/reminder-settings.repository.ts findAutomatic': EVERY_COMPANY,
  'server/recurring/assignment.repository.ts findDue': EVERY_COMPANY,
  'server/session/account.repository.ts findAccount': LOGIN,
  'server/session/account.repository.ts findCompanyOfEmail': OPERATOR,
  'server/session/api-token.repository.ts findApiTokens': LOGIN,
  'server/session/session.repository.ts findSessions': LOGIN,
};

/** Whether statements from here need name no company. */
export function isException(place: string): boolean {
  const [file = ''] = place.split(' ');
  return place in EXCEPTIONS || file in EXCEPTIONS || file.startsWith('server/db/migrations/');
}
