export {
  countsAreRight,
  findRegistered,
  findSeries,
  type RegisteredRow,
  type SeriesRow,
} from './invoice-series.repository.ts';
