import { toSnakeCase, toSnakeKey } from '../domain/api/case.ts';

/**
 * A value of the API that PostgreSQL has written as JSON, with the wire's names. It is passed on as it
 * is: to read a page of invoices only to write it again took the server longer than anything else.
 */
export class Written<T> {
  /** Says what it is that was written; there is nothing in it. */
  declare readonly value: T;
  readonly json: string;

  constructor(json: string) {
    this.json = json;
  }
}

/** An object of which one property has been written. */
export function writeWith<T extends object, Name extends keyof T & string>(
  rest: Omit<T, Name>,
  name: Name,
  { json }: Written<T[Name]>,
): Written<T> {
  const unclosed = JSON.stringify(toSnakeCase(rest)).slice(0, -1);
  return new Written(`${unclosed},${JSON.stringify(toSnakeKey(name))}:${json}}`);
}
