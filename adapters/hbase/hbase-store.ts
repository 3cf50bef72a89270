/** A real HBase cluster as a Store. It serves the doors as the Java client serves HBase's own gateways. */

import { type MetricReading, readMetrics } from '../../src/model/metric.ts'
import { OWN_CALL } from '../../src/store/call.ts'
import type { Catalog } from '../../src/store/catalog.ts'
import type { Store, StoreDamage } from '../../src/store/store.ts'
import type { Upkeep } from '../../src/store/upkeep.ts'
import type { Cluster } from './cluster/cluster.ts'
import { clusterMetrics } from './cluster-metrics.ts'
import { HBaseRows } from './hbase-rows.ts'
import { HBaseHandouts } from './scan/hbase-handouts.ts'

export class HBaseStore implements Store {
  readonly kind = 'hbase'
  readonly rows: HBaseRows
  readonly handouts: HBaseHandouts = new HBaseHandouts()
  readonly catalog: Catalog
  readonly upkeep: Upkeep
  readonly carriesTags: boolean
  readonly #cluster: Cluster
  #clusterId: string | undefined
  #closed = false

  constructor(cluster: Cluster, catalog: Catalog, upkeep: Upkeep, carriesTags = false) {
    this.rows = new HBaseRows(cluster, this.handouts, (table, call) => catalog.table(table, call))
    this.catalog = catalog
    this.upkeep = upkeep
    this.carriesTags = carriesTags
    this.#cluster = cluster
  }

  async clusterId(): Promise<string> {
    this.#cluster.retrier.checkIsAwaited(OWN_CALL)
    this.#clusterId ??= await this.#cluster.clusterId()
    return this.#clusterId
  }

  async metrics(): Promise<readonly MetricReading[]> {
    return readMetrics(clusterMetrics(this.#cluster))
  }

  async outage(): Promise<string | undefined> {
    if (!(await this.#cluster.lookFirst()))
      return 'the first look at hbase:meta has not ended: the cluster has not answered yet'
    this.#cluster.lookAgain()
    return this.#cluster.outages.reasonOfAll
  }

  async damage(): Promise<readonly StoreDamage[]> {
    return []
  }

  async troubles(): Promise<readonly string[]> {
    return []
  }

  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    this.handouts.close()
    await this.#cluster.close()
  }
}
