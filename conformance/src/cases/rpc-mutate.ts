/** ClientService.Mutate: each kind of mutation, as messages and as cell blocks, with conditions. */

import type { RpcFields, Scenario } from '../runner/case.ts'
import { type Listed, labelOf, listed, named } from '../runner/case-list.ts'
import { blocks, checkedOthers, checks } from './rpc-mutate-checks.ts'
import {
  type ColumnChange,
  columns,
  DeleteKind,
  encodedRegion,
  get,
  MutationType,
  mutate,
  mutation,
  region,
} from './rpc-requests.ts'
import { combinations, MAX } from './thrift-caller.ts'
import { bytes, createTable, put } from './thrift2-requests.ts'

const TABLE = 'conf_rpc_mutate'
const VERSIONS = { maxVersions: 10 }
/** HBase: HConstants.LATEST_TIMESTAMP, which clients send for "now". */
const LATEST = MAX

const setup = [
  createTable(TABLE, [{ name: bytes('f'), maxVersions: 3 }, { name: bytes('g') }]),
  ...['checked', 'c1', 'c2', 'c3'].map((row) => put(TABLE, row, 'f:a', 'old', 5n)),
  put(TABLE, 'counter', 'f:n', '\x00\x00\x00\x00\x00\x00\x00\x05', 5n),
  put(TABLE, 'text', 'f:n', 'five', 5n),
]

/** A change of a row of its own, and the row after it. */
function change(
  label: string,
  type: number,
  changes: readonly ColumnChange[],
  options: RpcFields = {},
  more: RpcFields = {},
): Listed {
  const row = `row ${label}`
  return named(label, [mutate(TABLE, mutation(row, type, changes, options), more), get(TABLE, row, VERSIONS)])
}

function puts(): Listed[] {
  const values = ['v', '', '\x00\xff', 'x'.repeat(300)]
  const durabilities = [undefined, 0, 1, 2, 3, 4]
  return [
    ...values.map((value) =>
      change(labelOf({ value: value.slice(0, 3) || 'empty', of: value.length }), MutationType.put, [
        ['f:a', value, 7n],
      ]),
    ),
    ...durabilities.map((durability) =>
      change(labelOf({ durability }), MutationType.put, [['f:a', 'v', 7n]], { durability }),
    ),
    change('two columns of two families', MutationType.put, [
      ['f:b', '1', 7n],
      ['g:a', '2', 8n],
      ['f:a', '3', 9n],
    ]),
    change('two versions of a column', MutationType.put, [
      ['f:a', '1', 7n],
      ['f:a', '2', 8n],
    ]),
    change('one version twice', MutationType.put, [
      ['f:a', '1', 7n],
      ['f:a', '2', 7n],
    ]),
    change('stamp of the mutation', MutationType.put, [['f:a', 'v']], { timestamp: 11n }),
    change(
      'stamps of both',
      MutationType.put,
      [
        ['f:a', 'v', 12n],
        ['f:b', 'v'],
      ],
      { timestamp: 11n },
    ),
    change('stamp zero', MutationType.put, [['f:a', 'v', 0n]]),
    change('stamp of the far future', MutationType.put, [['f:a', 'v', MAX - 1n]]),
    change('stamp beyond long', MutationType.put, [['f:a', 'v', 0xffff_ffff_ffff_fff0n]]),
    change('no qualifier', MutationType.put, [['f', 'v', 7n]]),
    change('qualifier empty', MutationType.put, [['f:', 'v', 7n]]),
    change('no value', MutationType.put, [['f:a', undefined, 7n]]),
    change('family nosuch', MutationType.put, [['x:a', 'v', 7n]]),
    change('family empty', MutationType.put, [[':a', 'v', 7n]]),
    change('no columns', MutationType.put, []),
    change('time to live', MutationType.put, [['f:a', 'v', 7n]], {
      attribute: [{ name: '_ttl', value: bytes('\x00\x00\x00\x00\x7f\xff\xff\xff') }],
    }),
    change('attribute of a client', MutationType.put, [['f:a', 'v', 7n]], {
      attribute: [{ name: 'mine', value: bytes('x') }],
    }),
    change('nonce', MutationType.put, [['f:a', 'v', 7n]], { nonce: 9n }, { nonceGroup: 4n }),
    named('row empty', mutate(TABLE, mutation('', MutationType.put, [['f:a', 'v', 7n]]))),
    named('row too long', mutate(TABLE, mutation('l'.repeat(32_768), MutationType.put, [['f:a', 'v', 7n]]))),
    named('region of no table', mutate('conf_rpc_none', mutation('r', MutationType.put, [['f:a', 'v', 7n]]))),
    named(
      'encoded region',
      mutate(TABLE, mutation('enc', MutationType.put, [['f:a', 'v', 7n]]), { region: encodedRegion(TABLE) }),
    ),
    named('no kind', mutate(TABLE, { row: bytes('k'), columnValue: [] })),
  ]
}

