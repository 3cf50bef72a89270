/** A store that makes a span for each operation on rows, within the trace of its call. Calls without a trace pass as they are. */

import { type Interceptor, intercepted } from '../../../store/interceptors.ts'
import type { Store } from '../../../store/store.ts'
import { ROW_FIGURES, type RowFigures } from '../row-figures.ts'
import { knownOf, rowRequests } from '../row-requests.ts'
import type { Tracer } from './tracer.ts'

/** The attribute for rows that a request has returned or changed, in all its operations. */
const ROWS = 'tidegate.rows'

/** The attributes of the other figures. */
const ATTRIBUTES: Readonly<Record<string, keyof RowFigures>> = {
  'tidegate.bytes': 'bytes',
  'tidegate.refused': 'refused',
  'tidegate.applied': 'applied',
  'tidegate.rows_examined': 'rowsExamined',
  'tidegate.cells_examined': 'cellsExamined',
}

export function tracedStore<Own extends Store>(store: Own, tracer: Tracer): Store & Pick<Own, 'catalog'> {
  return intercepted(store, tracedOperations(store.kind, tracer))
}

/** `kind`: that of the store. */
export function tracedOperations(kind: string, tracer: Tracer): Interceptor {
  return rowRequests(
    async (request, next) => {
      const { method, table, call } = request
      const span = tracer.begin(`store ${method}`, call.trace)
      if (span === undefined) return next(call)
      span.set('tidegate.store', kind)
      span.set('db.operation.name', method)
      span.set('db.collection.name', table)
      try {
        const answer = await next({ ...call, trace: span.trace })
        const figures = knownOf(ROW_FIGURES, request, answer)
        for (const [name, figure] of Object.entries(ATTRIBUTES)) span.set(name, figures[figure])
        const rows = figures.rowsReturned ?? figures.rowsChanged
        span.set(ROWS, rows)
        if (rows !== undefined) tracer.addToRequest(call.trace, ROWS, rows)
        span.end()
        return answer
      } catch (error) {
        span.end(error)
        throw error
      }
    },
    ({ trace }) => trace === undefined,
  )
}
