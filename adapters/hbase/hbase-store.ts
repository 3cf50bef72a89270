/** A real HBase cluster behind the seam: what the Java client is to HBase's own gateways. */

import type { NamespaceDescriptor, TableDescriptor } from '../../src/model/descriptor.ts'
import type { MutationBatch, RowMutation } from '../../src/model/mutation.ts'
import type { Get, Scan } from '../../src/model/query.ts'
import { NO_RESULTS, type Results } from '../../src/model/results.ts'
import type { TableName } from '../../src/model/table-name.ts'
import type {
  MutationFailure,
  RegionLocation,
  RowMutationOutcome,
  Scanner,
  Store,
  TableState,
} from '../../src/store.ts'
import type { HBaseAdmin } from './admin/hbase-admin.ts'
import { BatchGets } from './batch/batch-gets.ts'
import { runBatch } from './batch/run-batch.ts'
import { joinedResults, ResultCellsReader } from './cells/result-cells.ts'
import type { Cluster } from './locate/cluster.ts'
import { GET } from './messages/get-method.ts'
import { HBaseScanner } from './scan/hbase-scanner.ts'
import { ScanSource } from './scan/scan-source.ts'
import { TableWrites } from './write/table-writes.ts'

export class HBaseStore implements Store {
  readonly kind = 'hbase'
  readonly #cluster: Cluster
  readonly #admin: HBaseAdmin
  readonly #writes: TableWrites

  constructor(cluster: Cluster, admin: HBaseAdmin) {
    this.#cluster = cluster
    this.#admin = admin
    this.#writes = new TableWrites(cluster, async (table) => {
      const { families } = await admin.table(table)
      return families.map(({ name }) => name)
    })
  }

  listNamespaces(): Promise<NamespaceDescriptor[]> {
    return this.#admin.listNamespaces()
  }

  namespace(name: string): Promise<NamespaceDescriptor> {
    return this.#admin.namespace(name)
  }

  createNamespace(namespace: NamespaceDescriptor): Promise<void> {
    return this.#admin.createNamespace(namespace)
  }

  modifyNamespace(namespace: NamespaceDescriptor): Promise<void> {
    return this.#admin.modifyNamespace(namespace)
  }

  deleteNamespace(name: string): Promise<void> {
    return this.#admin.deleteNamespace(name)
  }

  listTables(): Promise<TableDescriptor[]> {
    return this.#admin.listTables()
  }

  table(name: TableName): Promise<TableDescriptor> {
    return this.#admin.table(name)
  }

  tableExists(name: TableName): Promise<boolean> {
    return this.#admin.tableExists(name)
  }

  tableState(name: TableName): Promise<TableState> {
    return this.#admin.tableState(name)
  }

  createTable(table: TableDescriptor, splitKeys: readonly Buffer[]): Promise<void> {
    return this.#admin.createTable(table, splitKeys)
  }

  modifyTable(table: TableDescriptor): Promise<void> {
    return this.#admin.modifyTable(table)
  }

  deleteTable(name: TableName): Promise<void> {
    return this.#admin.deleteTable(name)
  }

  truncateTable(name: TableName, preserveSplits: boolean): Promise<void> {
    return this.#admin.truncateTable(name, preserveSplits)
  }

  enableTable(name: TableName): Promise<void> {
    return this.#admin.enableTable(name)
  }

  disableTable(name: TableName): Promise<void> {
    return this.#admin.disableTable(name)
  }

  regions(name: TableName): Promise<RegionLocation[]> {
    return this.#admin.regions(name)
  }

  flushTable(name: TableName): Promise<void> {
    return this.#admin.flushTable(name)
  }

  async get(table: TableName, gets: readonly Get[]): Promise<Results> {
    const [first] = gets
    if (first === undefined) return NO_RESULTS
    if (gets.length === 1) return this.#getOne(table, first)
    const batch = new BatchGets(table, gets)
    const [failure] = await runBatch(this.#cluster, batch)
    if (failure !== undefined) throw failure.error
    return joinedResults(batch.results)
  }

  async openScanner(table: TableName, scan: Scan): Promise<Scanner> {
    const source = new ScanSource(this.#cluster, table, scan)
    const scanner = new HBaseScanner(source, this.#cluster.options.scannerCachingRows, scan.batch)
    await scanner.open()
    return scanner
  }

  mutate(table: TableName, batch: MutationBatch): Promise<readonly MutationFailure[]> {
    return this.#writes.mutate(table, batch)
  }

  mutateRow(table: TableName, mutation: RowMutation): Promise<RowMutationOutcome> {
    return this.#writes.mutateRow(table, mutation)
  }

  close(): Promise<void> {
    return this.#cluster.close()
  }

  async #getOne(table: TableName, get: Get): Promise<Results> {
    const deadline = this.#cluster.retrier.deadline()
    const { message, cells } = await this.#cluster.onRegion(
      `get of ${table}`,
      table,
      get.row,
      deadline,
      (connection, { name }, { timeoutMs }) => connection.call(GET, { regionName: name, get }, { timeoutMs }),
    )
    return joinedResults([new ResultCellsReader(cells).next(message)])
  }
}
