import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CellType } from '../../../src/model/cell.ts'
import { CellBlockBuilder, CellCursor } from '../../../src/model/cell-block.ts'
import { MIN_TIMESTAMP, timestampHigh, timestampLow, timestampOf } from '../../../src/model/timestamp.ts'
import { decodeCellSetJson } from '../../../src/wire/rest/cell-set-json-decoder.ts'
import type { CellSetWriter } from '../../../src/wire/rest/cell-set-writer.ts'
import { base64LinesWriter, textDocumentWriter, textLinesWriter } from '../../../src/wire/rest/json-rows.ts'
import { OutputBuffer } from '../../../src/wire/rest/output-buffer.ts'
import { decodeTextRows } from '../../../src/wire/rest/text-rows-decoder.ts'
import { escapedText } from '../../../src/wire/text/escaped-text.ts'
import { LIMITS } from '../text/decode-limits.ts'

interface TestCell {
  readonly qualifier: Buffer
  readonly timestamp: bigint
  readonly value: Buffer
}
interface TestRow {
  readonly key: Buffer
  readonly cells: readonly TestCell[]
}

const FAMILY = Buffer.from('f')

/** Writes the rows, some of them after a page's end. */
function written(writer: CellSetWriter, rows: readonly TestRow[], pageRows = 2): string {
  const out = new OutputBuffer(1)
  writer.begin(out)
  rows.forEach(({ key, cells }, index) => {
    const builder = new CellBlockBuilder()
    for (const { qualifier, timestamp, value } of cells) {
      const [high, low] = [timestampHigh(timestamp), timestampLow(timestamp)]
      builder.append(key, FAMILY, qualifier, high, low, CellType.Put, value)
    }
    const cursor = new CellCursor(builder.block())
    for (let i = 0; cursor.next(); i++) {
      if (i === 0) writer.startRow(out, cursor)
      writer.cell(out, cursor)
    }
    if (index % pageRows === pageRows - 1) writer.endPage(out)
  })
  writer.end(out)
  return out.buffer.toString('utf8', 0, out.length)
}

function decoded(text: string, decode: typeof decodeTextRows): unknown {
  const set = decode(Buffer.from(text), LIMITS)!
  return Array.from({ length: set.rowCount }, (_, row) => ({
    key: set.rowKey(row),
    cells: Array.from({ length: set.endCell(row) - set.firstCell(row) }, (_, i) => {
      const { column, timestampHigh: high, timestampLow: low, value } = set.cell(set.firstCell(row) + i)
      return { qualifier: column!.subarray(2), timestamp: timestampOf(high, low), value }
    }),
  }))
}

const arbitraryBytes = (minLength = 0): fc.Arbitrary<Buffer> =>
  fc.oneof(
    fc.uint8Array({ minLength, maxLength: 20 }).map((bytes) => Buffer.from(bytes)),
    fc.string({ unit: 'binary', minLength, maxLength: 12 }).map((text) => Buffer.from(text)),
    fc.bigInt({ min: MIN_TIMESTAMP, max: -MIN_TIMESTAMP - 1n }).map((integer) => {
      const bytes = Buffer.alloc(8)
      bytes.writeBigInt64BE(integer)
      return bytes
    }),
  )
const arbitraryRow = fc.record({
  key: arbitraryBytes(1),
  cells: fc.array(
    fc.record({
      qualifier: arbitraryBytes(),
      timestamp: fc.bigInt({ min: MIN_TIMESTAMP, max: -MIN_TIMESTAMP - 1n }),
      value: arbitraryBytes(),
    }),
    { minLength: 1, maxLength: 4 },
  ),
})

const ROW: TestRow = {
  key: Buffer.from('r"1\\'),
  cells: [
    { qualifier: Buffer.from('q'), timestamp: 2n, value: Buffer.from('Zürich') },
    { qualifier: Buffer.from('q'), timestamp: MIN_TIMESTAMP, value: Buffer.from('8000000000000000', 'hex') },
    {
      qualifier: Buffer.alloc(0),
      timestamp: -MIN_TIMESTAMP - 1n,
      value: Buffer.from('7fffffffffffffff', 'hex'),
    },
    { qualifier: Buffer.of(0xff), timestamp: 0n, value: Buffer.from('readable') },
  ],
}
const ROW_TEXT =
  String.raw`{"key":"r\"1\\x5C","cells":[{"column":"f:q","timestamp":2,"value":"Zürich"},` +
  String.raw`{"column":"f:q","timestamp":-9223372036854775808,"value":"\\x80\\x00\\x00\\x00\\x00\\x00\\x00\\x00","int64":"-9223372036854775808"},` +
  String.raw`{"column":"f:","timestamp":9223372036854775807,"value":"\\x7F\\xFF\\xFF\\xFF\\xFF\\xFF\\xFF\\xFF","int64":"9223372036854775807"},` +
  String.raw`{"column":"f:\\xFF","timestamp":0,"value":"readable"}]}`

