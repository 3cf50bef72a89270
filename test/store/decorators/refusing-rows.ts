import { HBaseError, isHBaseError } from '../../../src/model/errors.ts'
import type { Rows } from '../../../src/store/rows.ts'

/** Refuses every second call before the store hears of it, as a client's quota does. */
export function refusingRows(rows: Rows): Rows {
  let calls = 0
  const admit = (): void => {
    calls++
    if (calls % 2 === 1) throw new HBaseError('THROTTLED', 'one call too many: come again')
  }
  return {
    get: async (target, gets, limits, call) => {
      admit()
      return rows.get(target, gets, limits, call)
    },
    openScanner: async (target, scan, call) => {
      admit()
      return rows.openScanner(target, scan, call)
    },
    mutate: async (target, batch, call) => {
      admit()
      return rows.mutate(target, batch, call)
    },
    mutateRow: async (target, mutation, call) => {
      admit()
      return rows.mutateRow(target, mutation, call)
    },
    mutateRows: async (target, mutation, call) => {
      admit()
      return rows.mutateRows(target, mutation, call)
    },
  }
}

/** Repeats a call that was refused, after a call of `onRefusal`. */
export function persistentRows(rows: Rows, onRefusal: () => void): Rows {
  const persistently = async <T>(work: () => Promise<T>): Promise<T> => {
    for (;;) {
      try {
        return await work()
      } catch (error) {
        if (!isHBaseError(error) || error.code !== 'THROTTLED') throw error
        onRefusal()
      }
    }
  }
  return {
    get: (target, gets, limits, call) => persistently(() => rows.get(target, gets, limits, call)),
    openScanner: (target, scan, call) => persistently(() => rows.openScanner(target, scan, call)),
    mutate: (target, batch, call) => persistently(() => rows.mutate(target, batch, call)),
    mutateRow: (target, mutation, call) => persistently(() => rows.mutateRow(target, mutation, call)),
    mutateRows: (target, mutation, call) => persistently(() => rows.mutateRows(target, mutation, call)),
  }
}