/** Kinds of delete over a row with versions 1 to 3 of f:a and f:b, and g:a. */
function deletes(): Listed[] {
  // The last says nothing: proto2's default is the first of the enumeration.
  const kinds: (readonly [string, number | undefined])[] = [
    ...Object.entries(DeleteKind),
    ['unsaid', undefined],
  ]
  const names = ['f:a', 'f', 'g', 'f:', 'x:a'] as const
  const stamps = [undefined, 1n, 2n, 3n, 9n, LATEST] as const
  return combinations(kinds, names, stamps).map(([[kind, number], name, timestamp]) => {
    const label = labelOf({ delete: kind, of: name, at: timestamp })
    const row = `d ${label}`
    const cells: ColumnChange[] = ['f:a', 'f:b', 'f:', 'g:a'].flatMap((column) =>
      [1n, 2n, 3n].map((at): ColumnChange => [column, `${column}${at}`, at]),
    )
    return named(label, [
      mutate(TABLE, mutation(row, MutationType.put, cells)),
      mutate(TABLE, mutation(row, MutationType.delete, [[name, undefined, timestamp, number]])),
      get(TABLE, row, VERSIONS),
    ])
  })
}

function rowDeletes(): Listed[] {
  return [undefined, 2n, 9n].map((timestamp) => {
    const row = `whole ${timestamp}`
    return named(labelOf({ 'delete row at': timestamp ?? 'now' }), [
      mutate(
        TABLE,
        mutation(row, MutationType.put, [
          ['f:a', '1', 1n],
          ['f:b', '3', 3n],
          ['g:a', '2', 2n],
        ]),
      ),
      mutate(TABLE, mutation(row, MutationType.delete, [], { timestamp })),
      get(TABLE, row, VERSIONS),
    ])
  })
}

