import type { Endpoint } from './api/endpoint.ts';
import * as attachment from './attachment/attachment.endpoints.ts';
import * as bankFile from './bank-file/bank-file.endpoints.ts';
import * as customer from './customer/customer.endpoints.ts';
import * as customerImport from './customer/customer-import.endpoints.ts';
import * as delivery from './delivery/delivery.endpoints.ts';
import * as einvoice from './einvoice/einvoice.endpoints.ts';
import * as ehf from './ehf/ehf.endpoints.ts';
import * as companyExport from './export/export.endpoints.ts';
import * as history from './history/history.endpoints.ts';
import * as invoiceTemplate from './invoice-template/invoice-template.endpoints.ts';
import * as closing from './closing/closing.endpoints.ts';
import * as credit from './invoice/credit.endpoints.ts';
import * as invoice from './invoice/invoice.endpoints.ts';
import * as member from './member/member.endpoints.ts';
import * as newsletter from './newsletter/newsletter.endpoints.ts';
import * as overview from './overview/overview.endpoints.ts';
import * as portal from './portal/portal.endpoints.ts';
import * as payment from './payment/payment.endpoints.ts';
import * as passkey from './passkey/passkey.endpoints.ts';
import * as proof from './passkey/proof.endpoints.ts';
import * as statement from './portal/statement.endpoints.ts';
import * as product from './product/product.endpoints.ts';
import * as profile from './profile/profile.endpoints.ts';
import * as settings from './profile/settings.endpoints.ts';
import * as offers from './quote/offer.endpoints.ts';
import * as quoteAttachments from './quote/quote-attachment.endpoints.ts';
import * as quotes from './quote/quote.endpoints.ts';
import * as recurring from './recurring/recurring.endpoints.ts';
import * as reminder from './reminder/reminder.endpoints.ts';
import * as session from './session/session.endpoints.ts';
import * as token from './token/token.endpoints.ts';
import * as webhook from './integration/webhook.endpoints.ts';

/** Every call of the API. Only these are in OpenAPI, and each must be served. */
export const API_ENDPOINTS: readonly Endpoint[] = [
  session,
  passkey,
  proof,
  member,
  token,
  profile,
  settings,
  closing,
  invoice,
  credit,
  attachment,
  history,
  companyExport,
  overview,
  recurring,
  quotes,
  offers,
  quoteAttachments,
  invoiceTemplate,
  customer,
  customerImport,
  statement,
  product,
  newsletter,
  delivery,
  ehf,
  einvoice,
  payment,
  bankFile,
  reminder,
  portal,
  webhook,
].flatMap((concept) => Object.values(concept) as Endpoint[]);
