import { EMPTY } from '../../src/model/bytes.ts'
import { CellBlockBuilder } from '../../src/model/cell-block.ts'
import type { NamespaceDescriptor, TableDescriptor } from '../../src/model/descriptor.ts'
import { HBaseError, isHBaseError } from '../../src/model/errors.ts'
import type { MutationBatch, RowMutation } from '../../src/model/mutation.ts'
import type { Get, Scan } from '../../src/model/query.ts'
import { regionName } from '../../src/model/region-name.ts'
import type { Results } from '../../src/model/results.ts'
import {
  checkModifiedTable,
  checkNamespaceIsEmpty,
  checkNamespaceIsNotReserved,
  checkSplitKeys,
  checkTable,
  namespaceExists,
  namespaceNotFound,
  tableExists,
  tableNotFound,
} from '../../src/model/table-checks.ts'
import {
  checkNamespaceName,
  compareTableNames,
  DEFAULT_NAMESPACE,
  isSystemTable,
  namespaceOf,
  SYSTEM_NAMESPACE,
  type TableName,
} from '../../src/model/table-name.ts'
import type {
  MutationFailure,
  RegionLocation,
  RowMutationOutcome,
  Scanner,
  ServerName,
  Store,
  TableState,
} from '../../src/store.ts'
import { MemoryScanner } from './memory-scanner.ts'
import { MemoryTable } from './memory-table.ts'
import { addedCells, mutatedCells, timesUnderCondition } from './row-changes.ts'
import type { StoredCell } from './stored-cell.ts'

export interface MemoryStoreOptions {
  /** Milliseconds since 1970. */
  readonly clock: { now(): number }
  /** The server that regions are said to be on. */
  readonly server?: ServerName
  /** Numbers from 0 up to 1, by which RandomRowFilter decides. */
  readonly random?: () => number
}

/** A store that forgets everything when it is closed. */
export function openMemoryStore(options: MemoryStoreOptions): Store {
  return new MemoryStore(options)
}

class MemoryStore implements Store {
  readonly kind = 'memory'
  readonly #clock: MemoryStoreOptions['clock']
  readonly #server: ServerName
  readonly #random: () => number
  readonly #namespaces = new Map<string, NamespaceDescriptor>()
  readonly #tables = new Map<TableName, MemoryTable>()
  #closed = false

  constructor({ clock, server, random = Math.random }: MemoryStoreOptions) {
    this.#clock = clock
    this.#random = random
    this.#server = server ?? { host: '127.0.0.1', port: 0, startCode: clock.now() }
    for (const name of [DEFAULT_NAMESPACE, SYSTEM_NAMESPACE]) {
      this.#namespaces.set(name, { name, properties: new Map() })
    }
  }

