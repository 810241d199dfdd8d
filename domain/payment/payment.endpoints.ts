import { defineEndpoint } from '../api/endpoint.ts';
import {
  payment,
  paymentBody,
  paymentListQuery,
  paymentPage,
  paymentParams,
  placingBody,
} from './payment.schema.ts';

export const listPayments = defineEndpoint({
  id: 'listPayments',
  method: 'GET',
  path: '/api/payments/',
  summary: 'Payments, newest first, twenty a page: all, those of an invoice, or what is unplaced',
  permission: 'see',
  feature: 'payments',
  query: paymentListQuery,
  response: paymentPage,
  errors: [404],
});

export const createPayment = defineEndpoint({
  id: 'createPayment',
  method: 'POST',
  path: '/api/payments/',
  summary: 'Note by hand that an invoice, or a part of it, was paid',
  permission: 'payments',
  feature: 'payments',
  body: paymentBody,
  response: payment,
  status: 201,
  errors: [404, 409],
});

export const placePayment = defineEndpoint({
  id: 'placePayment',
  method: 'POST',
  path: '/api/payments/{paymentUuid}/place/',
  summary: 'Place an unplaced payment on an invoice; what is more than its due stays as credit',
  permission: 'payments',
  feature: 'payments',
  params: paymentParams,
  body: placingBody,
  response: payment,
  errors: [404, 409],
});

export const undoPayment = defineEndpoint({
  id: 'undoPayment',
  method: 'POST',
  path: '/api/payments/{paymentUuid}/undo/',
  summary:
    'Take a payment off its invoice, or a refund back; money from the bank and credit are ' +
    'unplaced then, and money by hand that is unplaced is gone',
  permission: 'payments',
  feature: 'payments',
  params: paymentParams,
  response: payment,
  errors: [404, 409],
});

export const refundPayment = defineEndpoint({
  id: 'refundPayment',
  method: 'POST',
  path: '/api/payments/{paymentUuid}/refund/',
  summary: 'Note that an unplaced payment was paid back',
  permission: 'payments',
  feature: 'payments',
  params: paymentParams,
  makes: true,
  response: payment,
  errors: [404, 409],
});

export const dropPayment = defineEndpoint({
  id: 'dropPayment',
  method: 'DELETE',
  path: '/api/payments/{paymentUuid}/',
  summary:
    'Drop unplaced money: of the bank that was never placed, since it is a copy or no ' +
    'customer’s payment, or made by hand',
  permission: 'payments',
  feature: 'payments',
  params: paymentParams,
  errors: [404, 409],
});
