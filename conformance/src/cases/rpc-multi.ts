/** ClientService.Multi: actions of several regions, atomic and not, with errors of actions and of regions. */

import type { RpcFields, Scenario } from '../runner/case.ts'
import { type Listed, labelOf, listed, named } from '../runner/case-list.ts'
import {
  binaryComparator,
  CompareType,
  columns,
  DeleteKind,
  get,
  MutationType,
  multi,
  mutation,
  region,
  regionAction,
} from './rpc-requests.ts'
import { combinations } from './thrift-caller.ts'
import { bytes, createTable, put } from './thrift2-requests.ts'

const TABLE = 'conf_rpc_multi'
const VERSIONS = { maxVersions: 10 }
const ONE = '\x00\x00\x00\x00\x00\x00\x00\x01'

const setup = [
  createTable(TABLE, [{ name: bytes('f'), maxVersions: 3 }, { name: bytes('g') }], ['m']),
  ...['a', 'b', 'n', 'o'].flatMap((row) => [1n, 2n].map((at) => put(TABLE, row, 'f:a', `${row}${at}`, at))),
]

const getOf = (row: string, options: RpcFields = {}): RpcFields => ({ get: { row: bytes(row), ...options } })
const putOf = (row: string, name = 'f:a', value = 'v', at = 7n): RpcFields => ({
  mutation: mutation(row, MutationType.put, [[name, value, at]]),
})
const deleteOf = (row: string, name = 'f:a'): RpcFields => ({
  mutation: mutation(row, MutationType.delete, [[name, undefined, 9n, DeleteKind.column]]),
})
const incrementOf = (row: string, amount = ONE): RpcFields => ({
  mutation: mutation(row, MutationType.increment, [['f:n', amount]]),
})
const appendOf = (row: string): RpcFields => ({
  mutation: mutation(row, MutationType.append, [['f:a', '+']]),
})

function reads(): Listed[] {
  const options = [
    ['plain', {}],
    ['versions', VERSIONS],
    ['exists', { existenceOnly: true }],
    ['one family', { column: columns('g') }],
    ['family nosuch', { column: columns('x') }],
    ['offset', { storeOffset: 1, storeLimit: 1, ...VERSIONS }],
  ] as const
  return [
    ...options.map(([word, how]) =>
      named(
        `gets ${word}`,
        multi([regionAction(TABLE, [getOf('a', how), getOf('none', how), getOf('b', how)])]),
      ),
    ),
    named(
      'gets of two regions',
      multi([regionAction(TABLE, [getOf('a')]), regionAction(TABLE, [getOf('n')], {}, 'n')]),
    ),
    named(
      'one bad get of three',
      multi([regionAction(TABLE, [getOf('a'), getOf('b', { column: columns('x') }), getOf('a')])]),
    ),
    named(
      'get of a row of another region',
      multi([regionAction(TABLE, [getOf('a'), getOf('n'), getOf('b')])]),
    ),
    named('get of an empty row', multi([regionAction(TABLE, [getOf('a'), getOf('')])])),
    named('no actions', multi([regionAction(TABLE, [])])),
    named('no regions', multi([])),
    named('one region twice', multi([regionAction(TABLE, [getOf('a')]), regionAction(TABLE, [getOf('b')])])),
    named(
      'region of no table',
      multi([regionAction('conf_rpc_none', [getOf('a')]), regionAction(TABLE, [getOf('a')])]),
    ),
    named('action of nothing', multi([regionAction(TABLE, [{}, getOf('a')])])),
    named(
      'indexes of the client',
      multi([
        regionAction(TABLE, [
          { ...getOf('a'), index: 7 },
          { ...getOf('b'), index: 3 },
        ]),
      ]),
    ),
    named('gets without a codec', {
      ...multi([regionAction(TABLE, [getOf('a', VERSIONS), getOf('none')])]),
      withoutCodec: true,
    }),
  ]
}

