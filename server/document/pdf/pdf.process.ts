// Runs in a separate process: typesetting would block the event loop, and takes memory that only the end of a process
// gives back.

import { openDocumentPrinter, type PdfInput, type PrintedDocument } from './document-printer.ts';
import { lowerPriorityOfProcess } from '../../platform/limits/priority.ts';
import { answerTasks } from '../../platform/tasks/answer-tasks.ts';

/** A process with more memory is replaced (bytes). An invoice of 880 lines takes 250 MB. */
const MEMORY_MAX = 300_000_000;

// Requests of users come before ten thousand PDFs.
lowerPriorityOfProcess();

const printer = openDocumentPrinter();

answerTasks<PrintedDocument>((input: PdfInput) => printer.print(input), {
  isLast: () => process.memoryUsage.rss() > MEMORY_MAX,
});
