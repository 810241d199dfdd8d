import type { Endpoint } from './api/endpoint.ts';
import * as bankFile from './bank-file/bank-file.endpoints.ts';
import * as customerGroup from './customer-group/customer-group.endpoints.ts';
import * as customerImport from './customer-import/customer-import.endpoints.ts';
import * as customer from './customer/customer.endpoints.ts';
import * as delivery from './delivery/delivery.endpoints.ts';
import * as document from './document/document.endpoints.ts';
import * as ehf from './ehf/ehf.endpoints.ts';
import * as history from './history/history.endpoints.ts';
import * as invoiceTemplate from './invoice-template/invoice-template.endpoints.ts';
import * as invoiceBulk from './invoice/invoice-bulk.endpoints.ts';
import * as invoice from './invoice/invoice.endpoints.ts';
import * as lineSearch from './invoice/line-search.endpoints.ts';
import * as newsletter from './newsletter/newsletter.endpoints.ts';
import * as payment from './payment/payment.endpoints.ts';
import * as profile from './profile/profile.endpoints.ts';
import * as recurring from './recurring/recurring.endpoints.ts';
import * as reminder from './reminder/reminder.endpoints.ts';
import * as session from './session/session.endpoints.ts';

/** Every call of the API. Only these are in OpenAPI, and each must be served. */
export const API_ENDPOINTS: readonly Endpoint[] = [
  session,
  profile,
  invoice,
  invoiceBulk,
  lineSearch,
  document,
  history,
  recurring,
  invoiceTemplate,
  customer,
  customerGroup,
  customerImport,
  newsletter,
  delivery,
  ehf,
  payment,
  bankFile,
  reminder,
].flatMap((concept) => Object.values(concept) as Endpoint[]);
