export { paymentsAreRight } from './payment-check.repository.ts';
