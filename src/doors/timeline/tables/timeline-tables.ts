/** The timeline's tables. Each row has a key and one value, as in Hadoop's LevelDB store. */

import { openScanner } from '../../../gateway/reads/scanner.ts'
import { EMPTY, rowAfterPrefix } from '../../../model/bytes.ts'
import { CellCursor } from '../../../model/cell-block.ts'
import { familyDescriptor, tableDescriptor } from '../../../model/descriptor.ts'
import { type ErrorCode, HBaseError, isHBaseError } from '../../../model/errors.ts'
import { MutationBatch } from '../../../model/mutation.ts'
import { get, scan } from '../../../model/query.ts'
import { gathered } from '../../../model/results.ts'
import { parseTableName, type TableName } from '../../../model/table-name.ts'
import { type Call, onOwnBehalf } from '../../../store/call.ts'
import type { Store } from '../../../store/store.ts'

const NAMESPACE = 'timeline'
/** The family of the values; their qualifier is empty. */
export const FAMILY: Buffer = Buffer.from('t')

export const STARTTIME: TableName = tableOf('starttime')
export const DOMAIN: TableName = tableOf('domain')
export const OWNER: TableName = tableOf('owner')
export const TOKENS: TableName = tableOf('token')

/** A key that no row has: all keys are longer. */
const ABSENT_KEY = Buffer.from([0])

export interface StoredRow {
  readonly key: Buffer
  readonly qualifier: Buffer
  readonly value: Buffer
  /** The time at which it was written, in milliseconds since 1970. */
  readonly timestamp: bigint
}

export interface ScanOptions {
  readonly family?: Buffer
  /** The most rows that one step reads. */
  readonly step?: number
  /** Called with the bytes of each step; may throw to end the scan. */
  readonly takeMemory?: ((bytes: number) => void) | undefined
}

const STEP_ROWS = 1000
const STEP_BYTES = 1024 * 1024
const GETS_BYTES = 64 * 1024 * 1024

export function tableOf(qualifier: string): TableName {
  return parseTableName(`${NAMESPACE}:${qualifier}`)
}

export class TimelineTables {
  readonly #store: Pick<Store, 'rows' | 'handouts' | 'catalog'>

  constructor(store: Pick<Store, 'rows' | 'handouts' | 'catalog'>) {
    this.#store = store
  }