  async listNamespaces(): Promise<NamespaceDescriptor[]> {
    this.#checkOpen()
    return [...this.#namespaces.values()].sort((a, b) => compareText(a.name, b.name))
  }

  async namespace(name: string): Promise<NamespaceDescriptor> {
    this.#checkOpen()
    const namespace = this.#namespaces.get(name)
    if (namespace === undefined) throw namespaceNotFound(name)
    return namespace
  }

  async createNamespace(namespace: NamespaceDescriptor): Promise<void> {
    this.#checkOpen()
    checkNamespaceName(namespace.name)
    if (this.#namespaces.has(namespace.name)) throw namespaceExists(namespace.name)
    this.#namespaces.set(namespace.name, namespace)
  }

  async modifyNamespace(namespace: NamespaceDescriptor): Promise<void> {
    await this.namespace(namespace.name)
    checkNamespaceIsNotReserved(namespace.name, 'modified')
    this.#namespaces.set(namespace.name, namespace)
  }

  async deleteNamespace(name: string): Promise<void> {
    await this.namespace(name)
    checkNamespaceIsNotReserved(name, 'removed')
    const tables = [...this.#tables.keys()].filter((table) => namespaceOf(table) === name)
    checkNamespaceIsEmpty(name, tables.length)
    this.#namespaces.delete(name)
  }

  async listTables(): Promise<TableDescriptor[]> {
    this.#checkOpen()
    const names = [...this.#tables.keys()].filter((name) => !isSystemTable(name))
    return names.sort(compareTableNames).map((name) => this.#table(name).descriptor)
  }

  async table(name: TableName): Promise<TableDescriptor> {
    return this.#table(name).descriptor
  }

  async tableExists(name: TableName): Promise<boolean> {
    this.#checkOpen()
    return this.#tables.has(name)
  }

  async tableState(name: TableName): Promise<TableState> {
    return this.#table(name).state
  }

  async createTable(table: TableDescriptor, splitKeys: readonly Buffer[]): Promise<void> {
    await this.namespace(namespaceOf(table.name))
    if (this.#tables.has(table.name)) throw tableExists(table.name)
    checkTable(table)
    const keys = checkSplitKeys(splitKeys).map((key) => Buffer.from(key))
    this.#tables.set(table.name, new MemoryTable(table, keys, this.#clock.now(), this.#random))
  }

  async modifyTable(table: TableDescriptor): Promise<void> {
    const present = this.#table(table.name)
    checkModifiedTable(present.descriptor, table)
    present.modify(table)
  }

  async deleteTable(name: TableName): Promise<void> {
    if (this.#table(name).state !== 'DISABLED') {
      throw new HBaseError('TABLE_NOT_DISABLED', `Not DISABLED; tableName=${name}, state=ENABLED`)
    }
    this.#tables.delete(name)
  }

  async truncateTable(name: TableName, preserveSplits: boolean): Promise<void> {
    const { state, descriptor, splitKeys } = this.#table(name)
    if (state !== 'DISABLED') throw new HBaseError('TABLE_NOT_DISABLED', name)
    const keys = preserveSplits ? splitKeys : []
    this.#tables.set(name, new MemoryTable(descriptor, keys, this.#clock.now(), this.#random))
  }

  async enableTable(name: TableName): Promise<void> {
    const table = this.#table(name)
    if (table.state === 'ENABLED') {
      throw new HBaseError('TABLE_NOT_DISABLED', `tableName=${name}, state=ENABLED`)
    }
    table.state = 'ENABLED'
  }

  async disableTable(name: TableName): Promise<void> {
    const table = this.#table(name)
    if (table.state === 'DISABLED') throw new HBaseError('TABLE_NOT_ENABLED', name)
    table.state = 'DISABLED'
  }

  async regions(name: TableName): Promise<RegionLocation[]> {
    const { splitKeys, regionId } = this.#table(name)
    return [EMPTY, ...splitKeys].map((startKey, index) => ({
      table: name,
      startKey,
      endKey: splitKeys[index] ?? EMPTY,
      regionId,
      ...regionName(name, startKey, regionId),
      server: this.#server,
    }))
  }

  /** Nothing to write: there are no files. */
  async flushTable(name: TableName): Promise<void> {
    if (this.#table(name).state === 'DISABLED') throw new HBaseError('TABLE_NOT_ENABLED', name)
  }

  async get(name: TableName, gets: readonly Get[]): Promise<Results> {
    const table = this.#enabledTable(name)
    const now = this.#now()
    return resultsOf(gets.map((get) => table.read(get.row, get, now)))
  }

  async openScanner(name: TableName, scan: Scan): Promise<Scanner> {
    const table = this.#enabledTable(name)
    const checkTable = (): void => {
      if (this.#enabledTable(name) !== table) {
        throw new HBaseError('NOT_SERVING_REGION', `${name} was deleted or truncated and made again`)
      }
    }
    return new MemoryScanner(table, checkTable, scan, this.#now())
  }

  async mutate(name: TableName, batch: MutationBatch): Promise<readonly MutationFailure[]> {
    const table = this.#enabledTable(name)
    const now = this.#now()
    const failures: MutationFailure[] = []
    const written: StoredCell[] = []
    for (const [index, { ttlMs }] of batch.options.entries()) {
      try {
        written.push(...mutatedCells(table, batch.blockOf(index), { now, put: now }, ttlMs))
      } catch (error) {
        if (!isHBaseError(error)) throw error
        failures.push({ index, error })
      }
    }
    table.write(written)
    return failures
  }

  async mutateRow(name: TableName, mutation: RowMutation): Promise<RowMutationOutcome> {
    const table = this.#enabledTable(name)
    const { ttlMs } = mutation.options
    const times = timesUnderCondition(table, mutation.row, mutation.condition, this.#now())
    if (times === undefined) return { applied: false, results: resultsOf([[]]) }
    const written: StoredCell[] = []
    const added: StoredCell[] = []
    for (const operation of mutation.operations) {
      if (operation.kind === 'mutate') {
        written.push(...mutatedCells(table, operation.cells, times, ttlMs))
      } else {
        const cells = addedCells(table, operation, times.now, ttlMs)
        written.push(...cells)
        added.push(...cells)
      }
    }
    table.write(written)
    return { applied: true, results: resultsOf([added]) }
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#tables.clear()
  }

  #now(): bigint {
    return BigInt(this.#clock.now())
  }

  #checkOpen(): void {
    if (this.#closed) throw new HBaseError('UNAVAILABLE', 'the store is closed')
  }

  #table(name: TableName): MemoryTable {
    this.#checkOpen()
    const table = this.#tables.get(name)
    if (table === undefined) throw tableNotFound(name)
    return table
  }

  #enabledTable(name: TableName): MemoryTable {
    const table = this.#table(name)
    if (table.state === 'DISABLED') throw new HBaseError('TABLE_NOT_ENABLED', `${name} is disabled.`)
    return table
  }
}

function resultsOf(results: readonly StoredCell[][]): Results {
  const cells = new CellBlockBuilder()
  for (const cell of results.flat()) cells.appendParts(cell)
  return { cells: cells.block(), counts: results.map((result) => result.length) }
}

function compareText(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}