/** Actions over rows of one case. */
function batch(
  label: string,
  actions: readonly RpcFields[],
  rows: readonly string[],
  options: RpcFields = {},
  more: RpcFields = {},
): Listed {
  return named(label, [
    multi([regionAction(TABLE, actions, options)], more),
    ...rows.map((row) => get(TABLE, row, VERSIONS)),
  ])
}

function writes(): Listed[] {
  return [
    batch('puts', [putOf('b1'), putOf('b2', 'g:a'), putOf('b1', 'f:b')], ['b1', 'b2']),
    batch('one row twice', [putOf('b3', 'f:a', 'x'), putOf('b3', 'f:a', 'y')], ['b3']),
    batch('puts and deletes', [putOf('b4'), deleteOf('b4'), putOf('b5')], ['b4', 'b5']),
    batch('delete before put', [deleteOf('b6'), putOf('b6')], ['b6']),
    batch('one bad put of three', [putOf('b7'), putOf('b8', 'x:a'), putOf('b9')], ['b7', 'b8', 'b9']),
    batch('all puts bad', [putOf('b10', 'x:a'), putOf('b11', 'x:a')], ['b10']),
    batch('put of a row of another region', [putOf('ba'), putOf('z'), putOf('bb')], ['ba', 'bb']),
    batch('put of an empty row', [putOf('bc'), putOf('')], ['bc']),
    batch('increments', [incrementOf('bd'), incrementOf('bd'), incrementOf('be')], ['bd', 'be']),
    batch(
      'increment of four bytes among others',
      [putOf('bf'), incrementOf('bf', '\x01'), putOf('bg')],
      ['bf', 'bg'],
    ),
    batch('appends', [appendOf('bh'), appendOf('bh')], ['bh']),
    batch(
      'all kinds',
      [putOf('bi'), getOf('bi'), incrementOf('bi'), appendOf('bi'), getOf('bi'), deleteOf('bi'), getOf('bi')],
      ['bi'],
    ),
    batch(
      'no answer of increments',
      [
        {
          mutation: mutation('bj', MutationType.increment, [['f:n', ONE]], {
            attribute: [{ name: '_rr_', value: bytes('\x00') }],
          }),
        },
      ],
      ['bj'],
    ),
    batch(
      'a nonce',
      [
        { mutation: mutation('bk', MutationType.increment, [['f:n', ONE]], { nonce: 5n }) },
        { mutation: mutation('bk', MutationType.increment, [['f:n', ONE]], { nonce: 5n }) },
      ],
      ['bk'],
      {},
      { nonceGroup: 99n },
    ),
  ]
}

/** HBase: mutateRow, with all actions on one row. */
function atomic(): Listed[] {
  const whole = { atomic: true }
  return [
    batch('atomic puts', [putOf('x1'), putOf('x1', 'g:a')], ['x1'], whole),
    batch('atomic put and delete', [putOf('x2', 'f:b'), deleteOf('x2')], ['x2'], whole),
    batch('atomic delete of what it puts', [putOf('x3'), deleteOf('x3')], ['x3'], whole),
    batch('atomic with one bad put', [putOf('x4'), putOf('x4', 'x:a')], ['x4'], whole),
    batch('atomic over two rows', [putOf('x5'), putOf('x6')], ['x5', 'x6'], whole),
    batch('atomic increment', [incrementOf('x7'), putOf('x7')], ['x7'], whole),
    batch('atomic append', [appendOf('x8'), putOf('x8', 'g:a')], ['x8'], whole),
    batch('atomic get', [getOf('x9')], [], whole),
    batch('atomic put and get', [putOf('xa'), getOf('xa')], ['xa'], whole),
    batch('atomic nothing', [], [], whole),
    batch('atomic row of another region', [putOf('z9')], [], whole),
    named('atomic in two regions', [
      multi([regionAction(TABLE, [putOf('xb')], whole), regionAction(TABLE, [putOf('y1')], whole, 'y1')]),
      get(TABLE, 'xb'),
      get(TABLE, 'y1'),
    ]),
    named('atomic and not', [
      multi([
        regionAction(TABLE, [putOf('xc')], whole),
        regionAction(TABLE, [putOf('y2', 'x:a'), putOf('y2')], {}, 'y2'),
      ]),
      get(TABLE, 'xc'),
      get(TABLE, 'y2'),
    ]),
  ]
}

