import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { EMPTY } from '../../src/model/bytes.ts'
import { type CellParts, CellType } from '../../src/model/cell.ts'
import { blockOf, cellsOf } from '../../src/model/cell-block.ts'
import type { Results } from '../../src/model/results.ts'
import { packageRoot } from '../../src/package-root.ts'
import type { CellReader } from '../../src/transfer/formats/cell-format.ts'
import { familiesOfFields, fieldsReader } from '../../src/transfer/formats/cell-table.ts'
import { FORMATS, type FormatName } from '../../src/transfer/formats/formats.ts'
import { SEED, testRuns } from '../harness/test-runs.ts'
import { anyBytes, anyTimestamp } from '../model/arbitrary-cells.ts'

const NAMES = Object.keys(FORMATS) as FormatName[]
const EXPORTS = fileURLToPath(new URL('test/transfer/exports/', packageRoot()))

async function* pieces(bytes: Buffer, length: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length)
}

/** The cells of the file, given in pieces of so many bytes. */
async function read(reader: CellReader, bytes: Buffer, length = 7): Promise<CellParts[]> {
  const cells: CellParts[] = []
  for await (const { cells: block } of reader(pieces(bytes, length))) cells.push(...cellsOf(block))
  return cells
}

const anyCells: fc.Arbitrary<CellParts[]> = fc.array(
  fc
    .record({
      row: anyBytes(1, 20),
      family: anyBytes(1, 5).map((bytes) => Buffer.from(bytes.map((byte) => (byte === 0x3a ? 0x3b : byte)))),
      qualifier: anyBytes(0, 10),
      timestamp: anyTimestamp,
      type: fc.constantFrom(
        CellType.Put,
        CellType.Delete,
        CellType.DeleteColumn,
        CellType.DeleteFamily,
        CellType.DeleteFamilyVersion,
      ),
      value: anyBytes(0, 300),
    })
    .map((cell) => (cell.type === CellType.Put ? cell : { ...cell, value: EMPTY })),
  { maxLength: 30 },
)

test.each(NAMES)('cells of any bytes come back from %s as they were', async (name) => {
  const property = fc.asyncProperty(anyCells, fc.integer({ min: 1, max: 5000 }), async (cells, length) => {
    const writer = FORMATS[name].writer()
    const parts = cells.map((cell): Results => ({ cells: blockOf([cell]), counts: [1] }))
    const bytes = Buffer.concat([writer.begin(), ...parts.map((part) => writer.results(part)), writer.end()])
    expect(await read(FORMATS[name].read, bytes, length)).toEqual(cells)
  })
  await fc.assert(property, { numRuns: testRuns(100), ...(SEED !== undefined && { seed: SEED }) })
})

test('a row whose cells come in several results is one line of NDJSON, but for a very long one', () => {
  expect(linesOf([cellOf('a', 2n), cellOf('a', 1n), cellOf('b', 1n)])).toEqual([
    `{"key":"a","cells":[${jsonCell(2)},${jsonCell(1)}]}`,
    `{"key":"b","cells":[${jsonCell(1)}]}`,
  ])
  expect(linesOf([cellOf('a', 2n, 'x'.repeat(2 ** 24)), cellOf('a', 1n)])).toHaveLength(2)
})

function cellOf(row: string, timestamp: bigint, value = 'v'): Results {
  const [family, qualifier] = [Buffer.from('f'), Buffer.from('q')]
  const cell = { row: Buffer.from(row), family, qualifier, timestamp, type: CellType.Put }
  return { cells: blockOf([{ ...cell, value: Buffer.from(value) }]), counts: [1] }
}

function linesOf(results: readonly Results[]): string[] {
  const writer = FORMATS.ndjson.writer()
  const parts = [writer.begin(), ...results.map((each) => writer.results(each)), writer.end()]
  return Buffer.concat(parts).toString().trim().split('\n')
}

function jsonCell(timestamp: number): string {
  return `{"column":"f:q","timestamp":${timestamp},"value":"v"}`
}

function cellLine({ row, family, qualifier, timestamp, type, value }: CellParts): string {
  return [row, Buffer.concat([family, Buffer.from(':'), qualifier]), timestamp, type, value]
    .map(String)
    .join(' ')
}

