/** An HBaseStore whose table has three regions on two servers that are not there, and rows to put into it. */

import { ClusterCatalog } from '../../../adapters/hbase/admin/cluster-catalog.ts'
import { Master } from '../../../adapters/hbase/admin/master.ts'
import type { HBaseOptions } from '../../../adapters/hbase/config/hbase-options.ts'
import type { UserPassing } from '../../../adapters/hbase/connections/passed-user.ts'
import { HBaseStore } from '../../../adapters/hbase/hbase-store.ts'
import { familyDescriptor, tableDescriptor } from '../../../src/model/descriptor.ts'
import { MutationBatch } from '../../../src/model/mutation.ts'
import { withMethods } from '../../../src/store/decorate.ts'
import { bytes } from '../../store/suite/store-under-test.ts'
import { FakeCluster, TABLE } from './fake-cluster.ts'

/** Regions up to g, up to p and the rest, on the servers a, b, a. */
export function start(
  options: Partial<HBaseOptions> = {},
  passing?: UserPassing,
): { fake: FakeCluster; store: HBaseStore } {
  const fake = new FakeCluster(options, passing)
  fake.layOut(['g', 'p'], [])
  const described = tableDescriptor(TABLE, [familyDescriptor('f'), familyDescriptor('g')])
  const { cluster } = fake
  const master = new Master(cluster, () => 0)
  const catalog = withMethods(new ClusterCatalog(cluster, master), { table: async () => described })
  return { fake, store: new HBaseStore(cluster, catalog, {}) }
}

export function puts(...rows: string[]): MutationBatch {
  const batch = new MutationBatch()
  for (const row of rows) batch.put(bytes(row), bytes('f'), bytes('q'), bytes(row), 5n).endMutation()
  return batch
}

export function textOf(row: string): string {
  return `${row}/f:q@5=${row}`
}
