/** The embedded engine behind the seam: see docs/formats.md for what it keeps on disk. */

import { setImmediate as nextTurn } from 'node:timers/promises'
import { InvariantError } from '../../src/model/assert.ts'
import { CellBlockBuilder } from '../../src/model/cell-block.ts'
import type { NamespaceDescriptor, TableDescriptor } from '../../src/model/descriptor.ts'
import { HBaseError } from '../../src/model/errors.ts'
import type { Metric } from '../../src/model/metric.ts'
import type { MutationBatch, RowMutation } from '../../src/model/mutation.ts'
import type { Get, Scan } from '../../src/model/query.ts'
import type { Results } from '../../src/model/results.ts'
import { namespaceNotFound } from '../../src/model/table-checks.ts'
import { noSuchColumnFamily } from '../../src/model/table-description.ts'
import { compareTableNames, isSystemTable, type TableName } from '../../src/model/table-name.ts'
import type {
  MutationFailure,
  RegionLocation,
  RowMutationOutcome,
  Scanner,
  ServerName,
  Store,
  TableState,
} from '../../src/store.ts'
import { namespaceOfRecord } from './catalog/catalog.ts'
import type { CatalogLog } from './catalog/catalog-log.ts'
import type { TableAdmin } from './catalog/table-admin.ts'
import type { TableMap } from './catalog/table-map.ts'
import type { TableRegions } from './catalog/table-regions.ts'
import type { Clock, RandomSource } from './platform/file-system.ts'
import { BlockMemory } from './read/block-memory.ts'
import { NativeScanner } from './read/native-scanner.ts'
import type { Region } from './region/region.ts'
import type { RegionFlusher } from './region/region-flusher.ts'
import type { Mvcc } from './write/mvcc.ts'
import type { WritePath } from './write/write-path.ts'

/** After so many gets others have their turn. */
const GETS_A_TURN = 500

export interface NativeStoreParts {
  readonly catalogLog: CatalogLog
  readonly tables: TableMap
  readonly admin: TableAdmin
  readonly writes: WritePath
  readonly flusher: RegionFlusher
  readonly mvcc: Mvcc
  readonly clock: Clock
  readonly random: RandomSource
  readonly scanSliceCells: number
  readonly server: ServerName
  readonly metrics: readonly Metric[]
  /** Why nothing can be written any more, once that is so. */
  failure(): HBaseError | undefined
  /** Takes no more writes, after a bug of ours was found. */
  stop(cause: InvariantError): void
  /** Writes what is in memory and frees all that is held; called once, when no call is under way. */
  release(): Promise<void>
}

export class NativeStore implements Store {
  readonly kind = 'native'
  readonly metrics: readonly Metric[]
  readonly #parts: NativeStoreParts
  readonly #scanners = new Set<NativeScanner>()
  readonly #blockMemory = new BlockMemory()
  /** Calls that change data and have not returned. */
  readonly #underWay = new Set<Promise<unknown>>()
  #closing: Promise<void> | undefined

  /** For openNativeStore. */
  constructor(parts: NativeStoreParts) {
    this.#parts = parts
    this.metrics = parts.metrics
  }

  outage(): string | undefined {
    return this.#parts.failure()?.message
  }

  async listNamespaces(): Promise<NamespaceDescriptor[]> {
    this.#checkOpen()
    const namespaces = [...this.#parts.catalogLog.catalog.namespaces]
    return namespaces
      .sort(([a], [b]) => compareText(a, b))
      .map(([name, properties]) => namespaceOfRecord(name, properties))
  }

  async namespace(name: string): Promise<NamespaceDescriptor> {
    this.#checkOpen()
    const properties = this.#parts.catalogLog.catalog.namespaces.get(name)
    if (properties === undefined) throw namespaceNotFound(name)
    return namespaceOfRecord(name, properties)
  }

  createNamespace(namespace: NamespaceDescriptor): Promise<void> {
    return this.#change(() => this.#parts.admin.createNamespace(namespace))
  }

  modifyNamespace(namespace: NamespaceDescriptor): Promise<void> {
    return this.#change(() => this.#parts.admin.modifyNamespace(namespace))
  }

  deleteNamespace(name: string): Promise<void> {
    return this.#change(() => this.#parts.admin.deleteNamespace(name))
  }

  async listTables(): Promise<TableDescriptor[]> {
    this.#checkOpen()
    const names = this.#parts.tables.names().filter((name) => !isSystemTable(name))
    return names.sort(compareTableNames).map((name) => this.#parts.tables.get(name).descriptor)
  }

  async table(name: TableName): Promise<TableDescriptor> {
    return this.#table(name).descriptor
  }

  async tableExists(name: TableName): Promise<boolean> {
    this.#checkOpen()
    return this.#parts.tables.find(name) !== undefined
  }

  async tableState(name: TableName): Promise<TableState> {
    return this.#table(name).isEnabled ? 'ENABLED' : 'DISABLED'
  }

  createTable(table: TableDescriptor, splitKeys: readonly Buffer[]): Promise<void> {
    return this.#change(() => this.#parts.admin.createTable(table, splitKeys))
  }

  modifyTable(table: TableDescriptor): Promise<void> {
    return this.#change(() => this.#parts.admin.modifyTable(table))
  }

  deleteTable(name: TableName): Promise<void> {
    return this.#change(() => this.#parts.admin.deleteTable(name))
  }

  truncateTable(name: TableName, preserveSplits: boolean): Promise<void> {
    return this.#change(() => this.#parts.admin.truncateTable(name, preserveSplits))
  }

  enableTable(name: TableName): Promise<void> {
    return this.#change(() => this.#parts.admin.enableTable(name))
  }

  disableTable(name: TableName): Promise<void> {
    return this.#change(() => this.#parts.admin.disableTable(name))
  }

  async regions(name: TableName): Promise<RegionLocation[]> {
    const { server } = this.#parts
    return this.#table(name).regions.map(({ startKey, endKey, regionId, name: regionName, encodedName }) => {
      return { table: name, startKey, endKey, regionId, name: regionName, encodedName, server }
    })
  }

