/** Changes made of any cells, in any order, beside the plain way to make them. */

import { fromBinary } from '@bufbuild/protobuf'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type LogEntry,
  readReplicateRequest,
} from '../../../../../src/doors/rpc/admin/replication/read-entries.ts'
import { receivedChanges } from '../../../../../src/doors/rpc/admin/replication/received-changes.ts'
import type { CellParts } from '../../../../../src/model/cell.ts'
import { blockOf, CellBlock, cellsOf } from '../../../../../src/model/cell-block.ts'
import { tag } from '../../../../../src/model/cell-tags.ts'
import { HBaseError } from '../../../../../src/model/errors.ts'
import { atOnce, STEP_ELEMENTS, type Steps } from '../../../../../src/model/steps.ts'
import { parseTableName } from '../../../../../src/model/table-name.ts'
import { CellVisibilitySchema } from '../../../../../src/wire/rpc/gen/client_pb.ts'
import { MessageReader } from '../../../../../src/wire/rpc/message-reader.ts'
import { testRuns } from '../../../../harness/test-runs.ts'
import { anyCell } from '../../../../model/arbitrary-cells.ts'
import { cell, messageOf } from './sent-entries.ts'

const takeMemory = (): void => undefined
const TABLES = ['t', 'ns:u'].map(parseTableName)
const CLUSTERS = ['none', 'one'].map((text) => Buffer.from(text))
/** A tag of each type that is treated by itself, and one of none of them. */
const TAGS = [
  tag(1, Buffer.from('acl')),
  tag(2, Buffer.of(0, 0, 0, 1)),
  tag(4, Buffer.of(1)),
  tag(7, Buffer.from('secret')),
  tag(7, Buffer.from('public')),
  tag(8, Buffer.alloc(8)),
  tag(65, Buffer.alloc(0)),
]

interface Mutation {
  readonly table: string
  readonly clusters: Buffer | undefined
  readonly expression: string | undefined
  readonly cells: CellParts[]
}

const anyTags = fc.array(fc.nat(TAGS.length - 1), { maxLength: 3 })
const anyTaggedCell = fc
  .tuple(anyCell, anyTags)
  .map(([parts, numbers]) => ({ parts, tags: numbers.map((number) => TAGS[number]!) }))
type TaggedCell = { readonly parts: CellParts; readonly tags: readonly Buffer[] }

const anyEntry = fc.record({
  table: fc.constantFrom(...TABLES),
  clusters: fc.constantFrom(...CLUSTERS),
  cells: fc.array(anyTaggedCell, { maxLength: 6 }),
})

function partsOf({ parts, tags }: TaggedCell): CellParts {
  return { ...parts, ...(tags.length > 0 && { tags: Buffer.concat(tags) }) }
}

/** Without labels of the other cluster: an expression is returned by itself. */
function received({ parts, tags }: TaggedCell, takesTags: boolean, hasLabels: boolean): [CellParts, string?] {
  const text = hasLabels && takesTags ? tags.find((each) => each[2] === 7) : undefined
  const dropped = text === undefined ? [2, 4] : [2, 4, 7]
  const kept = takesTags ? tags.filter((each) => !dropped.includes(each[2]!)) : []
  const made = partsOf({ parts, tags: kept })
  return text === undefined ? [made] : [made, text.subarray(3).toString()]
}

