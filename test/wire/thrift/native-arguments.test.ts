import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CellType } from '../../../src/model/cell.ts'
import { type CellBlock, cellsOf } from '../../../src/model/cell-block.ts'
import { MutationBatch } from '../../../src/model/mutation.ts'
import { LATEST_TIMESTAMP } from '../../../src/model/timestamp.ts'
import { loadSchema } from '../../../src/wire/thrift/idl-files.ts'
import { RowMutations } from '../../../src/wire/thrift/row-mutations-reader.ts'
import { serviceCodec } from '../../../src/wire/thrift/service-codec.ts'
import { ValueCodecs } from '../../../src/wire/thrift/value-codec.ts'
import { PROTOCOLS, readerOf, type TestedProtocol } from './protocols.ts'

const hbase = loadSchema('thrift1').services.get('Hbase')!
const young = loadSchema('thrift2').services.get('THBaseService')!
const methods = new Map([
  ...[...serviceCodec(hbase)].filter(([name]) => name.startsWith('mutateRow')),
  ...[...serviceCodec(young)].filter(([name]) => name.startsWith('put')),
])
const codecs = new ValueCodecs()
const b = (text: string): Buffer => Buffer.from(text)

const bytes = (minLength: number): fc.Arbitrary<Buffer> =>
  fc.uint8Array({ minLength, maxLength: 300 }).map((array) => Buffer.from(array))

function read(
  protocol: TestedProtocol,
  method: string,
  args: Record<string, unknown>,
): Record<string, unknown> {
  const codec = methods.get(method)!
  const bytes = protocol.write((writer) => codecs.struct(codec.schema.args).write(writer, args))
  const reader = readerOf(protocol, bytes)
  const given = codec.readArguments(reader)
  expect(reader.position).toBe(bytes.length)
  return given
}

function show(block: CellBlock): string[] {
  return cellsOf(block).map(({ row, family, qualifier, timestamp, type, value }) => {
    const time = timestamp === LATEST_TIMESTAMP ? 'now' : timestamp
    return `${row.toString()}/${family.toString()}:${qualifier.toString()}/${time}/${type}=${value.toString()}`
  })
}

function showBatch(batch: unknown): string[] {
  expect(batch).toBeInstanceOf(MutationBatch)
  const mutations = batch as MutationBatch
  return mutations.ends.map(
    (_, i) => `${mutations.options[i]!.durability} ${show(mutations.blockOf(i)).join(' ')}`,
  )
}

function showRows(rows: unknown): { readonly puts: string[]; readonly deletes: string[] } {
  expect(rows).toBeInstanceOf(RowMutations)
  const { puts, deletes } = rows as RowMutations
  return { puts: showBatch(puts), deletes: showBatch(deletes) }
}

