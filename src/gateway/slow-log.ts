/** The slow log: a line for each operation of rows that takes the store longer than a limit. */

import type { Logger } from 'pino'
import type { Call } from '../store/call.ts'
import { withFacets, withMethods } from '../store/decorate.ts'
import type { HandoutId, Handouts } from '../store/handouts.ts'
import type { Rows } from '../store/rows.ts'
import type { Store } from '../store/store.ts'
import { type Target, targetTable } from '../store/target.ts'
import type { RecentSlow } from './recent-slow.ts'
import { SlowLines, type TimedOperation } from './slow-lines.ts'

/** An open scanner: its table, and what its batches have returned so far. */
interface KnownScan {
  readonly table: string
  batches: number
  rows: number
}

/** `now`: milliseconds since any fixed moment; `recent`: keeps the last operations. */
export function withSlowLog<Own extends Store>(
  store: Own,
  limitMs: number,
  logger: Logger,
  now: () => number = () => performance.now(),
  recent?: RecentSlow,
): Store & Pick<Own, 'catalog'> {
  const lines = new SlowLines(limitMs, logger, now, recent)
  const scans = new Map<HandoutId, KnownScan>()
  return withFacets(store, {
    rows: slowRows(store.rows, lines, scans),
    handouts: withMethods(store.handouts, slowHandouts(store.handouts, lines, scans)),
    catalog: store.catalog,
  })
}

function slowRows(rows: Rows, lines: SlowLines, scans: Map<HandoutId, KnownScan>): Rows {
  return {
    get: (target, gets, limits, call) =>
      lines.timed(
        of('get', target, call),
        () => rows.get(target, gets, limits, call),
        ({ counts, cells }) => ({
          rowsExamined: counts.length,
          rowsReturned: counts.filter((count) => count > 0).length,
          bytes: cells.byteLength,
        }),
      ),
    openScanner: async (target, scan, call) => {
      const work = (): ReturnType<Rows['openScanner']> => rows.openScanner(target, scan, call)
      const opened = await lines.timed(of('openScanner', target, call), work, () => ({}))
      scans.set(opened.id, { table: targetTable(target), batches: 0, rows: 0 })
      return opened
    },
    mutate: (target, batch, call) => {
      const figures = { mutations: batch.length, bytes: batch.cells.length }
      return lines.timed(
        of('mutate', target, call),
        () => rows.mutate(target, batch, call),
        (failures) => ({ ...figures, refused: failures.length }),
      )
    },
    mutateRow: (target, mutation, call) =>
      lines.timed(
        of('mutateRow', target, call),
        () => rows.mutateRow(target, mutation, call),
        ({ results }) => ({ mutations: 1, bytes: results.cells.byteLength }),
      ),
    mutateRows: (target, mutation, call) =>
      lines.timed(
        of('mutateRows', target, call),
        () => rows.mutateRows(target, mutation, call),
        () => ({ mutations: mutation.parts.length }),
      ),
  }
}

function slowHandouts(
  handouts: Handouts,
  lines: SlowLines,
  scans: Map<HandoutId, KnownScan>,
): Pick<Handouts, 'next' | 'closeScanner'> {
  return {
    next: async (id, limits, call) => {
      const scan = scans.get(id)
      const { client, principal } = call
      const told = { operation: 'next', table: scan?.table, client, user: principal?.user }
      const batch = await lines.timed(
        told,
        () => handouts.next(id, limits, call),
        ({ results: { counts, cells }, rowsSeen, cellsSeen }) => ({
          rowsExamined: rowsSeen,
          rowsReturned: counts.length,
          cellsExamined: cellsSeen,
          bytes: cells.byteLength,
          batchesBefore: scan?.batches,
          rowsBefore: scan?.rows,
        }),
      )
      if (scan !== undefined) {
        scan.batches++
        scan.rows += batch.results.counts.length
      }
      return batch
    },
    closeScanner: (id) => {
      scans.delete(id)
      return handouts.closeScanner(id)
    },
  }
}

function of(operation: string, target: Target, { client, principal }: Call): TimedOperation {
  return { operation, table: targetTable(target), client, user: principal?.user }
}
