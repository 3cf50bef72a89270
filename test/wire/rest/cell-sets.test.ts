import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type CellParts, CellType } from '../../../src/model/cell.ts'
import { blockOf, CellCursor } from '../../../src/model/cell-block.ts'
import type { DecodeLimits } from '../../../src/model/decode-limits.ts'
import { isHBaseError } from '../../../src/model/errors.ts'
import { LATEST_TIMESTAMP, timestampOf } from '../../../src/model/timestamp.ts'
import type { CellSet } from '../../../src/wire/rest/cell-set.ts'
import { CellSetJsonWriter } from '../../../src/wire/rest/cell-set-json.ts'
import { decodeCellSetJson } from '../../../src/wire/rest/cell-set-json-decoder.ts'
import { CellSetProtobufWriter } from '../../../src/wire/rest/cell-set-protobuf.ts'
import { decodeCellSetProtobuf } from '../../../src/wire/rest/cell-set-protobuf-decoder.ts'
import type { CellSetWriter } from '../../../src/wire/rest/cell-set-writer.ts'
import { CellSetXmlWriter } from '../../../src/wire/rest/cell-set-xml.ts'
import { decodeCellSetXml } from '../../../src/wire/rest/cell-set-xml-decoder.ts'
import { OutputBuffer } from '../../../src/wire/rest/output-buffer.ts'
import { LIMITS } from '../decode-limits.ts'

interface RowOfCells {
  readonly key: string
  readonly cells: readonly (readonly [column: string, timestamp: bigint, value: string])[]
}

type Generated = [row: Buffer, cells: [Buffer, Buffer, bigint, Buffer][]][]

function bytes(min: number, max: number): fc.Arbitrary<Buffer> {
  return fc.uint8Array({ minLength: min, maxLength: max }).map((array) => Buffer.from(array))
}

const family = fc.stringMatching(/^[a-z]{0,9}$/).map((name) => Buffer.from(name))
const timestamp = fc.oneof(
  fc.bigInt({ min: 0n, max: LATEST_TIMESTAMP }),
  fc.bigInt({ min: 0n, max: 0xffff_ffffn }),
  fc.bigInt({ min: 0n, max: 10n ** 16n }),
  fc.constantFrom(0n, 1n, 1579132800000000000n, 9007199254740993n, LATEST_TIMESTAMP),
)
const cell = fc.tuple(family, bytes(0, 90), timestamp, bytes(0, 200))
const rows: fc.Arbitrary<Generated> = fc.array(
  fc.tuple(bytes(1, 80), fc.array(cell, { minLength: 1, maxLength: 5 })),
  {
    maxLength: 5,
  },
)

/** Columns that share bytes or their length, or are too long to be remembered; many cells have the column and the time of the one before. */
const fewColumns = fc.constantFrom(
  ...[
    ['f', 'q'],
    ['f', 'r'],
    ['a', 'bc'],
    ['ab', 'c'],
    ['', ''],
    ['f', ''],
    ['f', 'q'.repeat(80)],
  ].map((parts) => parts.map((part) => Buffer.from(part))),
)
const similarCell = fc
  .tuple(fewColumns, fc.constantFrom(1n, 1n, 1n, 2n, 2n ** 32n + 1n, LATEST_TIMESTAMP), bytes(0, 9))
  .map(([[family, qualifier], timestamp, value]): Generated[number][1][number] => {
    return [family!, qualifier!, timestamp, value]
  })
const similarRows: fc.Arbitrary<Generated> = fc
  .array(fc.tuple(fc.nat(3), fc.array(similarCell, { minLength: 1, maxLength: 3 })), {
    maxLength: 60,
    size: 'max',
  })
  .map((groups) => groups.flatMap(([repeats, cells]) => Array.from({ length: repeats }, () => cells)))
  .map((groups) => groups.map((cells, index) => [Buffer.from(`row ${index}`), cells]))

const FORMS: [string, () => CellSetWriter, (body: Buffer, limits: DecodeLimits) => CellSet | undefined][] = [
  ['JSON', () => new CellSetJsonWriter(), decodeCellSetJson],
  ['XML', () => new CellSetXmlWriter(), decodeCellSetXml],
  ['protobuf', () => new CellSetProtobufWriter(), decodeCellSetProtobuf],
]

function written(writer: CellSetWriter, generated: Generated, paged: boolean): Buffer {
  const out = new OutputBuffer(1)
  const chunks: Buffer[] = []
  writer.begin(out)
  for (const [row, cells] of generated) {
    const parts = cells.map(([family, qualifier, timestamp, value]): CellParts => {
      return { row, family, qualifier, timestamp, type: CellType.Put, value }
    })
    const cursor = new CellCursor(blockOf(parts))
    for (let i = 0; cursor.next(); i++) {
      if (i === 0) writer.startRow(out, cursor)
      writer.cell(out, cursor)
    }
    if (!paged) continue
    writer.endPage(out)
    chunks.push(out.take())
  }
  writer.end(out)
  return Buffer.concat([...chunks, out.take()])
}

function readable(set: CellSet): RowOfCells[] {
  return Array.from({ length: set.rowCount }, (_, row) => ({
    key: set.rowKey(row)!.toString('hex'),
    cells: Array.from({ length: set.endCell(row) - set.firstCell(row) }, (_, index) => {
      const cell = set.cell(set.firstCell(row) + index)
      const time = timestampOf(cell.timestampHigh, cell.timestampLow)
      return [cell.column!.toString('hex'), time, cell.value.toString('hex')] as const
    }),
  }))
}

