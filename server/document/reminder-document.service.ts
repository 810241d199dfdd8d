export { insertReminder as issueReminder } from './reminder-document.repository.ts';
