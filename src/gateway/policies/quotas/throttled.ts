/** Throttles requests of rows by the limits in hbase:quota. Without a limit, a request costs one check of a field more. */

import { CellCursor } from '../../../model/cell-block.ts'
import type { RowMutation, RowPart } from '../../../model/mutation.ts'
import type { ScannedResults } from '../../../model/results.ts'
import type { Interceptor } from '../../../store/interceptors.ts'
import {
  type ArgumentsOf,
  knownOf,
  type OfRequests,
  type RowMethod,
  type RowRequest,
  rowRequests,
} from '../../observing/row-requests.ts'
import { OperationQuota } from './operation-quota.ts'
import type { QuotaCache } from './quota-cache.ts'

const CELL_PREFIX_BYTES = 4

interface Sizes {
  readonly writeBytes: number
  readonly readBytes: number
}

const NOTHING: Sizes = { writeBytes: 0, readBytes: 0 }

const SIZES: OfRequests<Sizes> = {
  get: (results) => read(results),
  openScanner: () => NOTHING,
  next: ({ results }) => read(results),
  mutate: (_, __, { cells }) => written(cells),
  mutateRow: (_, __, mutation) => writtenBy([mutation]),
  mutateRows: (_, __, { parts }) => writtenBy(parts),
}

/** The writes and reads in a request, which count before it is made. */
const COUNTS: { readonly [Method in Exclude<RowMethod, 'openScanner' | 'next'>]: Counts<Method> } = {
  get: (_, { length }) => [0, length],
  mutate: (_, { length }) => [length, 0],
  mutateRow: (_, mutation) => [mutation.operations.length, readsOf(mutation)],
  mutateRows: (_, { parts }) => [parts.length, parts.reduce((sum, part) => sum + readsOf(part), 0)],
}
type Counts<Method extends RowMethod> = (
  ...args: ArgumentsOf<Method>
) => readonly [writes: number, reads: number]

/** `now`: milliseconds since any fixed moment. */
export function throttled(cache: QuotaCache, now: () => number = () => performance.now()): Interceptor {
  const begin = ({ method, table, call, args }: RowRequest): OperationQuota | undefined => {
    if (method === 'openScanner' || table === undefined) return undefined
    const limits = cache.limitsOf(call.principal?.user, table)
    if (limits === undefined) return undefined
    if (method === 'next') return OperationQuota.ofScan(limits, now())
    const [writes, reads] = (COUNTS[method] as (...args: readonly unknown[]) => readonly [number, number])(
      ...args,
    )
    return OperationQuota.ofBatch(limits, writes, reads, now())
  }
  return rowRequests(
    async (request, next) => {
      if (request.method === 'openScanner') return next(request.call)
      if (!cache.isCurrent) await cache.load()
      const quota = begin(request)
      if (quota === undefined) return next(request.call)
      let { writeBytes, readBytes } = NOTHING
      try {
        const answer = await next(request.call)
        ;({ writeBytes, readBytes } = knownOf(SIZES, request, answer))
        return answer
      } finally {
        quota.end(writeBytes, readBytes)
      }
    },
    // Calls of the server itself have no limits.
    ({ isOwn }) => isOwn,
  )
}

function read({ cells, counts }: ScannedResults): Sizes {
  const count = counts.reduce((sum, each) => sum + each, 0)
  return { writeBytes: 0, readBytes: cells.byteLength - CELL_PREFIX_BYTES * count }
}

function written({ length, count }: { readonly length: number; readonly count: number }): Sizes {
  return { writeBytes: length - CELL_PREFIX_BYTES * count, readBytes: 0 }
}

function writtenBy(parts: readonly RowPart[]): Sizes {
  let writeBytes = 0
  for (const { operations } of parts) {
    for (const { cells } of operations) {
      const cursor = new CellCursor(cells)
      while (cursor.next()) writeBytes += cursor.cellLength
    }
  }
  return { writeBytes, readBytes: 0 }
}

/** The reads of a change: each operation of one with a condition; else increments and appends. */
function readsOf({ condition, operations }: RowPart | RowMutation): number {
  if (condition !== undefined) return operations.length
  return operations.filter(({ kind }) => kind !== 'mutate').length
}
