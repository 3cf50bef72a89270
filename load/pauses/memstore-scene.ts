/** A memstore of a million cells and more, which nothing has flushed. */

import { familyDescriptor, tableDescriptor } from '../../src/model/descriptor.ts'
import { MutationBatch } from '../../src/model/mutation.ts'
import { ALL_VERSIONS } from '../../src/model/query.ts'
import { OWN_CALL } from '../../src/store/call.ts'
import { batch, put, reads, scans } from './asking.ts'
import { FAMILY, numbered, QUALIFIER, ROWS } from './attacked-table.ts'
import type { Attacked, HostileRequest, Scene } from './scene.ts'

const ROWS_A_BATCH = 20_000

async function prepare({ store, table, sizes }: Attacked): Promise<void> {
  await store.catalog.createTable(
    tableDescriptor(table, [familyDescriptor('f', [['VERSIONS', '3']])]),
    [],
    OWN_CALL,
  )
  const made = new MutationBatch()
  made.put(ROWS.small, FAMILY, QUALIFIER, QUALIFIER).endMutation()
  await store.rows.mutate(table, made, OWN_CALL)
  for (let from = 0; from < sizes.widerColumns; from += ROWS_A_BATCH) {
    const some = new MutationBatch()
    for (let i = from; i < Math.min(sizes.widerColumns, from + ROWS_A_BATCH); i++)
      some.put(numbered('row', (i * 7919) % sizes.widerColumns), FAMILY, QUALIFIER, QUALIFIER).endMutation()
    await store.rows.mutate(table, some, OWN_CALL)
  }
}

const requests: readonly HostileRequest[] = [
  { name: 'scan: a million cells of a memstore', send: (attacked) => scans(attacked, {}) },
  { name: 'scan, reversed: a million cells', send: (attacked) => scans(attacked, { reversed: true }) },
  {
    name: 'scan: the last row but its column is missing',
    send: (attacked) => scans(attacked, { columns: [{ family: FAMILY, qualifiers: [Buffer.from('none')] }] }),
  },
  {
    name: 'put: 100,000 rows of them again',
    send: (attacked) =>
      batch(attacked, (made) => {
        for (let i = 0; i < attacked.sizes.counters; i++)
          made.put(numbered('row', i), FAMILY, QUALIFIER, QUALIFIER).endMutation()
      }),
  },
  {
    name: 'delete: 100,000 rows of them',
    send: (attacked) =>
      batch(attacked, (made) => {
        for (let i = 0; i < attacked.sizes.counters; i++) made.deleteRow(numbered('row', i)).endMutation()
      }),
  },
  {
    name: 'scan: all versions',
    send: (attacked) => scans(attacked, { maxVersions: ALL_VERSIONS }),
  },
  {
    name: 'RowMutations: 300,000 columns beside a million cells',
    send: async ({ store, table, sizes }) => {
      const operations = [put(ROWS.wide, sizes.wideColumns)]
      const mutation = { row: ROWS.wide, operations, options: { durability: 'USE_DEFAULT' } } as const
      return (await store.rows.mutateRow(table, mutation, OWN_CALL)).applied ? 'applied' : 'not applied'
    },
  },
  { name: 'get: the columns', send: (attacked) => reads(attacked, ROWS.wide, {}) },
  {
    name: 'snapshot: with a flush of a million cells',
    send: async ({ store, table }) => {
      await store.upkeep.snapshots!.createSnapshot('memstore', table, 'FLUSH', OWN_CALL)
      return 'done'
    },
  },
  {
    name: 'flush: 300,000 columns again',
    send: async ({ store, table, sizes }) => {
      const operations = [put(ROWS.wider, sizes.wideColumns)]
      const mutation = { row: ROWS.wider, operations, options: { durability: 'USE_DEFAULT' } } as const
      await store.rows.mutateRow(table, mutation, OWN_CALL)
      await store.upkeep.flushes!.flushTable(table, OWN_CALL)
      return 'done'
    },
  },
  {
    name: 'disable and enable: a million cells in a file',
    send: async ({ store, table }) => {
      await store.catalog.disableTable(table, OWN_CALL)
      await store.catalog.enableTable(table, OWN_CALL)
      return 'done'
    },
  },
]

export const MEMSTORE_SCENE: Scene = {
  name: 'memstore',
  args: ['-D', 'hbase.hregion.memstore.flush.size=1073741824'],
  isOfHBase: false,
  prepare,
  requests,
}