describe("files of HBase's own Export", () => {
  const FIRST = ['b1 f:q 1579141440000000 4 two', 'b1 f:q 1000 8 ', 'b1 f:q 1000 4 one']
  const SECOND = ['c1 f:q 9 12 ', 'c1 f:q 7 4 x', 'c2 f: 9 14 ', 'd f: 1795605378668 14 ']
  test.each(['plain', 'records', 'blocks'])('%s', async (kind) => {
    for (const [number, cells] of [FIRST, SECOND].entries()) {
      const bytes = readFileSync(`${EXPORTS}${kind}-${number + 1}.seq`)
      expect((await read(FORMATS.sequence.read, bytes)).map(cellLine)).toEqual(cells)
    }
  })

  test.each(['plain', 'records', 'blocks'])(
    'a damaged or cut one of %s is refused, or has other cells',
    async (kind) => {
      const whole = readFileSync(`${EXPORTS}${kind}-1.seq`)
      for (let at = 0; at < whole.length; at++) {
        const cut = read(FORMATS.sequence.read, whole.subarray(0, at))
        await cut.then(
          (cells) => expect(cells.length).toBeLessThan(FIRST.length),
          (error: Error) => expect(error.name).toBe('MalformedFile'),
        )
        const damaged = Buffer.from(whole)
        damaged[at]! ^= 0x5a
        await read(FORMATS.sequence.read, damaged).catch((error: Error) =>
          expect(error.name).toBe('MalformedFile'),
        )
      }
    },
  )
})

test('wide rows and many records stay whole, and have syncs between them', async () => {
  const cells = Array.from({ length: 500 }, (_, i): CellParts => {
    const qualifier = Buffer.from(String(i))
    return {
      row: Buffer.from(`r${i >> 6}`),
      family: Buffer.from('f'),
      qualifier,
      timestamp: BigInt(i),
      type: 4,
      value: Buffer.alloc(40, i),
    }
  })
  const writer = FORMATS.sequence.writer()
  const counts = Array.from({ length: 500 }, () => 1)
  const header = writer.begin()
  const bytes = Buffer.concat([header, writer.results({ cells: blockOf(cells), counts })])
  const sync = header.subarray(-16)
  expect(bytes.indexOf(Buffer.concat([Buffer.alloc(4, 0xff), sync]))).toBeGreaterThan(2000)
  expect(await read(FORMATS.sequence.read, bytes, 1000)).toEqual(cells)
})

test.each([
  ['ndjson', '{"key":"r","cells":[{"column":"f:q","timestamp":1,"value":"\\\\xZZ"}]}', /^line 1: /],
  ['ndjson', '\n{"key":"r","cells":[{"column":"f:q","value":"v"}]}', /^line 2: "timestamp" is missing$/],
  [
    'ndjson',
    '{"key":"r","cells":[{"column":"f:q","timestamp":1,"type":"X"}]}',
    /^line 1: "type" is of no cell$/,
  ],
  ['ndjson', '{"key":"","cells":[{"column":"f:q","timestamp":1,"value":"v"}]}', /^line 1: a row must have/],
  ['ndjson', '{"key":"r","cells":[{"column":"f:q","timestamp":9223372036854775808}]}', /^line 1: /],
  ['ndjson', '{"key":"r"', /^line 1: /],
  [
    'csv',
    'a,b\n',
    /^line 1: the first line must be row,column,timestamp,type,value; for other files name the --fields$/,
  ],
  ['csv', 'row,column,timestamp,type,value\nr,f:q,1,Put\n', /^line 2: 4 fields, not 5$/],
  ['csv', 'row,column,timestamp,type,value\nr,f:q,x,Put,v\n', /^line 2: /],
  ['csv', 'row,column,timestamp,type,value\nr,f:q,1,Nope,v\n', /^line 2: "Nope" is the type of no cell$/],
  ['csv', 'row,column,timestamp,type,value\n"r,f:q\n', /^line 2: a quote is not closed$/],
  ['csv', 'row,column,timestamp,type,value\n"r"x,f:q,1,Put,v\n', /^line 2: a comma must follow the quote$/],
  [
    'csv',
    'row,column,timestamp,type,value\n\n"r\r\n\ns",f:q,1,Put,v\n\nr,f:q"x",1,Put,v\n',
    /^line 7: a quote within a field/,
  ],
  ['sequence', 'PAX', /^byte 3: the file ends/],
  ['sequence', 'PAR1....', /^it is no sequence file/],
  ['sequence', 'SEQ\x05....', /^a sequence file of version 5, not 6$/],
] as const)('%s: %j is refused with its place', async (name, text, message) => {
  await expect(read(FORMATS[name].read, Buffer.from(text))).rejects.toThrow(message)
})

