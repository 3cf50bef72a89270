import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { CellParts } from '../../../src/model/cell.ts'
import { blockOf } from '../../../src/model/cell-block.ts'
import type { Results, ScannedResults } from '../../../src/model/results.ts'
import { atOnce } from '../../../src/model/steps.ts'
import { BinaryWriter } from '../../../src/wire/thrift/binary-writer.ts'
import { CompactWriter } from '../../../src/wire/thrift/compact-writer.ts'
import { loadSchema } from '../../../src/wire/thrift/idl-files.ts'
import { Output } from '../../../src/wire/thrift/output.ts'
import { type RowResultOptions, RowResults } from '../../../src/wire/thrift/row-results.ts'
import { isLargeValue, serviceCodec } from '../../../src/wire/thrift/service-codec.ts'
import { scatteredOf } from '../../model/scattered.ts'
import { PROTOCOLS, type TestedProtocol } from './protocols.ts'

const codecs = new Map(
  (['thrift1', 'thrift2'] as const).map((idl) => [
    idl,
    serviceCodec([...loadSchema(idl).services.values()][0]!),
  ]),
)

const bytes = fc.uint8Array({ maxLength: 200 }).map((array) => Buffer.from(array))
const arbitraryRow = fc
  .tuple(
    fc.uint8Array({ minLength: 1, maxLength: 40 }),
    fc.uniqueArray(
      fc.record({
        family: fc.constantFrom('f', 'g', 'family').map((text) => Buffer.from(text)),
        qualifier: bytes,
        timestamp: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
        type: fc.constantFrom(4, 8, 10, 12, 14),
        value: bytes,
      }),
      {
        maxLength: 8,
        selector: ({ family, qualifier }) => `${family.toString()}:${qualifier.toString('hex')}`,
      },
    ),
  )
  .map(([row, columns]): CellParts[] => columns.map((column) => ({ ...column, row: Buffer.from(row) })))
const arbitraryRows = fc.array(arbitraryRow, { maxLength: 12 })
/** Mostly enough cells, and large enough, to be staged where they share a memory. */
const manyRows = fc
  .tuple(fc.array(arbitraryRow, { minLength: 8, maxLength: 40 }), fc.integer({ min: 60, max: 300 }))
  .map(([rows, more]) =>
    rows.map((cells) =>
      cells.map((each) => ({
        ...each,
        value: Buffer.concat([each.value, each.row, Buffer.alloc(more, 'v')]),
      })),
    ),
  )

function resultsOf(rows: readonly CellParts[][]): Results {
  return { cells: blockOf(rows.flat()), counts: rows.map((cells) => cells.length) }
}

function scatteredResultsOf(rows: readonly CellParts[][], memories?: number): ScannedResults {
  return { cells: scatteredOf(rows.flat(), memories), counts: rows.map((cells) => cells.length) }
}

/** Written at once, and the same in steps. */
function reply(protocol: TestedProtocol, idl: 'thrift1' | 'thrift2', method: string, value: unknown): Buffer {
  const codec = codecs.get(idl)!.get(method)!
  const whole = protocol.write((writer) => codec.writeReply(writer, 3, value))
  const inSteps = protocol.write((writer) => atOnce(codec.replyInSteps(writer, 3, value)))
  expect(inSteps.equals(whole)).toBe(true)
  return whole
}

const columnName = ({ family, qualifier }: CellParts): Buffer =>
  Buffer.concat([family, Buffer.from(':'), qualifier])

/** The same rows as plain objects, which the general struct codec encodes. */
function rowObjects(rows: readonly CellParts[][], { sortColumns }: RowResultOptions): unknown[] {
  return rows
    .filter((cells) => cells.length > 0)
    .map((cells) => {
      const row = cells[0]!.row
      return sortColumns === true
        ? { row, sortedColumns: cells.map((cell) => ({ columnName: columnName(cell), cell })) }
        : { row, columns: cells.map((cell): [Buffer, CellParts] => [columnName(cell), cell]) }
    })
}

function resultObject(cells: readonly CellParts[], partial: boolean): unknown {
  return { row: cells[0]?.row, columnValues: cells, stale: false, partial }
}

const cell = (qualifier: string, value: string): CellParts => ({
  row: Buffer.from('r'),
  family: Buffer.from('f'),
  qualifier: Buffer.from(qualifier),
  timestamp: 5n,
  type: 4,
  value: Buffer.from(value),
})