function counters(): Listed[] {
  const amounts: readonly (readonly [string, string])[] = [
    ['one', '\x00\x00\x00\x00\x00\x00\x00\x01'],
    ['minus one', '\xff\xff\xff\xff\xff\xff\xff\xff'],
    ['zero', '\x00\x00\x00\x00\x00\x00\x00\x00'],
    ['most', '\x7f\xff\xff\xff\xff\xff\xff\xff'],
    ['least', '\x80\x00\x00\x00\x00\x00\x00\x00'],
    ['of four bytes', '\x00\x00\x00\x01'],
    ['empty', ''],
  ]
  return [
    ...amounts.map(([word, amount]) => {
      const row = `inc ${word}`
      return named(`increment ${word}`, [
        mutate(TABLE, mutation(row, MutationType.put, [['f:n', '\x00\x00\x00\x00\x00\x00\x00\x05', 5n]])),
        mutate(
          TABLE,
          mutation(row, MutationType.increment, [
            ['f:n', amount],
            ['g:new', amount],
          ]),
        ),
        get(TABLE, row, { maxVersions: 1 }),
      ])
    }),
    named(
      'increment of text',
      mutate(TABLE, mutation('text', MutationType.increment, [['f:n', amounts[0]![1]]])),
    ),
    named('increment without answer', [
      mutate(
        TABLE,
        mutation('quiet', MutationType.increment, [['f:n', amounts[0]![1]]], {
          attribute: [{ name: '_rr_', value: bytes('\x00') }],
        }),
      ),
      get(TABLE, 'quiet'),
    ]),
    named('increment at a time', [
      mutate(TABLE, mutation('timed', MutationType.increment, [['f:n', amounts[0]![1], 77n]])),
      get(TABLE, 'timed', VERSIONS),
    ]),
    named('increment within times', [
      mutate(TABLE, mutation('within', MutationType.put, [['f:n', amounts[3]![1], 5n]])),
      mutate(
        TABLE,
        mutation('within', MutationType.increment, [['f:n', amounts[0]![1]]], {
          timeRange: { from: 6n, to: 9n },
        }),
      ),
    ]),
    named('increment of no columns', mutate(TABLE, mutation('none', MutationType.increment, []))),
    named(
      'increment family nosuch',
      mutate(TABLE, mutation('none', MutationType.increment, [['x:n', amounts[0]![1]]])),
    ),
    named('increment with a nonce twice', [
      mutate(TABLE, mutation('nonce', MutationType.increment, [['f:n', amounts[0]![1]]], { nonce: 771n }), {
        nonceGroup: 770n,
      }),
      mutate(TABLE, mutation('nonce', MutationType.increment, [['f:n', amounts[0]![1]]], { nonce: 771n }), {
        nonceGroup: 770n,
      }),
    ]),
  ]
}

function appends(): Listed[] {
  return [
    named('append to nothing', [
      mutate(TABLE, mutation('app1', MutationType.append, [['f:a', 'x']])),
      get(TABLE, 'app1'),
    ]),
    named('append twice', [
      mutate(
        TABLE,
        mutation('app2', MutationType.append, [
          ['f:a', 'x'],
          ['g:b', ''],
        ]),
      ),
      mutate(
        TABLE,
        mutation('app2', MutationType.append, [
          ['f:a', '\x00y'],
          ['g:b', 'z'],
        ]),
      ),
      get(TABLE, 'app2'),
    ]),
    named(
      'append without answer',
      mutate(
        TABLE,
        mutation('app3', MutationType.append, [['f:a', 'x']], {
          attribute: [{ name: '_rr_', value: bytes('\x00') }],
        }),
      ),
    ),
    named('append of no columns', mutate(TABLE, mutation('app4', MutationType.append, []))),
    named('append family nosuch', mutate(TABLE, mutation('app5', MutationType.append, [['x:a', 'x']]))),
    named('append at a time', [
      mutate(TABLE, mutation('app6', MutationType.append, [['f:a', 'x', 77n]])),
      get(TABLE, 'app6', VERSIONS),
    ]),
  ]
}

export const rpcMutate: Scenario = {
  name: 'rpc-mutate',
  tables: [TABLE],
  namespaces: [],
  setup,
  cases: [
    ...listed('rpc-mutate-puts', puts()),
    ...listed('rpc-mutate-deletes', deletes()),
    ...listed('rpc-mutate-row-deletes', rowDeletes()),
    ...listed('rpc-mutate-counters', counters()),
    ...listed('rpc-mutate-appends', appends()),
    ...listed('rpc-mutate-checks', checks()),
    ...listed('rpc-mutate-checked-others', checkedOthers()),
    ...listed('rpc-mutate-blocks', blocks()),
    ...listed('rpc-mutate-other', [
      named(
        'region of the meta table',
        mutate('hbase:meta', mutation('x', MutationType.put, [['f:a', 'v', 7n]]), {
          region: region('hbase:meta'),
        }),
      ),
      named('columns of a get', get(TABLE, 'c1', { column: columns('f:a') })),
    ]),
  ],
}
