import type { ReactNode } from 'react';

import type { DeliveryType } from '../../../domain/delivery/delivery.schema.ts';
import { isDutyInForce } from '../../../domain/einvoice/einvoice-duty.ts';
import { isKroner, type Ore } from '../../../domain/money.ts';
import { showCount, showKroner } from '../../lib/number-text.ts';
import { ConfirmDialog, type LeftOut } from '../../ui/Modal.tsx';
import { countInvoices } from './invoice-labels.ts';

/** The invoices that an act would register and send. */
export interface SendingPlan {
  /** Null where it is not known how many. */
  readonly count: number | null;
  /** How many of them are sent, not registered alone. */
  readonly sent: number | null;
  /** Kroner with VAT; null where it is not known. */
  readonly grossAmount: number | null;
  /** How many of the drafts have hints. */
  readonly hinted?: number | undefined;
  /** How many go as EHF. */
  readonly asEhf?: number | undefined;
  /** Whether the confirmation has to say that it is done all the same. */
  readonly isDoubted?: boolean;
  /** Sentences about what differs from the drafts. */
  readonly remarks?: readonly string[];
  /** The records that stay drafts. */
  readonly left?: LeftOut | undefined;
}

interface SendingQuestionProps {
  readonly plan: SendingPlan | undefined;
  readonly open: boolean;
  readonly pending?: boolean;
  readonly onClose: () => void;
  readonly onConfirm: () => void;
  /** Hints to look over before. */
  readonly children?: ReactNode;
}

/** Asks before invoices get numbers: how many, for how much, and who is left out. */
export function SendingQuestion({ plan, children, ...dialog }: SendingQuestionProps) {
  const { count = null, sent = null, hinted, isDoubted, remarks = [], left } = plan ?? {};
  const leftCount = left?.items.length ?? 0;
  return (
    <ConfirmDialog
      title={plan ? titleOf(plan) : ''}
      confirmLabel={
        leftCount > 0 && count
          ? `Send ${showCount(count)} nå, la ${showCount(leftCount)} bli utkast`
          : isDoubted
            ? 'Registrer likevel'
            : 'Registrer og send'
      }
      confirmVariant="primary"
      confirmDisabled={count === 0}
      leftOut={left}
      {...dialog}
    >
      {hinted ? <p>{hintOf(hinted)}</p> : null}
      {children}
      {remarks.map((remark) => (
        <p key={remark}>{remark}</p>
      ))}
      {sent !== null && count !== null && sent < count ? (
        <p>
          {sent > 0
            ? `${showCount(sent)} av dem sendes${plan?.asEhf ? '' : ' på e-post'}.`
            : notSent(count)}
        </p>
      ) : null}
      <p>
        {count === 1 ? 'Fakturaen får' : 'Fakturaene får'} nummer og kan ikke endres eller slettes
        etterpå, bare krediteres.
      </p>
    </ConfirmDialog>
  );
}

/** The page of each such draft says what is to be looked over (INV-46). */
function hintOf(hinted: number): string {
  return hinted === 1
    ? 'Ett utkast har noe å se over før det registreres. Det står på utkastets side.'
    : `${showCount(hinted)} utkast har noe å se over før de registreres. Det står på utkastenes sider.`;
}

function notSent(count: number): string {
  return count === 1 ? 'Den sendes ikke.' : 'Ingen av dem sendes.';
}

/** For example 'Sende 192 fakturaer, 288 000,00 kr?'. */
function titleOf({ count, sent, grossAmount }: SendingPlan): string {
  if (count === 0) return 'Ingen kan sendes ennå';
  const act = sent === 0 ? 'Registrere' : 'Sende';
  if (count === null) return `${act} fakturaene?`;
  return `${act} ${countInvoices(count)}${sumOf(grossAmount)}?`;
}

function sumOf(kroner: number | null): string {
  return kroner !== null && isKroner(kroner) ? `, ${showKroner(kroner)}` : '';
}

/** Invoices that a form or an assignment would make. */
export interface Wish {
  /** How many recipients there are; null where it is not known. */
  readonly count: number | null;
  /** The recipients without an address where the invoices are sent by e-mail. */
  readonly missing: readonly { readonly customerNumber: number; readonly name: string }[];
  readonly type: DeliveryType | null | undefined;
  /** The sum of each invoice, in øre. */
  readonly gross: Ore | undefined;
  /** Absent where nobody receives EHF, or it goes so. */
  readonly ehf?: EhfCounts | undefined;
}

/** The plan of invoices that are not made yet, one for each recipient. Those without an address stay drafts. */
export function planFor({ count: all, missing, type, gross, ehf = NOBODY }: Wish): SendingPlan {
  const { length } = missing;
  const count = all === null ? null : all - length;
  return {
    count,
    sent: type === 'NONE' ? 0 : count,
    grossAmount: gross === undefined || count === null ? null : (gross * count) / 100,
    remarks: ehfRemarks(ehf, count),
    isDoubted: isDoubted(ehf.otherWay),
    left:
      length === 0
        ? undefined
        : {
            text: `${length === 1 ? 'Én' : showCount(length)} mangler e-post og blir liggende som utkast.`,
            items: missing.map(({ customerNumber: key, name }) => ({ key, name })),
          },
  };
}

/** How invoices reach the customers who receive EHF. */
export interface EhfCounts {
  /** How many get it in place of e-mail; null where some may, and it is not known who. */
  readonly first: number | null;
  /** How many get their invoices another way. */
  readonly otherWay: number;
}

const NOBODY: EhfCounts = { first: 0, otherWay: 0 };

/** Says before invoices are registered who gets EHF, and who does not (EINV-7). */
export function ehfRemarks({ first, otherWay }: EhfCounts, count: number | null): string[] {
  const remarks: string[] = [];
  if (first !== 0) remarks.push(firstText(first, count));
  if (otherWay > 0) {
    remarks.push(`${someOf(otherWay, count)} kan motta EHF, men får ikke fakturaen som EHF.`);
  }
  return remarks;
}

function firstText(first: number | null, count: number | null): string {
  if (first === null) return 'De som kan motta EHF, får EHF i stedet for e-post.';
  if (count === 1) return 'Sendes som EHF, fordi kunden kan motta det.';
  return first === 1
    ? 'Én av fakturaene sendes som EHF i stedet for e-post, fordi kunden kan motta det.'
    : `${showCount(first)} av fakturaene sendes som EHF i stedet for e-post, fordi kundene kan motta det.`;
}

/** For example '3 av kundene', or 'Kunden' where there is one invoice. */
export function someOf(customers: number, count: number | null): string {
  if (count === 1) return 'Kunden';
  return `${customers === 1 ? 'Én' : showCount(customers)} av kundene`;
}

/** Whether invoices go another way, though the law asks for EHF by now. */
export function isDoubted(otherWay: number): boolean {
  return otherWay > 0 && isDutyInForce();
}
