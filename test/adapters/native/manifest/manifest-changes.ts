/** Each kind of edit of the manifest, made through the store, for tests of what a failing disk makes of it. */

import { tableDescriptor } from '../../../../src/model/descriptor.ts'
import { parseTableName } from '../../../../src/model/table-name.ts'
import { OWN_CALL } from '../../../../src/store/call.ts'
import { compactTable } from '../../../store/suite/store-under-test.ts'
import { numbered, type StoreUnderTest, TABLE, tableOf } from '../store-under-test.ts'

export interface ManifestChange {
  readonly name: string
  readonly prepare?: (session: StoreUnderTest) => Promise<unknown>
  readonly run: (session: StoreUnderTest) => Promise<unknown>
  /** Whether cells go if the edit counts: then the regions take no writes in the doubt. */
  readonly retires?: boolean
  /** Whether the table has no rows afterwards, or is not there. */
  readonly empties?: boolean
}

const COPY = parseTableName('copy')

async function regionNames({ store }: StoreUnderTest): Promise<Buffer[]> {
  return (await store.catalog.regions(TABLE, OWN_CALL)).map(({ name }) => name)
}

const flush = (session: StoreUnderTest): Promise<void> => session.flush()
const disable = ({ store }: StoreUnderTest): Promise<void> => store.catalog.disableTable(TABLE, OWN_CALL)
const snapshot = ({ store }: StoreUnderTest): Promise<void> =>
  store.upkeep.snapshots!.createSnapshot('s', TABLE, 'FLUSH', OWN_CALL)

/** The table `t` has the families f and g, and regions from the beginning and from `m`. */
export const MANIFEST_CHANGES: readonly ManifestChange[] = [
  {
    name: 'split',
    prepare: flush,
    run: ({ store }) => store.upkeep.regions!.splitTable(TABLE, Buffer.from('f'), OWN_CALL),
    retires: true,
  },
  {
    name: 'merge',
    prepare: flush,
    run: async (session) =>
      session.store.upkeep.regions!.mergeRegions(await regionNames(session), false, OWN_CALL),
    retires: true,
  },
  {
    name: 'truncateRegion',
    prepare: flush,
    run: async (session) => {
      const [first] = await regionNames(session)
      await session.store.upkeep.regions!.truncateRegion(first!, OWN_CALL)
    },
    retires: true,
    empties: true,
  },
  {
    name: 'truncateTable',
    prepare: disable,
    run: ({ store }) => store.catalog.truncateTable(TABLE, true, OWN_CALL),
    empties: true,
  },
  {
    name: 'deleteTable',
    prepare: disable,
    run: ({ store }) => store.catalog.deleteTable(TABLE, OWN_CALL),
    empties: true,
  },
  {
    name: 'modifyTable, which removes a family',
    prepare: flush,
    run: ({ store }) => store.catalog.modifyTable(tableOf('f'), OWN_CALL),
    retires: true,
  },
  {
    name: 'modifyTable, which adds a family',
    prepare: flush,
    run: ({ store }) => store.catalog.modifyTable(tableOf('f', 'g', 'h'), OWN_CALL),
  },
  { name: 'disableTable', prepare: flush, run: disable },
  { name: 'enableTable', prepare: disable, run: ({ store }) => store.catalog.enableTable(TABLE, OWN_CALL) },
  {
    name: 'createTable',
    run: ({ store }) => store.catalog.createTable(tableDescriptor(COPY, tableOf('f').families), [], OWN_CALL),
  },
  {
    name: 'createNamespace',
    run: ({ store }) => store.catalog.createNamespace({ name: 'n', properties: new Map() }, OWN_CALL),
  },
  {
    name: 'deleteNamespace',
    prepare: ({ store }) => store.catalog.createNamespace({ name: 'n', properties: new Map() }, OWN_CALL),
    run: ({ store }) => store.catalog.deleteNamespace('n', OWN_CALL),
  },
  { name: 'flush', run: (session) => session.flush() },
  {
    name: 'compaction',
    prepare: async (session) => {
      for (const row of ['a1', 'a2', 'a3', 'a4']) {
        await session.put([row])
        await session.flush()
      }
    },
    run: ({ store }) => compactTable(store, TABLE, { major: true }),
  },
  { name: 'createSnapshot', prepare: flush, run: snapshot },
  {
    name: 'deleteSnapshot',
    prepare: snapshot,
    run: ({ store }) => store.upkeep.snapshots!.deleteSnapshot('s', OWN_CALL),
  },
  {
    name: 'restoreSnapshot',
    prepare: async (session) => {
      await snapshot(session)
      await session.put(['later'])
      await disable(session)
    },
    run: ({ store }) => store.upkeep.snapshots!.restoreSnapshot('s', OWN_CALL),
    empties: true,
  },
  {
    name: 'cloneSnapshot',
    prepare: snapshot,
    run: ({ store }) => store.upkeep.snapshots!.cloneSnapshot('s', COPY, OWN_CALL),
  },
  {
    name: 'unassignRegion',
    prepare: flush,
    run: async (session) => {
      const [first] = await regionNames(session)
      await session.store.upkeep.regions!.unassignRegion(first!, OWN_CALL)
    },
  },
  { name: 'a switch', run: ({ store }) => store.upkeep.switches!.turn('split', false, OWN_CALL) },
  {
    name: 'the next file of the log',
    run: async (session) => {
      for (const row of numbered(60)) await session.put([row], { value: 'v'.repeat(100) })
    },
  },
]
