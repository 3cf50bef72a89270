/** A running HBase is compared with a store here: TIDEGATE_REAL_HBASE names its ports, as zookeeper:PORT,... */

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openMemoryStore } from '../../../adapters/memory/memory-store.ts'
import { type CellParts, CellType } from '../../../src/model/cell.ts'
import { familyDescriptor, tableDescriptor } from '../../../src/model/descriptor.ts'
import { parseTableName } from '../../../src/model/table-name.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import type { Store } from '../../../src/store/store.ts'
import { openLive, zookeeper } from '../../adapters/hbase/live-store.ts'
import { bytes } from '../../store/suite/store-under-test.ts'
import { trueDifferences, verified, write } from './two-stores.ts'

const TABLE = parseTableName(`verified_${process.pid}`)

function cell(row: string, qualifier: string, timestamp: bigint, value: string, type: number): CellParts {
  return {
    row: Buffer.from(row, 'latin1'),
    family: bytes('f'),
    qualifier: Buffer.from(qualifier, 'latin1'),
    timestamp,
    type,
    value: Buffer.from(value, 'latin1'),
  }
}

/** Keys of any bytes, versions that readers do not see, markers, and rows that come in several pieces. */
function cellsOfBoth(): CellParts[] {
  const cells: CellParts[] = []
  for (const row of ['\0', 'a', 'a\0', 'm', 'n\xff', '\xff\xff'])
    for (const time of [1n, 2n, 3n, 4n]) cells.push(cell(row, '\xfe,', time, `${time}`, CellType.Put))
  for (let i = 0; i < 3000; i++)
    cells.push(cell('wide', `${i}`.padStart(4, '0'), 5n, 'w'.repeat(1000), CellType.Put))
  cells.push(cell('a', '\xfe,', 3n, '', CellType.Delete), cell('m', '\xfe,', 2n, '', CellType.DeleteColumn))
  return cells
}

describe.skipIf(zookeeper === undefined)('a live cluster is compared', { timeout: 60_000 }, () => {
  let hbase: Store
  let target: Store

  beforeAll(async () => {
    hbase = await openLive()
    target = openMemoryStore({ clock: Date })
    const families = [familyDescriptor('f', [['VERSIONS', '2']])]
    await hbase.catalog.createTable(tableDescriptor(TABLE, families), [bytes('m'), bytes('x')], OWN_CALL)
    await target.catalog.createTable(tableDescriptor(TABLE, families), [bytes('b')], OWN_CALL)
    for (const store of [hbase, target]) await write(store, cellsOfBoth(), TABLE)
  }, 60_000)

  afterAll(async () => {
    await hbase.catalog.disableTable(TABLE, OWN_CALL)
    await hbase.catalog.deleteTable(TABLE, OWN_CALL)
    await hbase.close()
    await target.close()
  }, 60_000)

  const tables = [{ from: TABLE, to: TABLE }]

  test('equal tables are equal, also after a flush of one side, which drops cells', async () => {
    for (const raw of [false, true])
      expect((await verified(hbase, target, { tables, raw })).differences).toEqual([])
    await hbase.upkeep.flushes!.flushTable(TABLE, OWN_CALL)
    const found = await verified(hbase, target, { tables })
    expect(found.differences).toEqual([])
    expect(found.sums[0]).toMatchObject({ rows: 7, regions: 3, rowsDiffering: 0 })
    expect(await trueDifferences(hbase, target, true, TABLE)).not.toEqual([])
  })

  test('cells that differ are found, and no others', async () => {
    await write(hbase, [cell('wide', '1500', 5n, 'other', CellType.Put)], TABLE)
    await write(target, [cell('wide', '2999', 5n, '', CellType.Delete)], TABLE)
    await write(target, [cell('\xff\xff\0', '', 2n ** 63n - 2n, '', CellType.Put)], TABLE)
    await write(hbase, [cell('a', 'new', 1n, 'v', CellType.Put)], TABLE)
    const expected = [
      'a f:new 1 4 missing',
      'wide f:1500 5 4 value',
      'wide f:2999 5 4 missing',
      '\xff\xff\0 f: 9223372036854775806 4 extra',
    ]
    expect((await verified(hbase, target, { tables })).differences).toEqual(expected)
    expect(await trueDifferences(hbase, target, false, TABLE)).toEqual(expected)
  })
})