describe.each(PROTOCOLS)('rows from cells are the bytes of the same rows as objects, $name', (protocol) => {
  test.each([{ sortColumns: false }, { sortColumns: true }])('Thrift 1, %o', (options) => {
    fc.assert(
      fc.property(arbitraryRows, (rows) => {
        const expected = reply(protocol, 'thrift1', 'getRows', rowObjects(rows, options))
        expect(
          reply(protocol, 'thrift1', 'getRows', new RowResults(resultsOf(rows), undefined, options)),
        ).toEqual(expected)
        const scattered = new RowResults(scatteredResultsOf(rows), undefined, options)
        expect(reply(protocol, 'thrift1', 'getRows', scattered)).toEqual(expected)
        const cells = reply(protocol, 'thrift1', 'getVer', rows.flat())
        for (const given of [resultsOf(rows), scatteredResultsOf(rows)]) {
          expect(reply(protocol, 'thrift1', 'getVer', new RowResults(given))).toEqual(cells)
        }
      }),
      { numRuns: 60 },
    )
  })

  test('Thrift 1, of many cells in one memory', () => {
    fc.assert(
      fc.property(manyRows, (rows) => {
        const given = new RowResults(scatteredResultsOf(rows, 1))
        expect(reply(protocol, 'thrift1', 'getRows', given)).toEqual(
          reply(protocol, 'thrift1', 'getRows', rowObjects(rows, {})),
        )
      }),
      { numRuns: 40 },
    )
    const versions = Array.from({ length: 20 }, () => [cell('a', 'v'.repeat(100)), cell('a', 'w'.repeat(99))])
    expect(reply(protocol, 'thrift1', 'getRows', new RowResults(scatteredResultsOf(versions, 1)))).toEqual(
      reply(protocol, 'thrift1', 'getRows', new RowResults(resultsOf(versions))),
    )
  })

  test('Thrift 2', () => {
    fc.assert(
      fc.property(arbitraryRows, fc.boolean(), (rows, lastIsPartial) => {
        const partial = rows.map((_, i) => lastIsPartial && i === rows.length - 1)
        const expected = rows.map((cells, i) => resultObject(cells, partial[i]!))
        const objects = reply(protocol, 'thrift2', 'getMultiple', expected)
        const object = reply(protocol, 'thrift2', 'get', resultObject(rows[0] ?? [], false))
        for (const given of [resultsOf, scatteredResultsOf]) {
          const results = new RowResults(given(rows), undefined, { partial })
          expect(reply(protocol, 'thrift2', 'getMultiple', results)).toEqual(objects)
          const first = new RowResults(given(rows.slice(0, 1)))
          expect(reply(protocol, 'thrift2', 'get', first)).toEqual(object)
        }
      }),
      { numRuns: 60 },
    )
  })

  test('of several versions of a column the map has the last, the list all', () => {
    const rows = [
      [cell('a', '1'), cell('a', '2'), cell('b', '3'), cell('c', '4'), cell('c', '5')],
      [cell('c', '6')],
    ]
    const last = [[cell('a', '2'), cell('b', '3'), cell('c', '5')], [cell('c', '6')]]
    const map = reply(protocol, 'thrift1', 'getRows', new RowResults(resultsOf(rows)))
    expect(map).toEqual(reply(protocol, 'thrift1', 'getRows', rowObjects(last, {})))
    expect(reply(protocol, 'thrift1', 'getRows', new RowResults(scatteredResultsOf(rows)))).toEqual(map)
    // The only column with two versions lies in the second memory, then in the third.
    const second = [[cell('a', '1'), cell('b', '2'), cell('b', '3')]]
    expect(reply(protocol, 'thrift1', 'getRows', new RowResults(scatteredResultsOf(second)))).toEqual(
      reply(protocol, 'thrift1', 'getRows', rowObjects([[second[0]![0]!, second[0]![2]!]], {})),
    )
    const list = reply(
      protocol,
      'thrift1',
      'getRows',
      new RowResults(resultsOf(rows), undefined, { sortColumns: true }),
    )
    expect(list).toEqual(reply(protocol, 'thrift1', 'getRows', rowObjects(rows, { sortColumns: true })))
  })

  test.each([
    ['thrift1', 'getRows', {}],
    ['thrift1', 'getRows', { sortColumns: true }],
    ['thrift1', 'getVer', {}],
    ['thrift2', 'getMultiple', {}],
    ['thrift2', 'get', {}],
  ] as const)('in steps %s %s %j writes little at a time, of one row too', (idl, method, options) => {
    const codec = codecs.get(idl)!.get(method)!
    const large = Array.from({ length: 3000 }, (_, i) => cell(`q${i}`, 'v'.repeat(1000)))
    const empty = Array.from({ length: 20_000 }, (): CellParts[] => [])
    for (const given of [resultsOf([large]), scatteredResultsOf([large]), resultsOf(empty)]) {
      const rows = new RowResults(given, undefined, options)
      expect(isLargeValue(rows)).toBe(true)
      const output = new Output()
      const writer = protocol.name === 'binary' ? new BinaryWriter(output) : new CompactWriter(output)
      let written = 0
      for (const _ of codec.replyInSteps(writer, 3, rows)) {
        expect(output.pending - written).toBeLessThan(200_000)
        written = output.pending
      }
      expect(output.pending - written).toBeLessThan(200_000)
    }
  })

  test('an answer of more than a slab', () => {
    const value = Buffer.alloc(300_000, 'v')
    const rows = Array.from({ length: 4 }, (_, i): CellParts[] => [
      {
        row: Buffer.from(`r${i}`),
        family: Buffer.from('f'),
        qualifier: Buffer.from('q'),
        timestamp: 1n,
        type: 4,
        value,
      },
    ])
    const big = reply(protocol, 'thrift1', 'getRows', new RowResults(resultsOf(rows)))
    expect(big.equals(reply(protocol, 'thrift1', 'getRows', rowObjects(rows, {})))).toBe(true)
    expect(big.length).toBeGreaterThan(1_200_000)
  })
})