function condition(row: string, value: string, compareType: number): RpcFields {
  return {
    row: bytes(row),
    family: bytes('f'),
    qualifier: bytes('a'),
    compareType,
    comparator: binaryComparator(value),
  }
}

/** Checks of the whole request, as 2.3 and older clients ask, and of a region's actions. */
function checks(): Listed[] {
  const places = ['request', 'region'] as const
  const actions = [
    ['put', (row: string) => [putOf(row, 'f:b')]],
    ['put and delete', (row: string) => [putOf(row, 'f:b'), deleteOf(row)]],
    ['increment', (row: string) => [incrementOf(row)]],
    ['bad put', (row: string) => [putOf(row, 'x:b')]],
    ['none', () => []],
  ] as const
  return combinations(places, Object.entries(CompareType), ['old', 'older'] as const, actions).map(
    ([place, [operator, compareType], value, [word, make]]) => {
      const label = labelOf({ [place]: operator, than: value, do: word })
      const row = `c ${label}`
      const checked = { condition: condition(row, value, compareType) }
      const [ofRegion, ofRequest] = place === 'region' ? [checked, {}] : [{}, checked]
      return named(label, [
        multi([regionAction(TABLE, [putOf(row, 'f:a', 'old', 1n)])]),
        multi([regionAction(TABLE, make(row), { atomic: true, ...ofRegion })], ofRequest),
        get(TABLE, row, VERSIONS),
      ])
    },
  )
}

function otherChecks(): Listed[] {
  return [
    named('checks of two regions', [
      multi([
        regionAction(TABLE, [putOf('a', 'g:a')], {
          atomic: true,
          condition: condition('a', 'a2', CompareType.equal),
        }),
        regionAction(
          TABLE,
          [putOf('n', 'g:a')],
          { atomic: true, condition: condition('n', 'other', CompareType.equal) },
          'n',
        ),
      ]),
      get(TABLE, 'a'),
      get(TABLE, 'n'),
    ]),
    named('check of another row', [
      multi([
        regionAction(TABLE, [putOf('k1')], {
          atomic: true,
          condition: condition('a', 'a2', CompareType.equal),
        }),
      ]),
      get(TABLE, 'k1'),
    ]),
    named('check of a row of another region', [
      multi([
        regionAction(TABLE, [putOf('k2')], {
          atomic: true,
          condition: condition('z', 'a2', CompareType.equal),
        }),
      ]),
      get(TABLE, 'k2'),
    ]),
    named('check of a family that is not there', [
      multi([
        regionAction(TABLE, [putOf('k3')], {
          atomic: true,
          condition: { ...condition('k3', 'x', CompareType.equal), family: bytes('x') },
        }),
      ]),
      get(TABLE, 'k3'),
    ]),
    named(
      'region that is none',
      multi([{ region: { type: 1, value: bytes('none') }, action: [{ index: 0, ...getOf('a') }] }]),
    ),
    named(
      'meta region',
      multi([{ region: region('hbase:meta'), action: [{ index: 0, ...getOf('no such row') }] }]),
    ),
  ]
}

export const rpcMulti: Scenario = {
  name: 'rpc-multi',
  tables: [TABLE],
  namespaces: [],
  setup,
  cases: [
    ...listed('rpc-multi-reads', reads()),
    ...listed('rpc-multi-writes', writes()),
    ...listed('rpc-multi-atomic', atomic()),
    ...listed('rpc-multi-checks', checks()),
    ...listed('rpc-multi-other-checks', otherChecks()),
  ],
}
