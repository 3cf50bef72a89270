/** A real HBase cluster behind the seam: what the Java client is to HBase's own gateways. */

import type { Scanner } from '../../src/gateway/scanner.ts'
import type { Maintenance } from '../../src/maintenance.ts'
import type { NamespaceDescriptor, TableDescriptor } from '../../src/model/descriptor.ts'
import { HBaseError } from '../../src/model/errors.ts'
import type { Metric } from '../../src/model/metric.ts'
import type { MutationBatch, RowMutation } from '../../src/model/mutation.ts'
import type { Get, Scan } from '../../src/model/query.ts'
import { NO_RESULTS, type Results } from '../../src/model/results.ts'
import type { TableName } from '../../src/model/table-name.ts'
import type { RegionLocation, TableState } from '../../src/store/catalog.ts'
import type { MutationFailure, RowMutationOutcome } from '../../src/store/rows.ts'
import type { Store } from '../../src/store/store.ts'
import type { HBaseAdmin } from './admin/hbase-admin.ts'
import { BatchGets } from './batch/batch-gets.ts'
import { runBatch } from './batch/run-batch.ts'
import { SharedCalls } from './batch/shared-calls.ts'
import { getOf, SHARED_GETS } from './batch/shared-gets.ts'
import { joinedResults } from './cells/result-cells.ts'
import type { Cluster } from './cluster/cluster.ts'
import { clusterMetrics } from './cluster-metrics.ts'
import { HBaseScanner } from './scan/hbase-scanner.ts'
import { ReadAhead } from './scan/read-ahead.ts'
import { ScanSource } from './scan/scan-source.ts'
import { TableWrites } from './write/table-writes.ts'

export class HBaseStore implements Store {
  readonly kind = 'hbase'
  readonly metrics: readonly Metric[]
  readonly maintenance: Maintenance
  readonly #cluster: Cluster
  readonly #admin: HBaseAdmin
  readonly #writes: TableWrites
  readonly #readAhead = new ReadAhead()
  readonly #gets = new SharedCalls(SHARED_GETS)
  #closed = false

  constructor(cluster: Cluster, admin: HBaseAdmin, maintenance: Maintenance) {
    this.metrics = clusterMetrics(cluster)
    this.maintenance = maintenance
    this.#cluster = cluster
    this.#admin = admin
    this.#writes = new TableWrites(cluster, (table) => admin.table(table))
  }

  async listNamespaces(): Promise<NamespaceDescriptor[]> {
    return this.#openAdmin().listNamespaces()
  }

  async namespace(name: string): Promise<NamespaceDescriptor> {
    return this.#openAdmin().namespace(name)
  }

  async createNamespace(namespace: NamespaceDescriptor): Promise<void> {
    return this.#openAdmin().createNamespace(namespace)
  }

  async modifyNamespace(namespace: NamespaceDescriptor): Promise<void> {
    return this.#openAdmin().modifyNamespace(namespace)
  }

  async deleteNamespace(name: string): Promise<void> {
    return this.#openAdmin().deleteNamespace(name)
  }

  async listTables(): Promise<TableDescriptor[]> {
    return this.#openAdmin().listTables()
  }

  async table(name: TableName): Promise<TableDescriptor> {
    return this.#openAdmin().table(name)
  }

  async tableExists(name: TableName): Promise<boolean> {
    return this.#openAdmin().tableExists(name)
  }

  async tableState(name: TableName): Promise<TableState> {
    return this.#openAdmin().tableState(name)
  }

  async createTable(table: TableDescriptor, splitKeys: readonly Buffer[]): Promise<void> {
    return this.#openAdmin().createTable(table, splitKeys)
  }

  async modifyTable(table: TableDescriptor): Promise<void> {
    return this.#openAdmin().modifyTable(table)
  }

  async deleteTable(name: TableName): Promise<void> {
    return this.#openAdmin().deleteTable(name)
  }

  async truncateTable(name: TableName, preserveSplits: boolean): Promise<void> {
    return this.#openAdmin().truncateTable(name, preserveSplits)
  }

  async enableTable(name: TableName): Promise<void> {
    return this.#openAdmin().enableTable(name)
  }

  async disableTable(name: TableName): Promise<void> {
    return this.#openAdmin().disableTable(name)
  }

  async regions(name: TableName): Promise<RegionLocation[]> {
    return this.#openAdmin().regions(name)
  }

  async flushTable(name: TableName): Promise<void> {
    return this.#openAdmin().flushTable(name)
  }

  async get(table: TableName, gets: readonly Get[]): Promise<Results> {
    this.#checkOpen()
    const [first] = gets
    if (first === undefined) {
      await this.#cluster.checkEnabled(table)
      return NO_RESULTS
    }
    if (gets.length === 1) return this.#getOne(table, first)
    const batch = new BatchGets(table, gets)
    const [failure] = await runBatch(this.#cluster, batch)
    if (failure !== undefined) throw failure.error
    return joinedResults(batch.results)
  }

  async openScanner(table: TableName, scan: Scan): Promise<Scanner> {
    this.#checkOpen()
    const scanner = new HBaseScanner({
      source: new ScanSource(this.#cluster, table, scan),
      batch: scan.batch,
      rowsMax: this.#cluster.options.scannerCachingRows,
      readAhead: this.#readAhead,
    })
    await scanner.open()
    return scanner
  }

  async mutate(table: TableName, batch: MutationBatch): Promise<readonly MutationFailure[]> {
    this.#checkOpen()
    return this.#writes.mutate(table, batch)
  }

  async mutateRow(table: TableName, mutation: RowMutation): Promise<RowMutationOutcome> {
    this.#checkOpen()
    return this.#writes.mutateRow(table, mutation)
  }

  outage(): string | undefined {
    this.#cluster.lookAgain()
    return this.#cluster.outages.reasonOfAll
  }

  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    await this.#cluster.close()
  }

  #checkOpen(): void {
    if (this.#closed) throw new HBaseError('UNAVAILABLE', 'the store is closed')
  }

  #openAdmin(): HBaseAdmin {
    this.#checkOpen()
    return this.#admin
  }

  async #getOne(table: TableName, get: Get): Promise<Results> {
    const deadline = this.#cluster.retrier.deadline()
    const result = await this.#cluster.onRegion(
      `get of ${table}`,
      table,
      get.row,
      deadline,
      (connection, region, attempt) => this.#gets.call(connection, getOf(region, get), attempt),
    )
    return joinedResults([result])
  }
}
