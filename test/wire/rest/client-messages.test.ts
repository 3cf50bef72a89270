/** What clients of REST write is what the door reads, and the reverse. */

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type CellParts, CellType } from '../../../src/model/cell.ts'
import { blockOf, CellCursor, cellsOf } from '../../../src/model/cell-block.ts'
import { isHBaseError } from '../../../src/model/errors.ts'
import { CellSetProtobufWriter } from '../../../src/wire/rest/cell-set-protobuf.ts'
import { decodeAnsweredCells } from '../../../src/wire/rest/cells-of-set.ts'
import { decodeNames, decodeTableInfo } from '../../../src/wire/rest/name-list-decoder.ts'
import { namespacesDocument, tableListDocument } from '../../../src/wire/rest/name-lists.ts'
import { OutputBuffer } from '../../../src/wire/rest/output-buffer.ts'
import { encodeScanner } from '../../../src/wire/rest/scanner-message.ts'
import { decodeScannerProtobuf } from '../../../src/wire/rest/scanner-spec.ts'
import { tableInfoDocument } from '../../../src/wire/rest/table-info.ts'
import { SEED, testRuns } from '../../harness/test-runs.ts'

const LIMITS = { depthMax: 64, batchMax: 1000, elementsMax: 1000 }
const options = { numRuns: testRuns(100), ...(SEED !== undefined && { seed: SEED }) }
const anyBytes = (maxLength: number, minLength = 0): fc.Arbitrary<Buffer> =>
  fc.uint8Array({ minLength, maxLength }).map((bytes) => Buffer.from(bytes))
const anyTime = fc.bigInt({ min: 0n, max: 2n ** 63n - 1n })

test('scanners', () => {
  const anySpec = fc.record({
    startRow: anyBytes(9),
    endRow: anyBytes(9),
    columns: fc.array(anyBytes(9, 1), { maxLength: 3 }),
    batch: fc.integer({ min: 1, max: 10_000 }),
    startTime: anyTime,
    endTime: anyTime,
    maxVersions: fc.integer({ min: 1, max: 0x7fffffff }),
    caching: fc.integer({ min: 1, max: 1000 }),
    cacheBlocks: fc.boolean(),
    filter: fc.string(),
    labels: fc.array(fc.string(), { maxLength: 2 }),
  })
  const property = fc.property(anySpec, (spec) => {
    expect(decodeScannerProtobuf(encodeScanner(spec), LIMITS)).toEqual({ ...spec, filterForm: 'json' })
  })
  fc.assert(property, options)
})

test('cells', () => {
  // No table has a family without a name.
  const anyFamily = anyBytes(5, 1).map((bytes) =>
    Buffer.from(bytes.map((byte) => (byte === 0x3a ? 0 : byte))),
  )
  const anyRow = anyBytes(6, 1).chain((row) =>
    fc.array(
      fc.record({
        row: fc.constant(row),
        family: anyFamily,
        qualifier: anyBytes(300),
        timestamp: anyTime,
        type: fc.constant<number>(CellType.Put),
        value: anyBytes(300),
      }),
      { minLength: 1, maxLength: 5 },
    ),
  )
  const property = fc.property(fc.array(anyRow, { maxLength: 6 }), (rows: CellParts[][]) => {
    const { cells, counts } = decodeAnsweredCells(written(rows))
    expect(counts).toEqual(rows.map(({ length }) => length))
    expect(cellsOf(cells)).toEqual(rows.flat())
  })
  fc.assert(property, options)
})

function written(rows: readonly CellParts[][]): Buffer {
  const [out, writer] = [new OutputBuffer(), new CellSetProtobufWriter()]
  writer.begin()
  for (const row of rows) {
    const cursor = new CellCursor(blockOf(row))
    for (let isFirst = true; cursor.next(); isFirst = false) {
      if (isFirst) writer.startRow(out, cursor)
      writer.cell(out, cursor)
    }
  }
  writer.end(out)
  return out.take()
}

test('bytes that are no cells are refused, and nothing else is thrown', () => {
  const property = fc.property(anyBytes(60), (bytes) => {
    try {
      decodeAnsweredCells(bytes)
    } catch (error) {
      expect(isHBaseError(error)).toBe(true)
    }
  })
  fc.assert(property, options)
})

test('lists of names and of regions', () => {
  const names = ['a', 'ns:b', 'é']
  expect(decodeNames(Buffer.from(tableListDocument(names).protobuf()))).toEqual(names)
  expect(decodeNames(Buffer.from(namespacesDocument(names).protobuf()))).toEqual(names)
  const regions = [
    { name: 't,,1.e.', id: 1, startKey: Buffer.alloc(0), endKey: Buffer.of(0xff), location: 'h:1' },
    {
      name: 't,x,2.e.',
      id: 2 ** 41,
      startKey: Buffer.of(0xff),
      endKey: Buffer.alloc(0),
      location: '[::1]:2',
    },
  ]
  expect(
    decodeTableInfo(
      Buffer.concat([...tableInfoDocument('t', regions).protobuf()].map((part) => Buffer.from(part))),
    ),
  ).toEqual(regions)
})

test('a cell of a family without a name is none', () => {
  const nameless = { row: Buffer.from('r'), family: Buffer.alloc(0), qualifier: Buffer.from('q') }
  const cell = { ...nameless, timestamp: 1n, type: CellType.Put, value: Buffer.from('v') }
  expect(() => decodeAnsweredCells(written([[cell]]))).toThrow(/answered a cell that is none/)
})
