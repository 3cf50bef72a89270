import { Cluster } from '../../../../adapters/hbase/cluster/cluster.ts'
import { DEFAULT_HBASE_OPTIONS } from '../../../../adapters/hbase/config/hbase-options.ts'
import { regionName } from '../../../../src/model/region-name.ts'
import { parseTableName, type TableName } from '../../../../src/model/table-name.ts'
import { FakeMaster } from '../admin/fake-master.ts'
import { FakeMeta, type MetaRegion } from '../cluster/fake-meta.ts'
import { ManualTime } from '../retry/manual-time.ts'

export const T: TableName = parseTableName('t')
export const REGION_ID = 1_700_000_000_000

export const FINISHED: { readonly state: number } = { state: 2 }
export const RUNNING: { readonly state: number } = { state: 1 }

/** A cluster whose hbase:meta is a list and whose master and region servers give scripted answers. */
export class FakeServers {
  readonly time: ManualTime = new ManualTime()
  readonly meta: FakeMeta = new FakeMeta()
  /** The MasterService of the active master. */
  readonly master: FakeMaster = new FakeMaster()
  /** The AdminService of each server: by its host. */
  readonly admin: Readonly<Record<string, FakeMaster>> = { a: new FakeMaster(), b: new FakeMaster() }
  readonly cluster: Cluster

  constructor(regions: readonly MetaRegion[]) {
    this.meta.regions = regions
    this.meta.states.set('t', 'ENABLED')
    this.cluster = new Cluster({
      cluster: { registry: 'bootstrap', servers: [{ host: 'seed', port: 1 }], znodeParent: '/hbase' },
      options: DEFAULT_HBASE_OPTIONS,
      user: 'u',
      time: this.time,
      random: () => 0,
      connect: async ({ host, service }) => {
        if (service === 'MasterService') return this.master
        return service === 'AdminService' ? this.admin[host]! : this.meta
      },
    })
  }
}

/** The names of a region of `t`. */
export function named(startKey: string): { readonly name: Buffer; readonly encodedName: string } {
  return regionName(T, Buffer.from(startKey), REGION_ID)
}
