/** A store whose operations of rows are spans within the traces of their calls. Calls without a trace pass as they are. */

import type { ScannedResults } from '../../model/results.ts'
import type { Call } from '../../store/call.ts'
import { withFacets, withMethods } from '../../store/decorate.ts'
import type { HandoutId, Handouts } from '../../store/handouts.ts'
import type { Rows } from '../../store/rows.ts'
import type { Store } from '../../store/store.ts'
import { type Target, targetTable } from '../../store/target.ts'
import type { Span } from './span.ts'
import type { Tracer } from './tracer.ts'

/** Rows that a request has returned or changed, of all its operations. */
const ROWS = 'tidegate.rows'
const BYTES = 'tidegate.bytes'

export function tracedStore<Own extends Store>(store: Own, tracer: Tracer): Store & Pick<Own, 'catalog'> {
  const scans = new Map<HandoutId, string>()
  const stages = new Stages(store.kind, tracer)
  return withFacets(store, {
    rows: tracedRows(store.rows, stages, scans),
    handouts: withMethods(store.handouts, tracedHandouts(store.handouts, stages, scans)),
    catalog: store.catalog,
  })
}

type Told<T> = (result: T, span: Span) => number | undefined

class Stages {
  readonly #kind: string
  readonly #tracer: Tracer

  constructor(kind: string, tracer: Tracer) {
    this.#kind = kind
    this.#tracer = tracer
  }

  /** Runs the work within a span. `told` adds attributes, and returns the rows that the request has got or changed. */
  async run<T>(
    name: string,
    table: string | undefined,
    call: Call,
    work: (call: Call) => Promise<T>,
    told: Told<T>,
  ): Promise<T> {
    const span = this.#tracer.begin(`store ${name}`, call.trace)
    if (span === undefined) return work(call)
    span.set('tidegate.store', this.#kind)
    span.set('db.operation.name', name)
    span.set('db.collection.name', table)
    try {
      const result = await work({ ...call, trace: span.trace })
      const rows = told(result, span)
      if (rows !== undefined) {
        span.set(ROWS, rows)
        this.#tracer.addToRequest(call.trace, ROWS, rows)
      }
      span.end()
      return result
    } catch (error) {
      span.end(error)
      throw error
    }
  }
}

function tracedRows(rows: Rows, stages: Stages, scans: Map<HandoutId, string>): Rows {
  return {
    get: (target, gets, limits, call) => {
      if (call.trace === undefined) return rows.get(target, gets, limits, call)
      const work = (own: Call): ReturnType<Rows['get']> => rows.get(target, gets, limits, own)
      return stages.run('get', targetTable(target), call, work, tellResults)
    },
    openScanner: (target, scan, call) => {
      if (call.trace === undefined) return rows.openScanner(target, scan, call)
      return openedScan(stages, scans, target, call, (own) => rows.openScanner(target, scan, own))
    },
    mutate: (target, batch, call) => {
      if (call.trace === undefined) return rows.mutate(target, batch, call)
      const { length } = batch
      const bytes = batch.cells.length
      const work = (own: Call): ReturnType<Rows['mutate']> => rows.mutate(target, batch, own)
      return stages.run('mutate', targetTable(target), call, work, (failures, span) => {
        span.set(BYTES, bytes)
        span.set('tidegate.refused', failures.length)
        return length - failures.length
      })
    },
    mutateRow: (target, mutation, call) => {
      if (call.trace === undefined) return rows.mutateRow(target, mutation, call)
      const work = (own: Call): ReturnType<Rows['mutateRow']> => rows.mutateRow(target, mutation, own)
      return stages.run('mutateRow', targetTable(target), call, work, ({ applied }, span) => {
        span.set('tidegate.applied', applied)
        return applied ? 1 : 0
      })
    },
    mutateRows: (target, mutation, call) => {
      if (call.trace === undefined) return rows.mutateRows(target, mutation, call)
      const work = (own: Call): ReturnType<Rows['mutateRows']> => rows.mutateRows(target, mutation, own)
      return stages.run('mutateRows', targetTable(target), call, work, (applied) =>
        applied ? mutation.parts.length : 0,
      )
    },
  }
}

async function openedScan(
  stages: Stages,
  scans: Map<HandoutId, string>,
  target: Target,
  call: Call,
  work: (call: Call) => ReturnType<Rows['openScanner']>,
): ReturnType<Rows['openScanner']> {
  const table = targetTable(target)
  const opened = await stages.run('openScanner', table, call, work, () => undefined)
  scans.set(opened.id, table)
  return opened
}

function tracedHandouts(
  handouts: Handouts,
  stages: Stages,
  scans: Map<HandoutId, string>,
): Pick<Handouts, 'next' | 'closeScanner'> {
  return {
    next: (id, limits, call) => {
      if (call.trace === undefined) return handouts.next(id, limits, call)
      const work = (own: Call): ReturnType<Handouts['next']> => handouts.next(id, limits, own)
      return stages.run('next', scans.get(id), call, work, ({ results, rowsSeen, cellsSeen }, span) => {
        span.set('tidegate.rows_examined', rowsSeen)
        span.set('tidegate.cells_examined', cellsSeen)
        return tellResults(results, span)
      })
    },
    closeScanner: (id) => {
      scans.delete(id)
      return handouts.closeScanner(id)
    },
  }
}

/** Rows that have cells. */
function tellResults({ counts, cells }: ScannedResults, span: Span): number {
  span.set(BYTES, cells.byteLength)
  let rows = 0
  for (const count of counts) if (count > 0) rows++
  return rows
}