describe.each([
  [true, true],
  [true, false],
  [false, false],
])('tags in the codec: %s, labels in the store: %s', (takesTags, hasLabels) => {
  test('all cells, in their order, in the mutations of their rows and types', () => {
    fc.assert(
      fc.property(fc.array(anyEntry, { maxLength: 8 }), (sent) => {
        const entries: LogEntry[] = sent.map((each) => ({ ...each, cells: each.cells.length }))
        const block = blockOf(sent.flatMap(({ cells }) => cells.map(partsOf)))
        const expected: Mutation[] = []
        for (const { table, clusters, cells } of sent) {
          let last: { of: Mutation; cell: CellParts } | undefined
          for (const each of cells) {
            const [made, expression] = received(each, takesTags, hasLabels)
            const isSame =
              last !== undefined &&
              last.cell.row.equals(made.row) &&
              last.cell.type === made.type &&
              last.of.expression === expression
            const of = isSame ? last!.of : { table, clusters, expression, cells: [] }
            if (!isSame) expected.push(of)
            of.cells.push(made)
            last = { of, cell: made }
          }
        }
        const { tables } = atOnce(receivedChanges(entries, block, { takesTags, hasLabels, takeMemory }))
        const found = tables.flatMap((changes) => {
          const batch = changes.batch()
          expect(cellsOf(batch.cells.block())).toHaveLength(batch.cells.count)
          return batch.options.map(({ attributes }, index): Mutation => {
            const labels = attributes?.get('VISIBILITY')
            return {
              table: changes.table,
              clusters: attributes?.get('_cs.id'),
              expression: labels && fromBinary(CellVisibilitySchema, labels).expression,
              cells: cellsOf(batch.blockOf(index)),
            }
          })
        })
        for (const table of TABLES) {
          for (const clusters of CLUSTERS) {
            const isOf = (each: Mutation): boolean => each.table === table && each.clusters === clusters
            expect(found.filter(isOf)).toEqual(expected.filter(isOf))
          }
        }
        for (const changes of tables) {
          const { options } = changes.batch()
          expect(new Set(options.map(({ attributes }) => attributes?.get('_cs.id'))).size).toBe(1)
        }
        expect(found).toHaveLength(expected.length)
      }),
      { numRuns: testRuns(300) },
    )
  })
})

const TAKING = { takesTags: true, hasLabels: true, takeMemory }
const ENTRY = { table: TABLES[0]!, clusters: CLUSTERS[0]! }

function refusal(cells: readonly CellParts[], ...counts: readonly number[]): string {
  const entries = counts.map((count) => ({ ...ENTRY, cells: count }))
  try {
    atOnce(receivedChanges(entries, blockOf(cells), TAKING))
  } catch (error) {
    return String(error)
  }
  return 'taken'
}

test('cells of one table, as they came, are not copied', () => {
  const block = blockOf([cell('a', 'f:q', '1'), cell('b', 'f:q', '2')])
  const entries = [
    { ...ENTRY, cells: 1 },
    { ...ENTRY, cells: 1 },
  ]
  const [changes] = atOnce(receivedChanges(entries, block, TAKING)).tables
  const { buffer } = changes!.batch().cells
  expect([buffer.buffer, buffer.byteOffset]).toEqual([block.buffer.buffer, block.buffer.byteOffset])
})

function marker(name: string): CellParts {
  return { ...cell('region', 'METAFAMILY:', 'descriptor'), qualifier: Buffer.from(name) }
}

test('markers are no changes, and those of bulk loads are found', () => {
  const sent = [
    marker('HBASE::FLUSH'),
    cell('a', 'f:q', 'v'),
    marker('HBASE::BULK_LOAD'),
    cell('a', 'f:r', 'v'),
    marker('HBASE::REGION_EVENT::REGION_OPEN'),
    marker('HBASE::COMPACTION'),
    marker('REPLICATION_MARKER'),
  ]
  const entries = [{ ...ENTRY, cells: sent.length }]
  const { tables, bulkLoads } = atOnce(receivedChanges(entries, blockOf(sent), TAKING))
  expect(bulkLoads).toEqual([{ table: ENTRY.table, descriptor: Buffer.from('descriptor') }])
  const batch = tables[0]!.batch()
  expect(cellsOf(batch.cells.block())).toEqual([sent[1], sent[3]])
  expect(batch.length).toBe(1)
  expect(atOnce(receivedChanges([{ ...ENTRY, cells: 0 }], CellBlock.EMPTY, TAKING)).tables).toEqual([])
})

test('what no table may have is refused', () => {
  const one = cell('a', 'f:q', 'v')
  expect(refusal([one], 2)).toContain('Expected=2, index=1')
  expect(refusal([one, one], 1)).toContain('bytes of cells belong to no entry')
  expect(refusal([one], 0x7fffffff)).toContain('index=1')
  expect(refusal([cell('', 'f:q', 'v')], 1)).toContain('a row of 0 bytes')
  expect(refusal([cell('a', ':q', 'v', { type: 14 })], 1)).toContain('a family of 0 bytes')
  expect(refusal([cell('a', 'f:q', 'v', { type: 255 })], 1)).toContain('the type 255')
  expect(refusal([cell('a', 'f:q', 'v', { tags: Buffer.from('none') })], 1)).toContain('no tags')
  expect(refusal([one], 0, 1, 0)).toBe('taken')
})

