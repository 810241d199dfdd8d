type Subject = string | number | undefined;
type Words = string | ((subject: Subject) => string);

/** What is answered to an error: its status, and its words in both languages. */
export interface ErrorWords {
  readonly status: number;
  readonly en: Words;
  readonly nb: Words;
}
