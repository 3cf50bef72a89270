/** Cells of a log that are put into the memstores by region and in the order of their rows are those that were put in one by one. */

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ChunkPool } from '../../../../adapters/native/memstore/chunk-pool.ts'
import { RowReader } from '../../../../adapters/native/read/row-reader.ts'
import { HeldSnapshots } from '../../../../adapters/native/region/held-snapshots.ts'
import { Region } from '../../../../adapters/native/region/region.ts'
import { ReplayedCells } from '../../../../adapters/native/region/replayed-cells.ts'
import { WaitingScans } from '../../../../adapters/native/region/waiting-scans.ts'
import { EMPTY } from '../../../../src/model/bytes.ts'
import { CellType } from '../../../../src/model/cell.ts'
import { CellBlock, CellBlockBuilder, CellCursor } from '../../../../src/model/cell-block.ts'
import { familyDescriptor, tableDescriptor } from '../../../../src/model/descriptor.ts'
import { get } from '../../../../src/model/query.ts'
import { atOnce } from '../../../../src/model/steps.ts'
import { parseTableName } from '../../../../src/model/table-name.ts'
import { SEED, testRuns } from '../../../harness/test-runs.ts'

interface DrawnCell {
  readonly row: Buffer
  readonly family: string
  readonly qualifier: string
  readonly time: number
  readonly type: number
  readonly value: Buffer
  readonly tags: string
}

interface DrawnRecord {
  readonly region: number
  readonly cells: readonly DrawnCell[]
}

const REGIONS = 3
const someBytes = fc.uint8Array({ maxLength: 14 }).map((bytes) => Buffer.from(bytes))
/** Rows that share a beginning, that are a beginning of others, and any. */
const row = fc.oneof(
  fc.nat(40).map((n) => Buffer.from(`row${String(n).padStart(7, '0')}`)),
  fc.nat(6).map((n) => Buffer.from('row0000'.slice(0, n + 1))),
  fc.constant(Buffer.from('row\0\0\0')),
  someBytes.filter(({ length }) => length > 0),
)
const cell: fc.Arbitrary<DrawnCell> = fc.record({
  row,
  family: fc.constantFrom('f', 'f', 'f', 'g', 'dropped'),
  qualifier: fc.constantFrom('', 'q', 'q', 'r'),
  time: fc.nat(3),
  type: fc.constantFrom(
    CellType.Put,
    CellType.Put,
    CellType.Put,
    CellType.Put,
    CellType.Delete,
    CellType.DeleteColumn,
    CellType.DeleteFamily,
    CellType.DeleteFamilyVersion,
  ),
  value: someBytes,
  tags: fc.constantFrom('', '', '', '\x00\x02Aa'),
})
const records: fc.Arbitrary<DrawnRecord[]> = fc.array(
  fc.record({
    region: fc.nat(REGIONS - 1),
    cells: fc.oneof(
      { weight: 9, arbitrary: fc.array(cell, { minLength: 1, maxLength: 3 }) },
      { weight: 1, arbitrary: fc.array(cell, { minLength: 20, maxLength: 60 }) },
    ),
  }),
  { maxLength: 60 },
)

const TABLE = parseTableName('t')

/** `isCompacted`: memstores drop versions that no read needs. */
function newRegions(published: () => number, isCompacted: boolean): Region[] {
  const tools = {
    pool: new ChunkPool(true),
    cursor: new CellCursor(CellBlock.EMPTY),
    rowReader: new RowReader(() => 0.5),
    published,
    heldSnapshots: new HeldSnapshots(1e9),
    figures: { droppedVersions: 0 },
    closings: { changes: 0 },
    waiting: new WaitingScans(),
  }
  const policy = isCompacted ? 'EAGER' : 'NONE'
  const families = ['f', 'g'].map((name) => familyDescriptor(name, [['IN_MEMORY_COMPACTION', policy]]))
  return Array.from({ length: REGIONS }, (_, i) => {
    const record = {
      number: i + 1,
      regionId: i + 1,
      startKey: EMPTY,
      endKey: EMPTY,
      flushedSequenceId: 0,
      files: [],
    }
    return new Region(tableDescriptor(TABLE, families), [], record, tools)
  })
}

/** All records in one buffer, as a log has them. */
function logOf(drawn: readonly DrawnRecord[]): CellBlock[] {
  const builder = new CellBlockBuilder()
  const ends = drawn.map(({ cells }) => {
    for (const { row: key, family, qualifier, time, type, value, tags } of cells) {
      const prefix = builder.length
      builder.append(key, Buffer.from(family), Buffer.from(qualifier), 0, time, type, value)
      builder.appendTags(prefix, Buffer.from(tags, 'latin1'))
    }
    return builder.length
  })
  const { buffer } = builder
  return ends.map((end, i) => new CellBlock(buffer, ends[i - 1] ?? 0, end))
}

function cellsOfMemstores({ stores }: Region): string[] {
  const cells: string[] = []
  for (const { memstore } of stores) {
    const iterator = memstore.iterator(Number.MAX_SAFE_INTEGER)
    for (iterator.seekToFirst(); iterator.valid; iterator.next()) {
      const { buffer, cell: at, cellBytes, tags, tagsBytes, sequenceId } = iterator
      const bytes = buffer.toString('hex', at, at + cellBytes)
      cells.push(`${bytes} ${sequenceId} ${buffer.toString('hex', tags, tags + tagsBytes)}`)
    }
    cells.push(
      `${memstore.cellCount} ${memstore.minSequenceId} ${memstore.maxSequenceId} ${memstore.hasTags}`,
    )
  }
  return cells
}

function readings(region: Region, drawn: readonly DrawnRecord[], readPoint: number): string[] {
  return drawn.flatMap(({ cells }) =>
    cells.map(({ row: key }) => {
      const target = new CellBlockBuilder()
      region.get(get(key, { withTags: true }), readPoint, Date.UTC(2026), target)
      return target.buffer.toString('hex', 0, target.length)
    }),
  )
}

test.each([false, true])('cells of a log come into the memstores together as one by one', (isCompacted) => {
  fc.assert(
    fc.property(records, fc.integer({ min: 1, max: 200 }), (drawn, cellsMax) => {
      let published = 0
      const oneByOne = newRegions(() => published, isCompacted)
      const together = newRegions(() => published, isCompacted)
      let grown = 0
      const replayed = new ReplayedCells((bytes) => (grown += bytes), cellsMax)
      logOf(drawn).forEach((cells, i) => {
        published = i + 1
        const { region } = drawn[i]!
        oneByOne[region]!.insert(cells, i + 1)
        let at = cells.start
        while ((at = replayed.add(together[region]!, cells, i + 1, at)) < cells.end)
          atOnce(replayed.insertAll())
      })
      atOnce(replayed.insertAll())
      expect(grown).toBe(together.reduce((bytes, { memstoreBytes }) => bytes + memstoreBytes, 0))
      for (const [i, region] of together.entries()) {
        const present = readings(oneByOne[i]!, drawn, published)
        expect(readings(region, drawn, published)).toEqual(present)
        if (!isCompacted) expect(cellsOfMemstores(region)).toEqual(cellsOfMemstores(oneByOne[i]!))
      }
    }),
    { numRuns: testRuns(150), ...(SEED !== undefined && { seed: SEED }) },
  )
})
