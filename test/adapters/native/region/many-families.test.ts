/** A region finds the stores of its families by their names, of which a table may have very many. */

import { expect, test, vi } from 'vitest'
import { ChunkPool } from '../../../../adapters/native/memstore/chunk-pool.ts'
import { RowReader } from '../../../../adapters/native/read/row-reader.ts'
import { HeldSnapshots } from '../../../../adapters/native/region/held-snapshots.ts'
import { Region } from '../../../../adapters/native/region/region.ts'
import { WaitingScans } from '../../../../adapters/native/region/waiting-scans.ts'
import { EMPTY } from '../../../../src/model/bytes.ts'
import { CellBlock, CellCursor } from '../../../../src/model/cell-block.ts'
import { familyDescriptor, type TableDescriptor, tableDescriptor } from '../../../../src/model/descriptor.ts'
import { parseTableName } from '../../../../src/model/table-name.ts'

const FAMILIES = 500

function tableOf(first: number): TableDescriptor {
  const families = Array.from({ length: FAMILIES }, (_, i) => familyDescriptor(`f${first + i + 1000}`))
  return tableDescriptor(parseTableName('t'), families)
}

test('a region compares the names of its families a few times each, not each with each', () => {
  const tools = {
    pool: new ChunkPool(true),
    cursor: new CellCursor(CellBlock.EMPTY),
    rowReader: new RowReader(() => 0.5),
    published: () => 0,
    heldSnapshots: new HeldSnapshots(1e9),
    figures: { droppedVersions: 0 },
    closings: { changes: 0 },
    waiting: new WaitingScans(),
  }
  const record = {
    number: 1,
    regionId: 1,
    startKey: EMPTY,
    endKey: EMPTY,
    flushedSequenceId: 0,
    files: [],
  }
  const [table, changed] = [tableOf(0), tableOf(1)]
  const families = table.families.map(({ name }) => ({ name, sinceSequenceId: 7, attributes: [] }))
  const equals = vi.spyOn(Buffer.prototype, 'equals')
  const region = new Region(table, families, record, tools)
  const [first, second] = region.stores
  const removed = region.setTable(changed, families)
  const compared = equals.mock.calls.length
  equals.mockRestore()
  expect(compared).toBeLessThan(8 * FAMILIES)
  expect(removed).toEqual([first])
  expect(region.stores[0]).toBe(second)
  expect(region.stores.at(-1)!.descriptor.name.toString()).toBe(`f${1000 + FAMILIES}`)
  for (const store of [...region.stores, ...removed]) store.release()
})
