type Subject = string | number | undefined;
type Words = string | ((subject: Subject) => string);

/** The answer to an error: its status, and its message in both languages. */
export interface ErrorWords {
  readonly status: number;
  readonly en: Words;
  readonly nb: Words;
}
