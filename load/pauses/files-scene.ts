/** A region of very many store files, as a table has whose compactions are off. */

import { familyDescriptor, type TableDescriptor, tableDescriptor } from '../../src/model/descriptor.ts'
import { MutationBatch } from '../../src/model/mutation.ts'
import type { TableName } from '../../src/model/table-name.ts'
import { OWN_CALL } from '../../src/store/call.ts'
import { changes, put, reads, scans } from './asking.ts'
import { FAMILY, numbered, QUALIFIER, ROWS } from './attacked-table.ts'
import type { Attacked, HostileRequest, Scene } from './scene.ts'

const COMPACTION_MS = 20_000

function described(table: TableName, attributes: [string, string][]): TableDescriptor {
  return tableDescriptor(table, [familyDescriptor('f')], attributes)
}

const CLOSED: [string, string] = ['COMPACTION_ENABLED', 'false']

async function putOne({ store, table }: Attacked, row: Buffer): Promise<void> {
  const made = new MutationBatch()
  made.put(row, FAMILY, QUALIFIER, QUALIFIER).endMutation()
  const [failure] = await store.rows.mutate(table, made, OWN_CALL)
  if (failure !== undefined) throw failure.error
}

async function prepare(attacked: Attacked): Promise<void> {
  const { store, table, sizes } = attacked
  await store.catalog.createTable(described(table, [CLOSED]), [], OWN_CALL)
  for (let file = 0; file < sizes.files; file++) {
    await putOne(attacked, numbered('row', file))
    await store.upkeep.flushes!.flushTable(table, OWN_CALL)
  }
  await putOne(attacked, ROWS.small)
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

const requests: readonly HostileRequest[] = [
  { name: 'get: a row of one of 5,000 files', send: (attacked) => reads(attacked, numbered('row', 7), {}) },
  { name: 'scan: all of 5,000 files', send: (attacked) => scans(attacked, {}) },
  { name: 'scan, reversed: all of 5,000 files', send: (attacked) => scans(attacked, { reversed: true }) },
  {
    name: 'check and mutate: a row of one of 5,000 files',
    send: (attacked) =>
      changes(attacked, numbered('row', 7), put(numbered('row', 7), 1), {
        kind: 'PrefixFilter',
        prefix: Buffer.from('row'),
      }),
  },
  {
    name: 'snapshot: 5,000 files',
    send: async ({ store, table }) => {
      await store.upkeep.snapshots!.createSnapshot('files', table, 'FLUSH', OWN_CALL)
      return 'done'
    },
  },
  {
    name: 'split: a region of 5,000 files',
    send: async ({ store, table, sizes }) => {
      await store.upkeep.regions!.splitTable(table, numbered('row', Math.floor(sizes.files / 2)), OWN_CALL)
      return 'done'
    },
  },
  {
    name: 'merge: two regions of 5,000 files',
    send: async ({ store, table }) => {
      const regions = await store.catalog.regions(table, OWN_CALL)
      await store.upkeep.regions!.mergeRegions(
        regions.map(({ name }) => name),
        false,
        OWN_CALL,
      )
      return `${regions.length} regions`
    },
  },
  {
    name: 'disable and enable: 5,000 files',
    send: async ({ store, table }) => {
      await store.catalog.disableTable(table, OWN_CALL)
      await store.catalog.enableTable(table, OWN_CALL)
      return 'done'
    },
  },
  {
    name: 'clone: a snapshot of 5,000 files',
    send: async ({ store }) => {
      const clone = `cloned${process.pid}` as TableName
      await store.upkeep.snapshots!.cloneSnapshot('files', clone, OWN_CALL)
      await store.catalog.disableTable(clone, OWN_CALL)
      await store.catalog.deleteTable(clone, OWN_CALL)
      return 'done'
    },
  },
  {
    name: 'compactions begin: 5,000 files, of which any number go together',
    send: async ({ store, table }) => {
      await store.catalog.modifyTable(described(table, [['hbase.hstore.compaction.max', '100000']]), OWN_CALL)
      await store.upkeep.compactions!.compactTable(table, { major: false }, OWN_CALL)
      await wait(COMPACTION_MS)
      return store.upkeep.compactions!.compactionState(table, OWN_CALL)
    },
  },
  {
    name: 'compaction: what is left of 5,000 files',
    send: async ({ store, table }) => {
      await store.upkeep.compactions!.compactTable(table, { major: true }, OWN_CALL)
      while ((await store.upkeep.compactions!.compactionState(table, OWN_CALL)) !== 'NONE') await wait(500)
      return 'done'
    },
  },
]

export const FILES_SCENE: Scene = { name: 'files', args: [], isOfHBase: false, prepare, requests }