  /** The rows in the order of the keys; undefined for missing rows. A missing table has no rows. */
  async get(table: TableName, keys: readonly Buffer[], call: Call): Promise<(StoredRow | undefined)[]> {
    const found: (StoredRow | undefined)[] = []
    const columns = [{ family: FAMILY, qualifiers: [EMPTY] }]
    while (found.length < keys.length) {
      const gets = keys.slice(found.length).map((key) => get(key, { columns }))
      const results = await orMissing(this.#store.rows.get(table, gets, { bytes: GETS_BYTES }, call))
      if (results === undefined) return keys.map(() => undefined)
      const cursor = new CellCursor(results.cells)
      for (const count of results.counts) found.push(count > 0 && cursor.next() ? rowOf(cursor) : undefined)
    }
    return found
  }

  /** The cells of the rows from `start` to `stop`, exclusive, in steps. A missing table has no rows. */
  async *scan(
    table: TableName,
    start: Buffer,
    stop: Buffer,
    call: Call,
    { family = FAMILY, step = STEP_ROWS, takeMemory }: ScanOptions = {},
  ): AsyncGenerator<StoredRow[]> {
    const query = scan({ startRow: start, stopRow: stop, columns: [{ family, qualifiers: undefined }] })
    const scanner = await orMissing(openScanner(this.#store, table, query, call))
    if (scanner === undefined) return
    try {
      for (;;) {
        const limits = { rows: step, bytes: STEP_BYTES, allowPartial: false }
        const batch = await orMissing(scanner.next(limits, call))
        if (batch === undefined) return
        const rows: StoredRow[] = []
        const { cells, loan } = gathered(batch.results)
        takeMemory?.(cells.byteLength)
        const cursor = new CellCursor(cells)
        while (cursor.next()) rows.push(rowOf(cursor))
        if (loan !== undefined) this.#store.handouts.release(loan)
        if (rows.length > 0) yield rows
        if (batch.ended === 'scan') return
      }
    } finally {
      await scanner.close()
    }
  }

  /** The cells of all rows that begin with the prefix. */
  async prefixed(
    table: TableName,
    prefix: Buffer,
    call: Call,
    options: ScanOptions = {},
  ): Promise<StoredRow[]> {
    const all: StoredRow[] = []
    for await (const rows of this.scan(table, prefix, rowAfterPrefix(prefix), call, options))
      all.push(...rows)
    return all
  }

  /** Rejects with the first error where any mutation failed. */
  async mutate(table: TableName, batch: MutationBatch, call: Call): Promise<void> {
    if (batch.length === 0) return
    const [failure] = await this.#store.rows.mutate(table, batch, call)
    if (failure !== undefined) throw failure.error
  }

  /** Writes a row if it does not exist. Returns false where it exists. */
  async putIfAbsent(
    table: TableName,
    key: Buffer,
    value: Buffer,
    timestamp: bigint,
    call: Call,
  ): Promise<boolean> {
    const batch = new MutationBatch(256).put(key, FAMILY, EMPTY, value, timestamp)
    batch.endMutation()
    const [options] = batch.options
    const { applied } = await this.#store.rows.mutateRow(
      table,
      {
        row: key,
        operations: [{ kind: 'mutate', cells: batch.blockOf(0) }],
        condition: {
          kind: 'column',
          family: FAMILY,
          qualifier: EMPTY,
          operator: 'EQUAL',
          comparator: undefined,
        },
        options: options!,
      },
      call,
    )
    return applied
  }

  /**
   * Creates the table, and the namespace, if they are missing. The server creates them on its own behalf, so that writers need no permission
   * to create tables and do not become owners.
   */
  async create(table: TableName, families: readonly Buffer[], asked: Call): Promise<void> {
    const { catalog } = this.#store
    const call = onOwnBehalf(asked)
    if (await catalog.tableExists(table, call)) return
    await unless(
      'NAMESPACE_EXISTS',
      catalog.createNamespace({ name: NAMESPACE, properties: new Map() }, call),
    )
    const descriptor = tableDescriptor(
      table,
      families.map((family) => familyDescriptor(family)),
    )
    await unless('TABLE_EXISTS', catalog.createTable(descriptor, [], call))
  }

  async drop(table: TableName, call: Call): Promise<void> {
    const { catalog } = this.#store
    try {
      await unless('TABLE_NOT_ENABLED', catalog.disableTable(table, call))
      await catalog.deleteTable(table, call)
    } catch (error) {
      if (!isHBaseError(error) || error.code !== 'TABLE_NOT_FOUND') throw error
    }
  }

  /** Throws ACCESS_DENIED for users without permission to read the timeline, even while it is empty. */
  async requireReader(call: Call): Promise<void> {
    await this.get(STARTTIME, [ABSENT_KEY], call)
  }

  /** The rest of the table names that begin with `prefix`. Lists all tables regardless of the user, because the result is cached for all users. */
  async namesAfter(prefix: string, call: Call): Promise<string[]> {
    const tables = await this.#store.catalog.listTables(onOwnBehalf(call), 'names')
    const start = `${NAMESPACE}:${prefix}`
    return tables.filter(({ name }) => name.startsWith(start)).map(({ name }) => name.slice(start.length))
  }
}

/** A copy of the row, because the store may reuse the memory of its answer. */
function rowOf(cursor: CellCursor): StoredRow {
  const { row, qualifier, value, timestamp } = cursor.parts()
  return { key: Buffer.from(row), qualifier: Buffer.from(qualifier), value: Buffer.from(value), timestamp }
}

async function orMissing<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work
  } catch (error) {
    if (isHBaseError(error) && (error.code === 'TABLE_NOT_FOUND' || error.code === 'TABLE_NOT_ENABLED'))
      return undefined
    throw error
  }
}

async function unless(code: ErrorCode, work: Promise<void>): Promise<void> {
  try {
    await work
  } catch (error) {
    if (!(error instanceof HBaseError) || error.code !== code) throw error
  }
}
