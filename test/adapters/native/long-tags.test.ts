/** Cells whose tags, of labels or of permissions, are as long as tags may be: no turn of the event loop takes longer than a tenth of a second. */

import { afterAll, beforeAll, expect, it } from 'vitest'
import { openNativeStore } from '../../../adapters/native/open-native-store.ts'
import { isCoveredBy } from '../../../src/gateway/policies/access/cells/covering-cells.ts'
import { CellType } from '../../../src/model/cell.ts'
import { TagType, tag } from '../../../src/model/cell-tags.ts'
import type { Filter } from '../../../src/model/filter.ts'
import { DEFAULT_MUTATION_OPTIONS, MutationBatch } from '../../../src/model/mutation.ts'
import { get, type Query } from '../../../src/model/query.ts'
import { LATEST_TIMESTAMP } from '../../../src/model/timestamp.ts'
import { visibilityTags } from '../../../src/model/visibility.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import type { Store } from '../../../src/store/store.ts'
import { longestTurnOfBestTry } from '../../harness/longest-turn.ts'
import { CrashableFileSystem } from '../../harness/simulation/crashable-file-system.ts'
import { TABLE, tableOf } from './store-under-test.ts'

const TURN_MS_MAX = 100
const FAMILY = Buffer.from('f')
const LABELLED = Buffer.from('labelled')
const PERMITTED = Buffer.from('permitted')
const COLUMNS = Buffer.from('columns')
const LABELLED_CELLS = 250
const MANY_COLUMNS = 5000
/** Ordinals in an expression that is true of a reader with all of them but the last. */
const ORDINALS = Array.from({ length: 30_000 }, (_, i) => i + 1)

/** UsersAndPermissions: alice may read and write. */
const ACL_OF_ALICE = Buffer.from('0a0f0a05616c6963651206120408000801', 'hex')

let store: Store

function column(index: number): Buffer {
  return Buffer.from(`q${String(index).padStart(6, '0')}`)
}

beforeAll(async () => {
  store = await openNativeStore({
    directory: '/s',
    fileSystem: new CrashableFileSystem(),
    clock: { now: () => 1_700_000_000_000, monotonicMs: () => performance.now() },
    random: Math.random,
  })
  await store.catalog.createTable(tableOf('f'), [], OWN_CALL)
  const batch = new MutationBatch()
  const tags = visibilityTags([ORDINALS.slice(0, 22_000)])
  for (let i = 0; i < LABELLED_CELLS; i++)
    batch
      .put(LABELLED, FAMILY, column(i), Buffer.from('v'))
      .endMutation({ ...DEFAULT_MUTATION_OPTIONS, tags })
  const acl = tag(TagType.Acl, ACL_OF_ALICE)
  const alices = Buffer.alloc(3500 * ACL_OF_ALICE.length, ACL_OF_ALICE)
  for (let i = 0; i < LABELLED_CELLS; i++) {
    // No two are alike, as a decision is remembered.
    const others = Buffer.from(`0a080a06${column(i).subarray(1).toString('hex')}`, 'hex')
    const own = tag(TagType.Acl, Buffer.concat([others, alices]))
    batch
      .put(PERMITTED, FAMILY, column(i), Buffer.from('v'))
      .endMutation({ ...DEFAULT_MUTATION_OPTIONS, tags: own })
  }
  for (let i = 0; i < MANY_COLUMNS; i++) batch.put(COLUMNS, FAMILY, column(i), Buffer.from('v'))
  batch.endMutation({ ...DEFAULT_MUTATION_OPTIONS, tags: acl })
  expect(await store.rows.mutate(TABLE, batch, OWN_CALL)).toEqual([])
})

afterAll(() => store.close())

const ofOthers: Filter = {
  kind: 'AccessControlFilter',
  families: [{ name: FAMILY, maxVersions: 1, readable: [] }],
  names: ['bob'],
}

it.each<readonly [string, Buffer, number, Partial<Query>]>([
  [
    'labels that the reader lacks',
    LABELLED,
    0,
    { visibility: { kind: 'labels', ordinals: ORDINALS.slice(0, 21_000) } },
  ],
  [
    'labels that the reader has',
    LABELLED,
    LABELLED_CELLS,
    { visibility: { kind: 'labels', ordinals: ORDINALS } },
  ],
  ['permissions of others', PERMITTED, 0, { filter: ofOthers }],
])('a get of cells with %s', async (_, row, count, query) => {
  const longest = await longestTurnOfBestTry(TURN_MS_MAX, async () => {
    const { counts } = await store.rows.get(TABLE, [get(row, query)], { bytes: 1 << 28 }, OWN_CALL)
    expect(counts).toEqual([count])
  })
  expect(longest).toBeLessThan(TURN_MS_MAX)
})

it('a change of many columns by somebody whose permissions are those of the cells', async () => {
  const cells = Array.from({ length: MANY_COLUMNS }, (_, i) => ({
    row: COLUMNS,
    family: FAMILY,
    qualifier: column(i),
    timestamp: LATEST_TIMESTAMP,
    type: CellType.Put,
  }))
  const longest = await longestTurnOfBestTry(TURN_MS_MAX, async () => {
    const covering = { row: COLUMNS, kind: 'put', cells, action: 'READ' } as const
    const isCovered = (name: string): Promise<boolean> =>
      isCoveredBy(store, TABLE, covering, [name], OWN_CALL)
    expect([await isCovered('alice'), await isCovered('bob')]).toEqual([true, false])
  })
  expect(longest).toBeLessThan(TURN_MS_MAX)
})
