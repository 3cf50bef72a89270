/** Tags of cells of a running HBase, which TIDEGATE_REAL_HBASE names by its ports, as zookeeper:PORT,... */

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openScanner } from '../../../../src/gateway/reads/scanner.ts'
import { type CellBlock, cellsOf } from '../../../../src/model/cell-block.ts'
import { tag } from '../../../../src/model/cell-tags.ts'
import { familyDescriptor, tableDescriptor } from '../../../../src/model/descriptor.ts'
import { DEFAULT_MUTATION_OPTIONS, MutationBatch } from '../../../../src/model/mutation.ts'
import { get, scan } from '../../../../src/model/query.ts'
import { gathered } from '../../../../src/model/results.ts'
import { parseTableName } from '../../../../src/model/table-name.ts'
import { type Call, OWN_CALL } from '../../../../src/store/call.ts'
import type { Store } from '../../../../src/store/store.ts'
import { increment } from '../../../store/suite/row-operations.ts'
import { bytes, NO_GET_LIMITS, NO_LIMITS } from '../../../store/suite/store-under-test.ts'
import { openLive, zookeeper } from '../live-store.ts'

const TABLE = parseTableName(`clients_tags_${process.pid}`)
const OWN = tag(65, bytes('own'))
const TAGGED: Call = { ...OWN_CALL, withTags: true }

/** Row and tags of each cell. */
function tagsOf(cells: CellBlock): string[] {
  return cellsOf(cells).map(({ row, tags }) => `${row.toString()} ${(tags ?? bytes('')).toString('latin1')}`)
}

describe.skipIf(zookeeper === undefined)('tags of a live cluster', { timeout: 60_000 }, () => {
  let store: Store

  beforeAll(async () => {
    store = await openLive()
    await store.catalog.createTable(tableDescriptor(TABLE, [familyDescriptor('f')]), [], OWN_CALL)
  }, 60_000)

  afterAll(async () => {
    await store.catalog.disableTable(TABLE, OWN_CALL)
    await store.catalog.deleteTable(TABLE, OWN_CALL)
    await store.close()
  }, 60_000)

  async function put(call: Call, ...rows: readonly string[]): Promise<void> {
    const batch = new MutationBatch()
    for (const row of rows) {
      const prefix = batch.cells.length
      batch.put(bytes(row), bytes('f'), bytes('q'), bytes('v'), 5n)
      batch.cells.appendTags(prefix, OWN)
      batch.endMutation()
    }
    expect(await store.rows.mutate(TABLE, batch, call)).toEqual([])
  }

  async function read(call: Call): Promise<string[][]> {
    const { withTags } = call
    const gets = ['a', 'b', 'c'].map((row) => get(bytes(row), { withTags }))
    const one = await store.rows.get(TABLE, gets.slice(0, 1), NO_GET_LIMITS, call)
    const several = await store.rows.get(TABLE, gets, NO_GET_LIMITS, call)
    const scanner = await openScanner(store, TABLE, scan({ withTags }), call)
    const scanned = gathered((await scanner.next(NO_LIMITS, call)).results)
    await scanner.close()
    return [one, several, scanned].map(({ cells }) => tagsOf(cells))
  }

  test('come and go with the calls that have them', async () => {
    await put(TAGGED, 'a')
    await put(TAGGED, 'b', 'c')
    const own = OWN.toString('latin1')
    const [a, b, c] = ['a', 'b', 'c'].map((row) => `${row} ${own}`)
    expect(await read(TAGGED)).toEqual([[a], [a, b, c], [a, b, c]])
    expect(await read(OWN_CALL)).toEqual([['a '], ['a ', 'b ', 'c '], ['a ', 'b ', 'c ']])
    const operations = [increment('d', 'f:n', 1n)]
    const options = { ...DEFAULT_MUTATION_OPTIONS, ttlMs: 3_600_000 }
    await store.rows.mutateRow(TABLE, { row: bytes('d'), operations, options }, TAGGED)
    const life = Buffer.alloc(8)
    life.writeBigInt64BE(3_600_000n)
    const { cells } = await store.rows.get(TABLE, [get(bytes('d'))], NO_GET_LIMITS, TAGGED)
    expect(tagsOf(cells)).toEqual([`d ${tag(8, life).toString('latin1')}`])
  })
})