  flushTable(name: TableName): Promise<void> {
    return this.#change(async () => {
      const table = this.#parts.tables.get(name)
      if (!table.isEnabled) throw new HBaseError('TABLE_NOT_ENABLED', name)
      for (const region of table.regions) await this.#parts.flusher.flush(region)
    })
  }

  async get(name: TableName, gets: readonly Get[]): Promise<Results> {
    const table = this.#enabledTable(name)
    const { clock, mvcc } = this.#parts
    const now = clock.now()
    const cells = new CellBlockBuilder()
    const counts: number[] = []
    for (const [index, get] of gets.entries()) {
      if (index > 0 && index % GETS_A_TURN === 0) {
        await nextTurn()
        this.#checkIsServed(name, table)
      }
      const region = table.regionOf(get.row, 0, get.row.length)
      checkFamilies(get, region)
      counts.push(region.get(get, mvcc.readPoint, now, cells))
    }
    return { cells: cells.block(), counts }
  }

  async openScanner(name: TableName, scan: Scan): Promise<Scanner> {
    const table = this.#enabledTable(name)
    checkFamilies(scan, table.regions[0]!)
    const context = {
      readPoint: this.#parts.mvcc.readPoint,
      now: this.#parts.clock.now(),
      random: this.#parts.random,
      blockMemory: this.#blockMemory,
    }
    const scanner: NativeScanner = new NativeScanner(table.regions, scan, {
      context,
      sliceCells: this.#parts.scanSliceCells,
      checkTable: () => {
        this.#checkOpen()
        this.#checkIsServed(name, table)
      },
      onClose: () => this.#scanners.delete(scanner),
    })
    this.#scanners.add(scanner)
    return scanner
  }

  mutate(name: TableName, batch: MutationBatch): Promise<readonly MutationFailure[]> {
    return this.#change(() => {
      const table = this.#enabledTable(name)
      return this.#parts.writes.mutate(table, batch, () => this.#checkIsServed(name, table))
    })
  }

  mutateRow(name: TableName, mutation: RowMutation): Promise<RowMutationOutcome> {
    return this.#change(() => {
      const table = this.#enabledTable(name)
      return this.#parts.writes.mutateRow(table, mutation, () => this.#checkIsServed(name, table))
    })
  }

  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    await Promise.allSettled(this.#underWay)
    for (const scanner of this.#scanners) await scanner.close()
    await this.#parts.release()
  }

  /** Runs a change, which `close` waits for. After one in which an invariant did not hold there are no more. */
  async #change<T>(work: () => Promise<T>): Promise<T> {
    this.#checkOpen()
    const running = work()
    this.#underWay.add(running)
    try {
      return await running
    } catch (error) {
      if (error instanceof InvariantError) this.#parts.stop(error)
      throw error
    } finally {
      this.#underWay.delete(running)
    }
  }

  #checkOpen(): void {
    if (this.#closing !== undefined) throw new HBaseError('UNAVAILABLE', 'the store is closed')
  }

  #table(name: TableName): TableRegions {
    this.#checkOpen()
    return this.#parts.tables.get(name)
  }

  #enabledTable(name: TableName): TableRegions {
    this.#checkOpen()
    return this.#parts.tables.getEnabled(name)
  }

  /** Throws where a call cannot go on with a table that it began with. */
  #checkIsServed(name: TableName, table: TableRegions): void {
    if (this.#parts.tables.getEnabled(name) !== table) {
      throw new HBaseError('NOT_SERVING_REGION', `${name} was deleted or truncated and made again`)
    }
  }
}

/** Throws NO_SUCH_COLUMN_FAMILY, with the region in its message as HBase has it. */
function checkFamilies(query: Get | Scan, region: Region): void {
  for (const { family } of query.columns) {
    if (region.storeOf(family, 0, family.length) === undefined) {
      throw noSuchColumnFamily(family, region.name, region.table)
    }
  }
}

function compareText(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}