test('line ends within quotes stay as they are, and errors name the line on which a record begins', async () => {
  const reader = fieldsReader(['HBASE_ROW_KEY', 'f:a'], 1n)
  const cells = await read(reader, Buffer.from('k1,"two\r\nlines"\r\nk2,"one\rreturn"\r\n'), 3)
  expect(cells.map(({ value }) => String(value))).toEqual(['two\r\nlines', 'one\rreturn'])
  await expect(read(reader, Buffer.from('k,"a\n\nb"\n\nk,"a\nb",c\n'))).rejects.toThrow(
    'line 5: 3 fields, not 2',
  )
})

test('a CSV file of others has the fields that are named', async () => {
  const file = 'k1,5,"a ""b"", c",é\r\nk2,6,,"two\nlines"\n'
  const reader = fieldsReader(['HBASE_ROW_KEY', 'HBASE_TS_KEY', 'f:a', 'g:b'], 77n)
  const cells = await read(reader, Buffer.from(file), 3)
  expect(
    cells.map(({ row, family, timestamp, value }) => [row, family, timestamp, value].map(String)),
  ).toEqual([
    ['k1', 'f', '5', 'a "b", c'],
    ['k1', 'g', '5', 'é'],
    ['k2', 'f', '6', ''],
    ['k2', 'g', '6', 'two\nlines'],
  ])
  const [untimed] = await read(fieldsReader(['f:a', 'HBASE_ROW_KEY'], 77n), Buffer.from('v,k'))
  expect([String(untimed!.row), untimed!.timestamp]).toEqual(['k', 77n])
  await expect(read(reader, Buffer.from('k1,5\n'))).rejects.toThrow('line 1: 2 fields, not 4')
})

test('the first line of a CSV file of others is skipped, or names the fields', async () => {
  const file = Buffer.from('\ufeffHBASE_ROW_KEY,f:a\nk,v\n')
  for (const reader of [fieldsReader(undefined, 7n), fieldsReader(['HBASE_ROW_KEY', 'f:a'], 7n, true)]) {
    const cells = await read(reader, file)
    expect(cells.map(({ row, value }) => [row, value].map(String))).toEqual([['k', 'v']])
  }
  await expect(read(fieldsReader(undefined, 7n), Buffer.from('id,f:a\n1,2\n'))).rejects.toThrow(
    'line 1: no field is HBASE_ROW_KEY, the row: correct the header, or name the fields with --fields, and pass --header skip',
  )
  expect(familiesOfFields(['f:a', 'HBASE_ROW_KEY', 'g:b', 'f:c', 'HBASE_TS_KEY']).map(String)).toEqual([
    'f',
    'g',
  ])
})

test.each([
  ['HBASE_ROW_KEY,f:a,f:a', 'two fields are f:a: the row has place for one'],
  ['HBASE_ROW_KEY,HBASE_ROW_KEY,f:a', 'two fields are HBASE_ROW_KEY'],
  ['HBASE_ROW_KEY,HBASE_TS_KEY,HBASE_TS_KEY,f:a', 'two fields are HBASE_TS_KEY'],
  ['HBASE_ROW_KEY,HBASE_CELL_VISIBILITY,f:a', 'HBASE_CELL_VISIBILITY is not supported'],
  ['HBASE_ROW_KEY,,f:a', 'field 2 has no name'],
  ['HBASE_ROW_KEY,HBASE_TS_KEY', 'no field is a column'],
  ['HBASE_ROW_KEY,f:a\rk,v\r', 'a carriage return is no end of a line'],
])('the header %j is refused: %s', async (header, reason) => {
  await expect(read(fieldsReader(undefined, 7n), Buffer.from(`${header}\n`))).rejects.toThrow(
    `line 1: ${reason}`,
  )
})

test('a byte order mark before the first line is no part of it', async () => {
  const others = await read(
    fieldsReader(['HBASE_ROW_KEY', 'f:a'], 7n),
    Buffer.from('\ufeffk,v\n\ufeffm,w\n'),
    1,
  )
  expect(others.map(({ row }) => String(row))).toEqual(['k', '\ufeffm'])
  const quoted = await read(
    fieldsReader(undefined, 7n),
    Buffer.from('\ufeff"HBASE_ROW_KEY","f:a"\r\nk,v\r\n'),
  )
  expect(quoted.map(({ row, value }) => [row, value].map(String))).toEqual([['k', 'v']])
  const table = '\ufeffrow,column,timestamp,type,value\nk,f:a,1,Put,v\n'
  expect((await read(FORMATS.csv.read, Buffer.from(table))).map(({ row }) => String(row))).toEqual(['k'])
  const line = '\ufeff{"key":"k","cells":[{"column":"f:a","timestamp":1,"value":"v"}]}'
  expect((await read(FORMATS.ndjson.read, Buffer.from(line))).map(({ row }) => String(row))).toEqual(['k'])
})
