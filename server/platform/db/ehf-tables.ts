import type { EhfAgreementStatus, Reachability } from '../../../domain/ehf/ehf.schema.ts';
import type { GeneratedTimestamp, Timestamp } from './column-types.ts';

/** The tables of EHF. */
export interface EhfTables {
  ehfAgreement: EhfAgreementTable;
  peppolAnswer: PeppolAnswerTable;
  peppolEvent: PeppolEventTable;
  peppolEvidence: PeppolEvidenceTable;
}

interface EhfAgreementTable {
  companyId: number;
  status: Exclude<EhfAgreementStatus, 'NONE'>;
  orgNumber: string;
  entity: string | null;
  requestedAt: GeneratedTimestamp;
  approvedAt: Timestamp | null;
  revokedAt: Timestamp | null;
}

interface PeppolAnswerTable {
  companyId: number;
  orgNumber: string;
  documentType: 'INVOICE' | 'CREDIT_NOTE';
  outcome: Exclude<Reachability, 'UNKNOWN'>;
  checkedAt: GeneratedTimestamp;
}

interface PeppolEventTable {
  source: string;
  eventId: string;
  deliveryKey: string | null;
  reference: string | null;
  name: string;
  details: string;
  receivedAt: GeneratedTimestamp;
}

interface PeppolEvidenceTable {
  companyId: number;
  deliveryId: number;
  messageId: string | null;
  receivedBy: string | null;
  transmitted: Uint8Array | null;
  differences: string[];
  keptAt: GeneratedTimestamp;
}
