import type { UseFormReturn } from 'react-hook-form';
import type { z } from 'zod/mini';

import type { customerForm } from '../../../domain/customer/customer.schema.ts';
import type { Draft } from '../../forms/Form.tsx';

export type CustomerInput = z.input<typeof customerForm>;
export type CustomerFormState = UseFormReturn<Draft<CustomerInput>, unknown, CustomerInput>;