describe.each(PROTOCOLS)('writes as cells, $name', (protocol) => {
  test('mutateRows: puts and deletes of all rows apart, the last of a kind says how it is logged', () => {
    const { rowBatches } = read(protocol, 'mutateRows', {
      tableName: b('t'),
      rowBatches: [
        {
          row: b('r1'),
          mutations: [
            { column: b('f:a:b'), value: b('1') },
            { isDelete: true, column: b('f:q'), value: b('ignored') },
            { column: b('f:'), value: b('2'), writeToWAL: false },
          ],
        },
        { row: b('r2'), mutations: [{ isDelete: true, column: b('g'), writeToWAL: false }] },
        { row: b('r3'), mutations: [] },
        { row: b('r4'), mutations: [{ column: b('g:x') }] },
      ],
    })
    expect(showRows(rowBatches)).toEqual({
      puts: ['SKIP_WAL r1/f:a:b/now/4=1 r1/f:/now/4=2', 'SYNC_WAL r4/g:x/now/4='],
      deletes: [
        `SYNC_WAL r1/f:q/now/${CellType.DeleteColumn}=`,
        `SKIP_WAL r2/g:/now/${CellType.DeleteFamily}=`,
      ],
    })
  })

  test('mutateRow: the put and the delete apart; mutateRowsTs and mutateRowTs: the timestamp on every cell', () => {
    const mutations = [
      { column: b('f:q'), value: b('v') },
      { isDelete: true, column: b('f:q') },
    ]
    expect(showRows(read(protocol, 'mutateRow', { row: b('r'), mutations })['mutations'])).toEqual({
      puts: ['SYNC_WAL r/f:q/now/4=v'],
      deletes: ['SYNC_WAL r/f:q/now/12='],
    })
    const atTime = { row: b('r'), mutations, timestamp: 2n ** 53n + 1n }
    expect(showRows(read(protocol, 'mutateRowTs', atTime)['mutations'])).toEqual({
      puts: ['SYNC_WAL r/f:q/9007199254740993/4=v'],
      deletes: ['SYNC_WAL r/f:q/9007199254740993/12='],
    })
    const zero = { rowBatches: [{ row: b('r'), mutations }] }
    expect(showRows(read(protocol, 'mutateRowsTs', zero)['rowBatches'])).toEqual({
      puts: ['SYNC_WAL r/f:q/0/4=v'],
      deletes: ['SYNC_WAL r/f:q/0/12='],
    })
  })

  test.each([
    ['no row', { mutations: [{ column: b('f:q') }] }],
    ['an empty row', { row: b(''), mutations: [{ column: b('f:q') }] }],
    ['no column', { row: b('r'), mutations: [{ value: b('v') }] }],
    ['no family', { row: b('r'), mutations: [{ column: b(':q') }] }],
    ['a long family', { row: b('r'), mutations: [{ column: Buffer.alloc(128, 'f') }] }],
    ['a put of a whole family', { row: b('r'), mutations: [{ column: b('f') }] }],
  ])('%s comes as objects', (_, batch) => {
    const rows = read(protocol, 'mutateRows', { tableName: b('t'), rowBatches: [batch] })
    expect(rows['rowBatches']).toMatchObject([batch])
    expect(rows['tableName']).toEqual(b('t'))
    expect(read(protocol, 'mutateRow', batch)['mutations']).toMatchObject(batch.mutations)
  })

  test('a row of more than 32767 bytes comes as objects', () => {
    for (const [length, isNative] of [
      [0x7fff, true],
      [0x8000, false],
    ] as const) {
      const mutations = [{ column: b('f:q'), value: b('v') }]
      const given = read(protocol, 'mutateRow', { row: Buffer.alloc(length), mutations })['mutations']
      expect(given instanceof RowMutations).toBe(isNative)
    }
  })

  test('attributes or a negative timestamp: as objects', () => {
    const rowBatches = [{ row: b('r'), mutations: [{ column: b('f:q'), value: b('v') }] }]
    const attributes = [[b('_ttl'), Buffer.alloc(8)]]
    const given = read(protocol, 'mutateRows', { tableName: b('t'), rowBatches, attributes })
    expect(given).toMatchObject({ tableName: b('t'), rowBatches, attributes })
    expect(read(protocol, 'mutateRowsTs', { rowBatches, timestamp: -1n })).toMatchObject({
      rowBatches,
      timestamp: -1n,
    })
  })

  test('put and putMultiple: own timestamps, the timestamp of the put, durability', () => {
    const value = { family: b('f'), qualifier: b('q'), value: b('v') }
    const tputs = [
      { row: b('r1'), columnValues: [value, { ...value, qualifier: b('') }] },
      { row: b('r2'), columnValues: [value], timestamp: 7n, durability: 4 },
      {
        row: b('r3'),
        columnValues: [{ ...value, timestamp: 5n, tags: b('x'), type: 4 }],
        timestamp: 7n,
        durability: 1,
      },
    ]
    expect(showBatch(read(protocol, 'putMultiple', { table: b('t'), tputs })['tputs'])).toEqual([
      'USE_DEFAULT r1/f:q/now/4=v r1/f:/now/4=v',
      'FSYNC_WAL r2/f:q/7/4=v',
      'SKIP_WAL r3/f:q/5/4=v',
    ])
    expect(showBatch(read(protocol, 'put', { table: b('t'), tput: tputs[1] })['tput'])).toEqual([
      'FSYNC_WAL r2/f:q/7/4=v',
    ])
  })

  test.each([
    ['own timestamps on some', { columnValues: [{ timestamp: 5n }, {}], timestamp: 7n }],
    ['a negative timestamp', { columnValues: [{}], timestamp: -1n }],
    ['a negative timestamp of a value', { columnValues: [{ timestamp: -1n }] }],
    ['no values', { columnValues: [] }],
    ['attributes', { columnValues: [{}], attributes: [[b('a'), b('b')]] }],
    ['visibility', { columnValues: [{}], cellVisibility: { expression: 'secret' } }],
    ['an empty row', { row: b(''), columnValues: [{}] }],
  ])('a put with %s comes as an object', (_, { columnValues, ...rest }) => {
    const tput = {
      row: b('r'),
      columnValues: columnValues.map((own) => ({ family: b('f'), qualifier: b('q'), value: b('v'), ...own })),
      ...rest,
    }
    expect(read(protocol, 'put', { table: b('t'), tput })['tput']).toMatchObject(tput)
    const plain = { row: b('p'), columnValues: [{ family: b('f'), qualifier: b('q'), value: b('v') }] }
    expect(read(protocol, 'putMultiple', { table: b('t'), tputs: [plain, tput] })['tputs']).toMatchObject([
      plain,
      tput,
    ])
  })

  test('whatever bytes are in them', () => {
    const put = fc
      .record({
        row: bytes(1),
        family: fc
          .uint8Array({ minLength: 1, maxLength: 127 })
          .map((array) => Buffer.from(array.filter((byte) => byte !== 0x3a))),
        qualifier: bytes(0),
        value: bytes(0),
      })
      .filter(({ family }) => family.length > 0)
    fc.assert(
      fc.property(fc.array(put, { maxLength: 30 }), (puts) => {
        const rowBatches = puts.map(({ row, family, qualifier, value }) => ({
          row,
          mutations: [{ column: Buffer.concat([family, b(':'), qualifier]), value }],
        }))
        const rows = read(protocol, 'mutateRows', { tableName: b('t'), rowBatches })['rowBatches']
        const first = (rows as RowMutations).puts
        const tputs = puts.map(({ row, ...column }) => ({ row, columnValues: [column] }))
        const second = read(protocol, 'putMultiple', { table: b('t'), tputs })['tputs'] as MutationBatch
        for (const batch of [first, second]) {
          expect(batch.cells.count).toBe(puts.length)
          expect(cellsOf(batch.cells.block())).toEqual(
            puts.map((each) => ({ ...each, timestamp: LATEST_TIMESTAMP, type: CellType.Put })),
          )
        }
      }),
      { numRuns: 50 },
    )
  })
})
