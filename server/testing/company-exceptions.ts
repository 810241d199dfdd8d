const LOGIN = 'The account is known before its company.';
const NEW_COMPANY = 'A new company has no number yet.';
const CARRIER = 'An event of a carrier may not name the company, or was caused before it did.';
const EVERY_COMPANY =
  'Finds the companies that have work to do. Further statements restrict the company.';
const HOUSEKEEPING = 'Finds work that a dead worker left behind, in any company.';
const HOLDER = 'A session or token is named by itself; its account may change company.';
const LINK = 'A link is known before its company.';
const METRICS = 'A number over all companies.';
const MIGRATION = 'Tables and indexes belong to all companies.';
const OPERATOR = 'A command of the operator, on the whole database.';

/**
 * Places whose statements restrict no company, each with its reason: a file and a function in it, or a whole
 * file. With several databases each of these runs on every one of them.
 */
export const EXCEPTIONS: Readonly<Record<string, string>> = {
  'server/payment/bank-file/bank-file.repository.ts findCutOff': HOUSEKEEPING,
  'server/payment/bank-file/bank-file.repository.ts findHalfDone': HOUSEKEEPING,
  'server/payment/bank-file/bank-file.repository.ts findOldPreviews': HOUSEKEEPING,
  'server/export/export-link.repository.ts findByToken': LINK,
  'server/export/export.repository.ts findUnfinished': HOUSEKEEPING,
  'server/export/export-part.repository.ts findLeftovers': HOUSEKEEPING,
  'server/invoice-link/invoice-link.repository.ts findByToken': LINK,
  'server/quote/quote-link.repository.ts findByToken': LINK,
  'server/quote/quote-failure.repository.ts findCompaniesToTell': EVERY_COMPANY,
  'server/overview/overview-link.repository.ts findByToken': LINK,
  'server/overview/overview-link.repository.ts deleteOld': HOUSEKEEPING,
  'server/integration/webhook-event.repository.ts findCompaniesWithEvents': EVERY_COMPANY,
  'server/integration/webhook-sending.repository.ts findDueWebhooks': EVERY_COMPANY,
  'server/integration/webhook-log.repository.ts deleteOld': HOUSEKEEPING,
  'server/platform/db/backup.ts': OPERATOR,
  'server/platform/db/migration.ts': MIGRATION,
  'server/platform/db/restore.ts': OPERATOR,
  'server/platform/db/upkeep.ts': HOUSEKEEPING,
  'server/delivery/waiting-deliveries.repository.ts findDueCompanies': EVERY_COMPANY,
  'server/delivery/waiting-deliveries.repository.ts releaseAll': HOUSEKEEPING,
  'server/delivery/waiting-deliveries.repository.ts countFailed': METRICS,
  'server/delivery/waiting-deliveries.repository.ts findOverdue': METRICS,
  'server/delivery/delivery.repository.ts findByUuid': OPERATOR,
  'server/delivery/waiting-deliveries.repository.ts countWaiting': METRICS,
  'server/delivery/delivery.repository.ts findCarried': CARRIER,
  'server/delivery/delivery.repository.ts findFailed': OPERATOR,
  'server/delivery/waiting-deliveries.repository.ts findToAsk': EVERY_COMPANY,
  'server/delivery/waiting-deliveries.repository.ts findWaiting': HOUSEKEEPING,
  'server/delivery/failure-notice.repository.ts findCompaniesToNotify': EVERY_COMPANY,
  'server/document/file-home.repository.ts countFiles': OPERATOR,
  'server/document/file-home.repository.ts findToMove': OPERATOR,
  'server/delivery/carriers/ehf/ehf.repository.ts listAgreements': OPERATOR,
  'server/einvoice/evidence.repository.ts findDueQuestions': EVERY_COMPANY,
  'server/invoice/invoice-series.repository.ts findSeries': OPERATOR,
  'server/invoice/undelivered.repository.ts countPending': METRICS,
  'server/invoice/undelivered.repository.ts countSent': METRICS,
  'server/invoice/undelivered.repository.ts hasUndelivered': HOUSEKEEPING,
  // It reads all companies only for staff and for housekeeping, and one company for a user.
  'server/invoice/undelivered.repository.ts findUndeliveredCompanies': EVERY_COMPANY,
  'server/delivery/carriers/ehf/ehf.repository.ts countDifferent': METRICS,
  'server/company/profile.repository.ts hasCompanyOf': OPERATOR,
  'server/company/profile.repository.ts insertCompany': NEW_COMPANY,
  'server/company/reminder-settings.repository.ts findAutomatic': EVERY_COMPANY,
  'server/recurring/run.repository.ts findDue': EVERY_COMPANY,
  'server/account/member.repository.ts findMemberships': OPERATOR,
  'server/account/member.repository.ts findCompanyByUuid': OPERATOR,
  'server/account/token.repository.ts findApiTokens': LOGIN,
  'server/account/session.repository.ts findSessions': LOGIN,
  'server/account/session.repository.ts chooseCompany': LOGIN,
  'server/account/session.repository.ts insertSession': LOGIN,
  'server/account/session.repository.ts deleteExpired': HOUSEKEEPING,
  'server/account/session.repository.ts deleteSession': HOLDER,
  'server/account/session.repository.ts deleteSessionsOfOthers': HOLDER,
  'server/closing/closing.repository.ts findDue': EVERY_COMPANY,
  'server/closing/closing.repository.ts findUntold': EVERY_COMPANY,
  'server/closing/closing.repository.ts listClosings': OPERATOR,
  'server/account/session.repository.ts noteSeen': HOLDER,
  'server/account/session.repository.ts exchangeToken': HOLDER,
  'server/account/passkey.repository.ts': HOLDER,
  'server/account/session.repository.ts setProved': HOLDER,
  'server/account/session.repository.ts listSessions': HOLDER,
  'server/account/session.repository.ts deleteSessionOf': HOLDER,
  'server/account/session.repository.ts deleteOtherSessions': HOLDER,
  'server/account/token.repository.ts noteUse': HOLDER,
  'server/account/token.repository.ts listApiTokens': OPERATOR,
  'server/account/token.repository.ts revokeApiToken': OPERATOR,
  'server/account/token.repository.ts deleteExpiredTokens': HOUSEKEEPING,
  'server/account/member.repository.ts findCompaniesOf': LOGIN,
  'server/account/member.repository.ts findInvitation': LOGIN,
  'server/account/member.repository.ts lockInvitation': LOGIN,
  'server/account/member.repository.ts insertFirstOwner': NEW_COMPANY,
};

/** Whether statements from a place, such as `server/platform/db/upkeep.ts analyze`, need not restrict the company. */
export function isException(place: string): boolean {
  const [file = ''] = place.split(' ');
  return (
    place in EXCEPTIONS || file in EXCEPTIONS || file.startsWith('server/platform/db/migrations/')
  );
}
