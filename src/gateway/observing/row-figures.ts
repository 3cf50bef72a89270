import type { Results } from '../../model/results.ts'
import type { OfRequests } from './row-requests.ts'

/** The rows, cells and bytes that a request has read, returned and changed, as far as its kind knows them. */
export interface RowFigures {
  readonly rowsExamined?: number | undefined
  readonly cellsExamined?: number | undefined
  /** Returned rows that have cells. */
  readonly rowsReturned?: number
  readonly rowsChanged?: number
  readonly mutations?: number
  /** Mutations of a batch that were not applied. */
  readonly refused?: number
  readonly applied?: boolean
  /** Bytes of the returned cells, or of the cells that a batch writes. */
  readonly bytes?: number
}

export const ROW_FIGURES: OfRequests<RowFigures> = {
  get: ({ counts, cells }) => ({
    rowsExamined: counts.length,
    rowsReturned: withCells(counts),
    bytes: cells.byteLength,
  }),
  openScanner: () => ({}),
  next: ({ results: { counts, cells }, rowsSeen, cellsSeen }) => ({
    rowsExamined: rowsSeen,
    rowsReturned: withCells(counts),
    cellsExamined: cellsSeen,
    bytes: cells.byteLength,
  }),
  mutate: (failures, _, { length, cells }) => ({
    mutations: length,
    bytes: cells.length,
    refused: failures.length,
    rowsChanged: length - failures.length,
  }),
  mutateRow: ({ applied, results }) => ({
    mutations: 1,
    bytes: results.cells.byteLength,
    applied,
    rowsChanged: applied ? 1 : 0,
  }),
  mutateRows: (applied, _, { parts }) => ({
    mutations: parts.length,
    applied,
    rowsChanged: applied ? parts.length : 0,
  }),
}

function withCells(counts: Results['counts']): number {
  let rows = 0
  for (const count of counts) if (count > 0) rows++
  return rows
}
