import type { ErrorDetail, RowFault } from '../domain/api/error.ts';

/** Why a call is refused. Codes are stable; `server/platform/http/error-table.ts` maps them to statuses and messages. */
export type ErrorCode =
  | 'validation_failed'
  | 'not_logged_in'
  | 'wrong_code'
  | 'foreign_origin'
  | 'not_staff'
  | 'not_found'
  | 'changed_meanwhile'
  | 'registration_closed'
  | 'too_many_requests'
  | 'too_many_pdfs'
  | 'pdf_not_printable'
  | 'document_out_of_reach'
  | 'unsigned_notification'
  | 'profile_incomplete'
  | 'logo_unreadable'
  | 'logo_too_many_pixels'
  | 'start_number_fixed'
  | 'unknown_account'
  | 'account_has_kid_agreement'
  | 'no_kid_left'
  | 'rate_missing'
  | 'reminder_not_due'
  | 'reminder_refused'
  | 'reminder_not_delivered'
  | 'reminder_under_way'
  | 'invoice_disputed'
  | 'invoice_not_delivered'
  | 'invoice_under_way'
  | 'customer_has_credit'
  | 'payment_unplaced'
  | 'bank_file_old'
  | 'below_minimum_amount'
  | 'invoice_not_remindable'
  | 'invoice_not_disputable'
  | 'reminder_step_taken'
  | 'reminder_outdated'
  | 'reminder_deadline_passed'
  | 'debt_collection_step'
  | 'customer_number_taken'
  | 'customer_numbers_used_up'
  | 'customer_has_drafts'
  | 'customer_is_owed'
  | 'customer_only_recipient'
  | 'customer_deleted'
  | 'import_faulty'
  | 'import_number_twice'
  | 'import_customer_twice'
  | 'import_org_number_twice'
  | 'import_org_number_shared'
  | 'group_too_large'
  | 'unknown_customer'
  | 'unknown_group'
  | 'unknown_template'
  | 'unknown_template_line'
  | 'unknown_unit'
  | 'empty_group'
  | 'recipient_without_email'
  | 'recipient_without_org_number'
  | 'recipient_without_ehf'
  | 'ehf_not_agreed'
  | 'delivery_type_unavailable'
  | 'negative_total'
  | 'total_too_large'
  | 'too_many_lines'
  | 'too_much_text'
  | 'not_a_draft'
  | 'status_not_possible'
  | 'already_registered'
  | 'already_paid'
  | 'not_paid'
  | 'draft_unpaid'
  | 'paid_invoice_stays'
  | 'already_cancelled'
  | 'paid_by_bank'
  | 'paid_by_bank_while_off'
  | 'invoice_not_payable'
  | 'amount_above_due'
  | 'paid_after_today'
  | 'payment_placed'
  | 'payment_not_placed'
  | 'payment_taken_back'
  | 'payment_reversed'
  | 'payment_was_placed'
  | 'payment_not_refundable'
  | 'bank_file_not_read'
  | 'bank_file_booked'
  | 'bank_file_not_booked'
  | 'bank_file_under_way'
  | 'entry_refunded'
  | 'entry_taken_back'
  | 'status_changed'
  | 'first_date_fixed'
  | 'first_date_too_early'
  | 'assignment_not_due'
  | 'assignment_paused'
  | 'assignment_ended'
  | 'assignment_running'
  | 'assignment_late'
  | 'assignment_group_deleted'
  | 'assignment_template_deleted'
  | 'credit_note_stays'
  | 'draft_has_no_ehf'
  | 'ehf_not_possible'
  | 'delivery_not_failed'
  | 'delivery_under_way'
  | 'draft_unsent'
  | 'cancelled_invoice_unsent'
  | 'address_suppressed'
  | 'unavailable';

interface Options {
  /** The faulty input field, camelCase. */
  readonly field?: string;
  /** The number or name that the table's message contains. */
  readonly subject?: string | number;
  /** Complete details, for validation. */
  readonly detail?: readonly ErrorDetail[];
  /** All faults of the rows sent. */
  readonly faults?: readonly RowFault[];
  /** Seconds until a retry makes sense. */
  readonly retryAfter?: number;
  readonly cause?: unknown;
}

/** A refusal that the user sees. Any other error is internal: 500. */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: ErrorCode;
  readonly field: string | undefined;
  readonly subject: string | number | undefined;
  readonly detail: readonly ErrorDetail[] | undefined;
  readonly faults: readonly RowFault[] | undefined;
  readonly retryAfter: number | undefined;

  constructor(code: ErrorCode, options: Options = {}) {
    super(code, { cause: options.cause });
    this.code = code;
    this.field = options.field;
    this.subject = options.subject;
    this.detail = options.detail;
    this.faults = options.faults;
    this.retryAfter = options.retryAfter;
  }
}

/** The saved data is based on a version that has been overwritten since. */
export function changedMeanwhile(): AppError {
  return new AppError('changed_meanwhile', { field: 'version' });
}