function expected(generated: Generated): RowOfCells[] {
  return generated.map(([key, cells]) => ({
    key: key.toString('hex'),
    cells: cells.map(([family, qualifier, timestamp, value]) => {
      const column = Buffer.concat([family, Buffer.from(':'), qualifier])
      return [column.toString('hex'), timestamp, value.toString('hex')] as const
    }),
  }))
}

describe.each(FORMS)('cell sets as %s', (_, writer, decode) => {
  test('are read as they were written, in one piece or in pages', () => {
    fc.assert(
      fc.property(rows, fc.boolean(), (generated, paged) => {
        expect(readable(decode(written(writer(), generated, paged), LIMITS)!)).toEqual(expected(generated))
      }),
    )
  })

  test('are read as they were written where cells have the column and the time of those before', () => {
    fc.assert(
      fc.property(similarRows, fc.boolean(), (generated, paged) => {
        expect(readable(decode(written(writer(), generated, paged), LIMITS)!)).toEqual(expected(generated))
      }),
    )
  })

  test('cut short or changed are refused, or read as something else, but break nothing', () => {
    fc.assert(
      fc.property(rows, fc.nat(), fc.nat(255), fc.boolean(), (generated, place, byte, isCut) => {
        const body = written(writer(), generated, false)
        const at = body.length === 0 ? 0 : place % body.length
        const damaged = isCut ? body.subarray(0, at) : Buffer.from(body)
        if (!isCut && body.length > 0) damaged[at] = byte
        try {
          const set = decode(damaged, LIMITS)
          if (set !== undefined) for (let i = 0; i < set.cellCount; i++) set.cell(i)
        } catch (error) {
          expect(isHBaseError(error)).toBe(true)
        }
      }),
      { numRuns: 300 },
    )
  })
})

describe('cell sets as JSON', () => {
  test('are what JSON.parse reads', () => {
    fc.assert(
      fc.property(rows, (generated) => {
        const text = written(new CellSetJsonWriter(), generated, false).toString()
        const { Row } = JSON.parse(text) as { Row: { key: string; Cell: { column: string; $: string }[] }[] }
        expect(Row.map(({ key }) => key)).toEqual(generated.map(([key]) => key.toString('base64')))
        const values = Row.flatMap(({ Cell }) => Cell.map(({ $ }) => $))
        expect(values).toEqual(
          generated.flatMap(([, cells]) => cells.map((parts) => parts[3].toString('base64'))),
        )
      }),
    )
  })

  test('may have their members in any order, and leave them out', () => {
    const text =
      '{"Row":[{"Cell":[{"$":"eA==","timestamp":"12","column":"Zjph"},{"timestamp":null},{}],"key":"cjE="},{"Cell":[]}]}'
    const set = decodeCellSetJson(Buffer.from(text), LIMITS)!
    expect([set.rowCount, set.cellCount]).toEqual([2, 3])
    expect(set.rowKey(0)?.toString()).toBe('r1')
    expect(set.rowKey(1)).toBeUndefined()
    expect(set.cell(0)).toEqual({
      column: Buffer.from('f:a'),
      timestampHigh: 0,
      timestampLow: 12,
      value: Buffer.from('x'),
    })
    expect(set.cell(1)).toMatchObject({ column: undefined, timestampHigh: 0, timestampLow: 0 })
    expect(set.cell(2)).toMatchObject({ column: undefined, timestampHigh: 0x7fffffff, timestampLow: -1 })
  })

  test.each(['{"Row":null}', '{"Row":[null]}', '{"Row":[{"Cell":null}]}', '{"Row":[{"Cell":[null]}]}'])(
    '%s is readable, but at fault',
    (text) => {
      expect(decodeCellSetJson(Buffer.from(text), LIMITS)!.fault).toMatch(/null/)
    },
  )

  test.each(['', ' \n', 'null'])('%j is no cell set', (text) => {
    expect(decodeCellSetJson(Buffer.from(text), LIMITS)).toBeUndefined()
  })
})

describe('cell sets as XML', () => {
  test('have only what stands in its place', () => {
    const cell = '<Cell column="Zjph" timestamp="1">eA==</Cell>'
    const set = decodeCellSetXml(
      Buffer.from(
        `<CellSet>${cell}<other><Row key="cjE=">${cell}</Row>${cell}</other>eA==` +
          `<Row x:key="cjI=" key="cjE=" xmlns:x="urn:x"><z>${cell}</z><x:Cell/>${cell.replace('eA', '<q/>eA')}</Row></CellSet>`,
      ),
      LIMITS,
    )
    expect(readable(set)).toEqual([
      { key: Buffer.from('r1').toString('hex'), cells: [[Buffer.from('f:a').toString('hex'), 1n, '78']] },
    ])
  })

  test.each(['<CellSet xmlns="urn:x"/>', '<x:CellSet xmlns:x="urn:x"/>', '<x:CellSet/>', '<cellset/>'])(
    '%s is none',
    (text) => {
      expect(() => decodeCellSetXml(Buffer.from(text), LIMITS)).toThrow(
        expect.objectContaining({ code: 'CORRUPTION' }),
      )
    },
  )

  test('repeats little of what it refuses', () => {
    const name = 'a'.repeat(100_000)
    for (const text of [`<${name}/>`, `<CellSet><${name}>`, `<CellSet>&${name};`]) {
      expect(() => decodeCellSetXml(Buffer.from(text), LIMITS)).toThrow(
        expect.objectContaining({ message: expect.stringMatching(/^.{10,200}$/) }),
      )
    }
  })
})
