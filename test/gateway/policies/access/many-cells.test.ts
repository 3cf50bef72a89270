/** Changes of very many cells whose labels and permissions are looked at: no turn of the event loop takes longer than a tenth of a second. */

import { afterAll, beforeAll, expect, test } from 'vitest'
import { openNativeStore } from '../../../../adapters/native/open-native-store.ts'
import { CellType } from '../../../../src/model/cell.ts'
import { CellBlockBuilder } from '../../../../src/model/cell-block.ts'
import { familyDescriptor, tableDescriptor } from '../../../../src/model/descriptor.ts'
import { DEFAULT_MUTATION_OPTIONS, MutationBatch, type RowMutation } from '../../../../src/model/mutation.ts'
import { parseTableName } from '../../../../src/model/table-name.ts'
import { LATEST_HIGH, LATEST_LOW } from '../../../../src/model/timestamp.ts'
import { OWN_CALL } from '../../../../src/store/call.ts'
import type { Store } from '../../../../src/store/store.ts'
import { aclBytes } from '../../../harness/access/acl-bytes.ts'
import { visibility } from '../../../harness/labels/asking.ts'
import { longestTurnOfBestTry } from '../../../harness/longest-turn.ts'
import { CrashableFileSystem } from '../../../harness/simulation/crashable-file-system.ts'
import { labelledStore } from '../labels/labelled-server.ts'
import { authorizedStore, callOf } from './authorized-server.ts'

const TURN_MS_MAX = 100
const CELLS = 100_000
const TABLE = parseTableName('t')
const [ROW, FAMILY, VALUE] = [Buffer.from('r'), Buffer.from('f'), Buffer.from('v')] as const
const USER = 'alice'

let own: Store
let authorized: Store
let labelled: Store

function column(index: number): Buffer {
  return Buffer.from(`q${String(index).padStart(6, '0')}`)
}

function row(index: number): Buffer {
  return Buffer.from(`r${String(index).padStart(6, '0')}`)
}

function manyColumns(options = DEFAULT_MUTATION_OPTIONS): RowMutation {
  const cells = new CellBlockBuilder(CELLS * 48)
  for (let i = 0; i < CELLS; i++)
    cells.append(ROW, FAMILY, column(i), LATEST_HIGH, LATEST_LOW, CellType.Put, VALUE)
  return { row: ROW, operations: [{ kind: 'mutate', cells: cells.block() }], options }
}

beforeAll(async () => {
  own = await openNativeStore({
    directory: '/s',
    fileSystem: new CrashableFileSystem(),
    clock: { now: () => 1_700_000_000_000, monotonicMs: () => performance.now() },
    random: Math.random,
    options: { visibilityLabels: true },
  })
  const attributes = [['hbase.security.access.early_out', 'false']] as const
  await own.catalog.createTable(tableDescriptor(TABLE, [familyDescriptor('f')], attributes), [], OWN_CALL)
  authorized = await authorizedStore(own)
  const labels = await labelledStore(own)
  await labels.upkeep.labels!.addLabels([Buffer.from('secret')], OWN_CALL)
  labelled = labels
})
afterAll(() => own.close())

test('puts with a visibility expression', async () => {
  const batch = new MutationBatch(CELLS * 48)
  for (let i = 0; i < CELLS; i++)
    batch.put(row(i), FAMILY, column(0), VALUE).endMutation(visibility('secret'))
  const longest = await longestTurnOfBestTry(TURN_MS_MAX, async () => {
    expect(await labelled.rows.mutate(TABLE, batch, callOf('super'))).toEqual([])
  })
  expect(longest).toBeLessThan(TURN_MS_MAX)
}, 60_000)

test('columns whose cells let the user change them', async () => {
  const acl = new Map([['acl', aclBytes({ [USER]: 'RW' })]])
  const mutation = manyColumns({ ...DEFAULT_MUTATION_OPTIONS, attributes: acl })
  await authorized.rows.mutateRow(TABLE, mutation, callOf('super'))
  const longest = await longestTurnOfBestTry(TURN_MS_MAX, async () => {
    const { applied } = await authorized.rows.mutateRow(TABLE, mutation, callOf(USER))
    expect(applied).toBe(true)
  })
  expect(longest).toBeLessThan(TURN_MS_MAX)
}, 60_000)