describe('rows as JSON of text', () => {
  test('have texts, exact times, and the integers of counters', () => {
    expect(written(textDocumentWriter(), [ROW])).toBe(`{"rows":[${ROW_TEXT}]}`)
    expect(written(textDocumentWriter(), [])).toBe('{"rows":[]}')
    expect(written(textLinesWriter(), [ROW, ROW, ROW])).toBe(`${ROW_TEXT}\n`.repeat(3))
    expect(written(textLinesWriter(), [])).toBe('')
  })

  test('read back as they were, whatever the bytes', () => {
    fc.assert(
      fc.property(fc.array(arbitraryRow, { maxLength: 4 }), (rows) => {
        const text = written(textDocumentWriter(), rows)
        expect(decoded(text, decodeTextRows)).toEqual(rows)
        const shown = JSON.parse(text) as { rows: { key: string }[] }
        expect(shown.rows.map(({ key }) => key)).toEqual(rows.map(({ key }) => escapedText(key)))
      }),
    )
  })

  test('are a line each, in both forms', () => {
    fc.assert(
      fc.property(fc.array(arbitraryRow, { maxLength: 4 }), (rows) => {
        const lines = written(textLinesWriter(), rows).split('\n').slice(0, -1)
        expect(lines.flatMap((line) => decoded(line, decodeTextRows))).toEqual(rows)
        const plain = written(base64LinesWriter(), rows).split('\n').slice(0, -1)
        expect(decoded(`{"Row":[${plain.join(',')}]}`, decodeCellSetJson)).toEqual(rows)
      }),
    )
  })

  test('take long values, across the steps of the writer', () => {
    const value = Buffer.from(`${'a'.repeat(4095)}ü${'\0'.repeat(5000)}`)
    const text = written(textDocumentWriter(), [{ key: FAMILY, cells: [{ ...ROW.cells[0]!, value }] }])
    expect(decoded(text, decodeTextRows)).toMatchObject([{ cells: [{ value }] }])
  })
})

describe('a body of text', () => {
  test('may state a value as integer, a single row, and leave out what the path tells', () => {
    const body = '{"cells":[{"int64":-5},{"column":"f:b","int64":"9223372036854775807","timestamp":"7"}]}'
    const set = decodeTextRows(Buffer.from(body), LIMITS)!
    expect([set.rowCount, set.rowKey(0), set.cell(0).column]).toEqual([1, undefined, undefined])
    expect(set.cell(0).value.toString('hex')).toBe('fffffffffffffffb')
    expect(set.cell(1).value.toString('hex')).toBe('7fffffffffffffff')
    expect(set.cell(1).timestampLow).toBe(7)
    expect(decodeTextRows(Buffer.from(' '), LIMITS)).toBeUndefined()
  })

  test('may state an integer beside the same value', () => {
    const cell = String.raw`{"value":"\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x05","int64":"5"}`
    expect(
      decodeTextRows(Buffer.from(`{"cells":[${cell}]}`), LIMITS)!
        .cell(0)
        .value.at(-1),
    ).toBe(5)
    const other = cell.replace('"5"', '"6"')
    expect(() => decodeTextRows(Buffer.from(`{"cells":[${other}]}`), LIMITS)).toThrow(
      /int64 is 6 .* state one/,
    )
  })

  test.each([
    ['[]', /"{" must stand here/],
    ['{"Row":[]}', /a row has no member "Row"/],
    ['{"rows":[{"key":"a","Cell":[]}]}', /a row has no member "Cell"/],
    ['{"rows":[{"key":"a"}],"key":"b"}', /has rows, or is a row itself/],
    ['{"cells":[{"$":""}]}', /a cell has no member "\$"/],
    ['{"cells":[{"value":5}]}', /a text must be a string/],
    ['{"cells":[{"value":"\\\\n"}]}', /a backslash begins a byte/],
    ['{"cells":[{"int64":1.5}]}', /"1.5" is no integer/],
    ['{"cells":[{"int64":true}]}', /an integer must be a number/],
    ['{"cells":[{"int64":9223372036854775808}]}', /no integer of the range/],
    ['{"cells":[{"timestamp":-9223372036854775809}]}', /no integer of the range/],
    ['{"key":"\\ud800"}', /half a pair of surrogates/],
    ['{"key":"\\udc00\\ud800"}', /half a pair of surrogates/],
    ['{"rows":[],"rows":[{"key":"a"}]}', /"rows" is there twice/],
    ['{"key":"a","key":"b"}', /"key" is there twice/],
    ['{"rows":[{"cells":[],"cells":[]}]}', /"cells" is there twice/],
    ['{"cells":[{"column":"f:a","column":"f:a"}]}', /"column" is there twice/],
    ['{"cells":[{"value":"a","value":"b"}]}', /"value" is there twice/],
    ['{"cells":[{"timestamp":1,"timestamp":2}]}', /"timestamp" is there twice/],
    ['{"cells":[{"int64":1,"int64":1}]}', /"int64" is there twice/],
    ['{"key":"a"} x', /more follows/],
    ['{"key":"a"', /must stand here/],
  ])('%s is refused', (body, reason) => {
    expect(() => decodeTextRows(Buffer.from(body), LIMITS)).toThrow(reason)
  })

  test('that is not UTF-8 is refused', () => {
    expect(() => decodeTextRows(Buffer.from('{"key":"\xff"}', 'latin1'), LIMITS)).toThrow(/not UTF-8/)
  })

  test('takes pairs of surrogates, and backslashes before a u', () => {
    const set = decodeTextRows(Buffer.from('{"key":"\\ud83e\\udd86\\\\x5Cud800"}'), LIMITS)!
    expect(set.rowKey(0)!.toString()).toBe('🦆\\ud800')
  })
})
