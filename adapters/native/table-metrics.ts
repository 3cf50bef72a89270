/**
 * Metrics by table. A store may have very many tables, and Prometheus keeps a series for each value of a label: the largest tables have lines of
 * their own, and one line has the sum of the others.
 */

import { type Metric, OTHER_TABLES, type Sample } from '../../src/model/metric.ts'
import type { TableName } from '../../src/model/table-name.ts'
import type { Engine } from './engine/engine.ts'

/** Tables with a line of their own. docs/limits.md. */
export const TABLES_SHOWN_MAX = 100

interface TableSizes {
  fileBytes: number
  memstoreBytes: number
  /** Bytes of the log files that have changes of the table which are in no store file yet. */
  logBytes: number
}

/** Metrics of the sizes of each table. All that are read in one turn share one walk over the regions and logs. */
export function tableMetrics(engine: Engine): Metric[] {
  let ofTurn: Map<TableName, TableSizes> | undefined
  const sizes = (): Map<TableName, TableSizes> => {
    if (ofTurn === undefined) queueMicrotask(() => (ofTurn = undefined))
    ofTurn ??= sizesByTable(engine)
    return ofTurn
  }
  const by = (name: string, help: string, size: (sizes: TableSizes) => number): Metric => ({
    name,
    kind: 'gauge',
    help,
    labels: ['table'],
    read: () => samplesOf(sizes(), size),
  })
  return [
    by(
      'tidegate_native_table_store_file_bytes',
      'Bytes of the store files of a table',
      ({ fileBytes }) => fileBytes,
    ),
    by(
      'tidegate_native_table_memstore_bytes',
      'Memory of the memstores of a table',
      ({ memstoreBytes }) => memstoreBytes,
    ),
    by(
      'tidegate_native_table_log_bytes',
      'Bytes of the log files that are kept for changes of a table',
      ({ logBytes }) => logBytes,
    ),
  ]
}

function sizesByTable({ tables, wal }: Engine): Map<TableName, TableSizes> {
  const sizes = new Map<TableName, TableSizes>()
  for (const region of tables.regions.values()) {
    const { name } = region.table
    let table = sizes.get(name)
    if (table === undefined) sizes.set(name, (table = { fileBytes: 0, memstoreBytes: 0, logBytes: 0 }))
    table.memstoreBytes += region.memstoreBytes
    for (const store of region.stores) table.fileBytes += store.fileBytes
  }
  for (const log of wal.files.needed) {
    // Several regions of a table keep a file as one.
    const keeping = new Set<TableName>()
    for (const [number, lastId] of log.regions) {
      const region = tables.regions.get(number)
      if (region !== undefined && region.flushedSequenceId < lastId) keeping.add(region.table.name)
    }
    for (const name of keeping) sizes.get(name)!.logBytes += log.bytes
  }
  return sizes
}

function samplesOf(sizes: Map<TableName, TableSizes>, size: (sizes: TableSizes) => number): Sample[] {
  const values = [...sizes].map(([name, of]) => [name as string, size(of)] as const)
  const largestFirst = values.sort(([, a], [, b]) => b - a)
  const shown = largestFirst.slice(0, TABLES_SHOWN_MAX)
  const rest = largestFirst.slice(TABLES_SHOWN_MAX)
  if (rest.length > 0) shown.push([OTHER_TABLES, rest.reduce((sum, [, value]) => sum + value, 0)])
  return shown.map(([table, value]) => ({ labels: { table }, value }))
}
