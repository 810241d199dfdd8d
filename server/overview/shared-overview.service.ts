import { todayInOslo, type IsoDate } from '../../domain/date.ts';
import type { SharedOverview } from '../../domain/overview/overview-link.schema.ts';
import {
  sameDayOfYear,
  twelveMonthsTo,
  yearOf,
  type Period,
} from '../../domain/overview/periods.ts';
import { findOwnerAddress } from '../account/account.service.ts';
import { findContact } from '../company/profile.service.ts';
import type { Context } from '../context.ts';
import { AppError } from '../errors.ts';
import { hexOf, sha256 } from '../platform/crypto.ts';
import type { Db } from '../platform/db/database.ts';
import { linkConfirmations } from '../platform/http/link-confirmation.ts';
import { findByToken, noteUse, type LinkRow } from './overview-link.repository.ts';
import { figuresOf } from './overview.service.ts';

/** A browser stays confirmed for 30 days (OVER-12). */
export const CONFIRMATIONS = linkConfirmations({
  cookie: 'faktur_delt',
  purpose: 'overview-link',
  seconds: 30 * 24 * 60 * 60,
  before: ['/api/shared', '/delt'],
});

/**
 * The link of a token. Every token is looked up by its hash, so that the time tells nothing about it.
 * @throws AppError not_found for a link that is wrong, ended or revoked
 */
export async function openLink({ db }: Pick<Context, 'db'>, token: string): Promise<LinkRow> {
  const link = await findByToken(db, sha256(token));
  if (!link) throw new AppError('not_found');
  return link;
}

/** How a link is used. */
interface LinkUse {
  /** The cookie of a browser that was confirmed. */
  readonly confirmation: string | undefined;
  /** A look at the headers alone, which is not noted. */
  readonly isLook: boolean;
}

/**
 * The figures that a link shows. Notes that it was used on this day.
 * @throws AppError not_found, address_unconfirmed
 */
export async function openOverview(
  { config, db }: Pick<Context, 'config' | 'db'>,
  token: string,
  { confirmation, isLook }: LinkUse,
): Promise<SharedOverview> {
  const link = await openLink({ db }, token);
  if (link.email !== null && !isConfirmed(config.secretKey, link, confirmation)) {
    throw new AppError('address_unconfirmed');
  }
  const today = todayInOslo();
  if (!isLook) await noteUse(db, link, today);
  return {
    ...headOf(link, await nameOf(db, link), today),
    ...(await shownFigures(db, link, today)),
  };
}

/** The name of a link's company. */
export async function nameOf(db: Db, { companyId }: Pick<LinkRow, 'companyId'>): Promise<string> {
  const { name } = await findContact(db, companyId);
  return name ?? (await findOwnerAddress(db, companyId)) ?? 'Faktur';
}

function headOf(link: LinkRow, company: string, today: IsoDate) {
  const { name, expiresAt } = link;
  const { period, asOf } = scopeOf(link, today);
  return {
    company,
    name,
    shows: [...link.shows],
    ...period,
    asOf,
    expiresAt: expiresAt.toISOString(),
  };
}

/** The days that a link shows: a period that has ended is judged on its last day. */
function scopeOf({ fromDate, toDate, period: running }: LinkRow, today: IsoDate) {
  const period =
    fromDate !== null && toDate !== null
      ? { from: fromDate, to: toDate }
      : runningPeriod(running, today);
  return { period, asOf: period.to < today ? period.to : today };
}

function runningPeriod(running: LinkRow['period'], today: IsoDate): Period {
  if (running === 'LAST_12_MONTHS') return twelveMonthsTo(today);
  return yearOf(running === 'LAST_YEAR' ? sameDayOfYear(today, -1) : today);
}

async function shownFigures(db: Db, link: LinkRow, today: IsoDate) {
  const shows = new Set(link.shows);
  const figures = figuresOf(db, link.companyId, scopeOf(link, today));
  const ifShown = async <T>(isShown: boolean, find: () => Promise<T>) => (isShown ? find() : null);
  return {
    turnover: await ifShown(shows.has('TURNOVER'), figures.turnover),
    vat: await ifShown(shows.has('VAT'), figures.vat),
    outstanding: await ifShown(shows.has('OUTSTANDING'), figures.outstanding),
    overdue: await ifShown(shows.has('OVERDUE'), figures.overdue),
    customers: await ifShown(shows.has('CUSTOMERS'), figures.customers),
    medianDays: await ifShown(shows.has('OUTSTANDING'), figures.medianDays),
  };
}

/** The cookie of a browser that was confirmed for a link. */
export function makeConfirmation(key: string, link: LinkRow): string {
  return CONFIRMATIONS.make(key, boundBy(link));
}

/** Whether a cookie confirms its browser for a link. */
export function isConfirmed(key: string, link: LinkRow, cookie: string | undefined): boolean {
  return CONFIRMATIONS.holds(key, boundBy(link), cookie);
}

function boundBy({ tokenHash, email }: LinkRow): string {
  return `${hexOf(tokenHash)}\0${email}`;
}
