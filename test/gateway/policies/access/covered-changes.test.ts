/** Changes by permissions of single cells that look as if they covered fewer cells than they do. */

import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { CellType } from '../../../../src/model/cell.ts'
import { CellBlockBuilder, cellsOf } from '../../../../src/model/cell-block.ts'
import { familyDescriptor, tableDescriptor } from '../../../../src/model/descriptor.ts'
import {
  MutationBatch,
  type RowMutation,
  type RowOperation,
  valueCondition,
} from '../../../../src/model/mutation.ts'
import { get } from '../../../../src/model/query.ts'
import { parseTableName } from '../../../../src/model/table-name.ts'
import { TimeRange } from '../../../../src/model/time-range.ts'
import { LATEST_TIMESTAMP, timestampHigh, timestampLow } from '../../../../src/model/timestamp.ts'
import { OWN_CALL } from '../../../../src/store/call.ts'
import { aclBytes } from '../../../harness/access/acl-bytes.ts'
import { SUPERUSER } from '../../../harness/access/people.ts'
import { type AuthorizedServer, callOf, startAuthorizedServer } from './authorized-server.ts'

const TABLE = parseTableName('t')
const [ROW, F, Q] = [Buffer.from('r'), Buffer.from('f'), Buffer.from('q')] as const
const USER = 'mallory'
const DENIED = { javaClass: 'org.apache.hadoop.hbase.security.AccessDeniedException' }
const PLAIN = { durability: 'USE_DEFAULT' } as const
const OWN = { ...PLAIN, attributes: new Map([['acl', aclBytes({ [USER]: 'RW' })]]) }
const [OLDER, NEWER, TO_COME] = [5n, 10n, 99_999_999_999_999n] as const
const OLD = TimeRange.between(0n, OLDER + 1n)

let server: AuthorizedServer
beforeEach(async () => {
  server = await startAuthorizedServer()
  const families = [familyDescriptor('f', [['VERSIONS', '3']])]
  const attributes = [['hbase.security.access.early_out', 'false']] as const
  await server.store.catalog.createTable(tableDescriptor(TABLE, families, attributes), [], OWN_CALL)
})
afterEach(() => server.close())

/** A version that the user may read and write, or one that he may not. */
async function has(timestamp: bigint, whose: 'own' | 'others'): Promise<void> {
  const value = Buffer.alloc(8, Number(timestamp % 100n))
  const batch = new MutationBatch().put(ROW, F, Q, value, timestamp)
  batch.endMutation(whose === 'own' ? OWN : PLAIN)
  expect(await server.store.rows.mutate(TABLE, batch, callOf(SUPERUSER))).toEqual([])
}

async function times(): Promise<bigint[]> {
  const asked = get(ROW, { maxVersions: 9 })
  const { cells } = await server.store.rows.get(TABLE, [asked], { bytes: 1e6 }, callOf(SUPERUSER))
  return cellsOf(cells).map(({ timestamp }) => timestamp)
}

type Written = readonly [type: number, timestamp: bigint]

function written(...cells: readonly Written[]) {
  const builder = new CellBlockBuilder()
  for (const [type, time] of cells) {
    const isOfFamily = type === CellType.DeleteFamily
    const qualifier = isOfFamily ? Buffer.alloc(0) : Q
    builder.append(ROW, F, qualifier, timestampHigh(time), timestampLow(time), type, Buffer.alloc(8))
  }
  return builder.block()
}

function changed(operation: RowOperation, condition?: RowMutation['condition']): Promise<unknown> {
  const mutation = { row: ROW, operations: [operation], condition, options: PLAIN }
  return server.store.rows.mutateRow(TABLE, mutation, callOf(USER))
}

function mutated(...cells: readonly Written[]): Promise<unknown> {
  return changed({ kind: 'mutate', cells: written(...cells) })
}

describe('a deletion', () => {
  test('up to a time to come asks for what is there until then', async () => {
    await has(OLDER, 'own')
    await has(TO_COME, 'others')
    for (const time of [TO_COME, TO_COME + 1n, LATEST_TIMESTAMP - 1n])
      await expect(mutated([CellType.DeleteFamily, time])).rejects.toMatchObject(DENIED)
    expect(await times()).toEqual([TO_COME, OLDER])
    await mutated([CellType.DeleteFamily, LATEST_TIMESTAMP])
    expect(await times()).toEqual([TO_COME])
  })

  test('that names a column twice asks for all that either covers', async () => {
    await has(OLDER, 'own')
    await has(NEWER, 'others')
    const both: Written[] = [
      [CellType.Delete, OLDER],
      [CellType.DeleteColumn, LATEST_TIMESTAMP],
    ]
    await expect(mutated(...both)).rejects.toMatchObject(DENIED)
    await expect(mutated(...both.toReversed())).rejects.toMatchObject(DENIED)
    await mutated(both[0]!)
    expect(await times()).toEqual([NEWER])
  })

  test('of the newest version, twice, asks for the two newest', async () => {
    await has(OLDER, 'others')
    await has(NEWER, 'own')
    const newest: Written = [CellType.Delete, LATEST_TIMESTAMP]
    await expect(mutated(newest, newest)).rejects.toMatchObject(DENIED)
    await mutated(newest)
    expect(await times()).toEqual([OLDER])
  })

  test('among puts is one', async () => {
    await has(OLDER, 'others')
    await has(NEWER, 'own')
    const put: Written = [CellType.Put, LATEST_TIMESTAMP]
    for (const type of [CellType.DeleteColumn, CellType.DeleteFamily])
      await expect(mutated(put, [type, NEWER])).rejects.toMatchObject(DENIED)
    expect(await times()).toEqual([NEWER, OLDER])
  })
})

describe('the value at an earlier time is not revealed', () => {
  beforeEach(async () => {
    await has(OLDER, 'others')
    await has(NEWER, 'own')
  })

  test('by a condition', async () => {
    const asked = valueCondition(F, Q, 'EQUAL', Buffer.alloc(8, Number(NEWER)))
    const put: RowOperation = { kind: 'mutate', cells: written([CellType.Put, NEWER]) }
    await expect(changed(put, { ...asked, timeRange: OLD })).rejects.toMatchObject(DENIED)
    expect(await changed(put, asked)).toMatchObject({ applied: true })
  })

  test.each(['increment', 'append'] as const)('by an %s', async (kind) => {
    const cells = written([CellType.Put, LATEST_TIMESTAMP])
    await expect(changed({ kind, cells, timeRange: OLD })).rejects.toMatchObject(DENIED)
    await changed({ kind, cells })
  })
})
