/**
 * All addresses of the app. They end in a slash, like the API's addresses. `web/app/routes.ts` says what is shown at
 * each, with parameters such as ':id'.
 */
export const paths = {
  landing: '/',
  login: '/auth/login/',
  signup: '/auth/signup/',
  magicLink: '/auth/magic-link/',
  invoices: '/invoices/',
  /** The invoices of one customer. */
  invoicesOf: (customerNumber: number, status?: string) =>
    `/invoices/?customer=${customerNumber}${status ? `&status=${status}` : ''}`,
  /** The invoices of a filter, by the names in the list's address. */
  invoicesWhere: (filter: Readonly<Record<string, string>>) =>
    `/invoices/?${String(new URLSearchParams(filter))}`,
  invoiceCreate: (templateId?: number) =>
    templateId === undefined ? '/invoices/create/' : `/invoices/create/?template=${templateId}`,
  invoiceCreateFor: (customerNumber: number) => `/invoices/create/?customer=${customerNumber}`,
  /** A new invoice for a customer group. */
  invoiceCreateTo: (groupUuid: string) => `/invoices/create/?group=${groupUuid}`,
  invoiceCopy: (uuid: string) => `/invoices/create/?copy=${uuid}`,
  invoiceEdit: (uuid: string) => `/invoices/${uuid}/edit/`,
  /** Takes an invoice number or, for a draft, the uuid. */
  invoice: (numberOrUuid: number | string) => `/invoices/${numberOrUuid}/`,
  /** Served by the server, not by the app. Open it in a new tab. */
  invoicePdf: (uuid: string) => `/invoices/${uuid}/pdf/`,
  invoiceOriginal: (uuid: string) => `/invoices/${uuid}/pdf/?original=true`,
  /** The EHF XML, straight from the API. */
  invoiceEhf: (uuid: string) => `/api/invoices/${uuid}/efaktura/`,
  /** A file of an invoice or a quote, straight from the API. */
  attachment: (of: 'invoices' | 'quotes', uuid: string, fileUuid: string) =>
    `/api/${of}/${uuid}/attachments/${fileUuid}/`,
  /** With the list's filter and period, as 'status=OVERDUE&query=…&customer_number=42&from=2026-01-01'. */
  exports: (filter = '') => `/invoices/export/${filter && `?${filter}`}`,
  reminderProposals: '/invoices/reminders/',
  /** Served by the server, not by the app. Open it in a new tab. */
  reminderPdf: (invoiceUuid: string, uuid: string) =>
    `/invoices/${invoiceUuid}/reminders/${uuid}/pdf/`,
  /** The preview of a reminder's PDF, straight from the API. */
  reminderPreview: (invoiceUuid: string, wish: URLSearchParams) =>
    `/api/invoices/${invoiceUuid}/reminders/preview/?${wish}`,
  templates: '/invoices/templates/',
  templateCreate: '/invoices/templates/create/',
  template: (id: number | string) => `/invoices/templates/${id}/`,
  templateEdit: (id: number | string) => `/invoices/templates/${id}/edit/`,
  assignments: '/invoices/recurring/',
  assignmentCreate: '/invoices/recurring/create/',
  assignment: (uuid: string) => `/invoices/recurring/${uuid}/`,
  assignmentEdit: (uuid: string) => `/invoices/recurring/${uuid}/edit/`,
  quotes: '/quotes/',
  quoteCreate: '/quotes/create/',
  quoteCopy: (uuid: string) => `/quotes/create/?copy=${uuid}`,
  quote: (uuid: string) => `/quotes/${uuid}/`,
  quoteEdit: (uuid: string) => `/quotes/${uuid}/edit/`,
  /** Served by the server, not by the app. Open it in a new tab. */
  quotePdf: (uuid: string, of: '' | 'confirmation/' = '') => `/quotes/${uuid}/${of}pdf/`,
  payments: '/payments/',
  bankFile: (uuid: string) => `/payments/files/${uuid}/`,
  customers: '/customers/',
  customerCreate: '/customers/create/',
  customerImport: '/customers/import/',
  customer: (customerNumber: number | string) => `/customers/${customerNumber}/`,
  /** Served by the server, not by the app. Open it in a new tab. */
  statementPdf: (customerNumber: number, { from, to }: Readonly<Record<'from' | 'to', string>>) =>
    `/customers/${customerNumber}/statement/pdf/?from=${from}&to=${to}`,
  customerEdit: (customerNumber: number | string) => `/customers/${customerNumber}/edit/`,
  groups: '/customers/groups/',
  groupCreate: '/customers/groups/create/',
  groupEdit: (uuid: string) => `/customers/groups/${uuid}/edit/`,
  products: '/products/',
  productCreate: '/products/create/',
  productImport: '/products/import/',
  /** The number is encoded for an address. */
  productEdit: (number: string) => `/products/${number}/edit/`,
  overview: '/overview/',
  overviewShare: '/overview/share/',
  profile: '/profile/',
  members: '/profile/members/',
  integrations: '/profile/integrations/',
  closing: '/profile/closing/',
  invitation: '/auth/invitation/',
  reminderSettings: '/profile/reminder-settings/',
  exportSettings: '/profile/export-settings/',
  agreements: '/profile/agreements/',
  privacy: '/privacy/',
  unsubscribe: '/emails/unsubscribe/',
} as const;
