import type { BookFormats } from '../books.ts';
import { GBAT10 } from './gbat10.ts';
import { SAFT } from './saft.ts';
import { TWENTYFOURSEVEN } from './twenty-four-seven.ts';
import { UNI } from './uni.ts';

/** The formats that accounting systems read. */
export const ACCOUNTING_FORMATS: BookFormats = { GBAT10, TWENTYFOURSEVEN, UNI, SAFT };