/** The result, and how many steps it took. */
function counted<Result>(steps: Steps<Result>): [Result, number] {
  for (let count = 1; ; count++) {
    const step = steps.next()
    if (step.done === true) return [step.value, count]
  }
}

/** A message of fields, each of bytes, but for numbers. */
function fields(...each: readonly (readonly [number: number, value: Buffer | number])[]): Buffer {
  return Buffer.concat(
    each.map(([number, value]) =>
      typeof value === 'number'
        ? Buffer.of(number << 3, value)
        : Buffer.concat([Buffer.of((number << 3) | 2, value.length), value]),
    ),
  )
}

const WHOLE_KEY: readonly (readonly [number, Buffer | number])[] = [
  [1, Buffer.from('region')],
  [2, Buffer.from('t')],
  [3, 1],
  [4, 1],
]

function readKey(key: Buffer | undefined): unknown {
  const entry = fields(...(key === undefined ? [] : [[1, key] as const]), [3, 0])
  return atOnce(readReplicateRequest(new MessageReader(fields([1, entry]))))
}

test.each([
  ['key', undefined],
  ['encoded_region_name', fields(...WHOLE_KEY.slice(1))],
  ['table_name', fields(WHOLE_KEY[0]!, ...WHOLE_KEY.slice(2))],
  ['log_sequence_number', fields(...WHOLE_KEY.slice(0, 2), WHOLE_KEY[3]!)],
  ['write_time', fields(...WHOLE_KEY.slice(0, 3))],
  ['family', fields(...WHOLE_KEY, [6, fields([2, 1])])],
  ['scope_type', fields(...WHOLE_KEY, [6, fields([1, Buffer.from('f')])])],
  ['most_sig_bits', fields(...WHOLE_KEY, [8, fields([1, 1])])],
  ['least_sig_bits', fields(...WHOLE_KEY, [8, fields([2, 1])])],
])('an entry without %s is malformed', (name, key) => {
  expect(() => readKey(key)).toThrow(`Message missing required fields: ${name}`)
  expect(readKey(fields(...WHOLE_KEY))).toMatchObject({ entries: [{ table: 't', cells: 0 }] })
})

test('many entries, many cells of an entry, and many scopes of a key are taken in steps', () => {
  const one = cell('a', 'f:q', 'v')
  const count = 20 * STEP_ELEMENTS
  const few = Array.from({ length: count }, () => ({ table: 't', cells: [one] }))
  const [request, steps] = counted(readReplicateRequest(messageOf(few)))
  expect(request.entries).toHaveLength(count)
  expect(steps).toBeGreaterThan(20)
  const block = blockOf(few.flatMap(({ cells }) => cells))
  expect(counted(receivedChanges(request.entries, block, TAKING))[1]).toBeGreaterThan(20)
  expect(counted(receivedChanges([{ ...ENTRY, cells: count }], block, TAKING))[1]).toBeGreaterThan(20)
  const scopes = Array.from({ length: count }, () => ({ family: Buffer.from('f'), scopeType: 1 }) as const)
  const key = { encodedRegionName: Buffer.from('r'), tableName: Buffer.from('t'), logSequenceNumber: 1n }
  const more = { key: { ...key, writeTime: 1n, scopes } }
  expect(counted(readReplicateRequest(messageOf([{ table: 't', cells: [], more }])))[1]).toBeGreaterThan(20)
})

test('changes of very many clusters take memory before they are made, so that a request without memory ends', () => {
  const count = 10_000
  const entries = Array.from({ length: count }, (_, index): LogEntry => {
    const clusters = Buffer.from(`cluster ${index}`)
    return { table: TABLES[0]!, clusters, cells: 1 }
  })
  const block = blockOf(entries.map((_, index) => cell(`r${index}`, 'f:q', '')))
  let taken = 0
  const takes = (bytesMax: number) => (bytes: number) => {
    taken += bytes
    if (taken > bytesMax) throw new HBaseError('OVERLOADED', 'no memory')
  }
  const receive = (bytesMax: number): unknown =>
    atOnce(receivedChanges(entries, block, { ...TAKING, takeMemory: takes(bytesMax) }))
  expect(() => receive(1 << 20)).toThrow('no memory')
  expect(taken).toBeLessThan(2 << 20)
  taken = 0
  receive(Number.POSITIVE_INFINITY)
  expect(taken).toBeGreaterThan(count * 2000)
})
