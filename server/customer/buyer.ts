import { HOME_COUNTRY } from '../../domain/country.ts';
import type { Buyer } from '../../domain/parties.ts';
import type { CustomerRow } from './customer.repository.ts';

/** The customer as a document of today names it. */
export function toBuyer(customer: CustomerRow): Buyer {
  return {
    customerNumber: customer.customerNumber,
    name: customer.name,
    orgNumber: customer.orgNumber,
    email: customer.email,
    address1: customer.address1,
    address2: customer.address2,
    postalCode: customer.postalCode,
    city: customer.city,
    country: customer.country === HOME_COUNTRY ? null : customer.country,
    contactName: customer.contactName,
    invoiceEmails: customer.invoiceEmails.length > 0 ? customer.invoiceEmails : null,
  };
}
