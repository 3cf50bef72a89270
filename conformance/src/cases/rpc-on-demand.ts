/**
 * Families on demand: scans and gets whose filter looks at one family, and that read the others only for rows that pass.
 * HBase drops what a filter would have done to cells of the other families.
 */

import type { RpcFields, Scenario } from '../runner/case.ts'
import { type Listed, listed, named } from '../runner/case-list.ts'
import {
  columnValue,
  comparable,
  compare,
  dependentColumn,
  filter,
  list,
  MUST_PASS_ALL,
  MUST_PASS_ONE,
  message,
  singleColumnValue,
  singleColumnValueExclude,
  skip,
} from './filter-protobuf.ts'
import { columns, get, scanAll } from './rpc-requests.ts'
import { bytes, createTable, put } from './thrift2-requests.ts'

const TABLE = 'conf_rpc_on_demand'
const EQUAL = 2
const GREATER = 5

/** Family a is looked at, b and c are the rest. Row r4 has no a:1, r5 nothing else. */
const CELLS: readonly (readonly [row: string, ...names: string[]])[] = [
  ['r1', 'a:1=x', 'a:2=y', 'b:1=x', 'c:1=x'],
  ['r2', 'a:1=y', 'b:1=x', 'b:2=y'],
  ['r3', 'a:1=x', 'c:1=y', 'c:2=x'],
  ['r4', 'a:2=x', 'b:1=y', 'c:1=x'],
  ['r5', 'a:1=x'],
  ['r6', 'b:1=x', 'c:2=y'],
]

const setup = [
  createTable(
    TABLE,
    ['a', 'b', 'c'].map((name) => ({ name: bytes(name), maxVersions: 3 })),
  ),
  ...CELLS.flatMap(([row, ...cells]) =>
    cells.flatMap((cell) => {
      const [name, value] = cell.split('=') as [string, string]
      return [put(TABLE, row, name, 'old', 1n), put(TABLE, row, name, value, 2n)]
    }),
  ),
]

const x = comparable('BinaryComparator', 'x')
const old = comparable('BinaryComparator', 'old')
const single = { operator: EQUAL, of: x }

const FILTERS: Readonly<Record<string, Buffer>> = {
  'single column': singleColumnValue(single),
  'single column if it is there': singleColumnValue({ ...single, ifMissing: true }),
  'single column of any version': singleColumnValue({ operator: EQUAL, of: old, latestOnly: false }),
  'single column of another family': singleColumnValue({ ...single, family: 'b' }),
  'single column greater': singleColumnValue({ operator: GREATER, of: x }),
  'without the single column': singleColumnValueExclude(single),
  'without the single column if it is there': singleColumnValueExclude({ ...single, ifMissing: true }),
  'column value': columnValue({ operator: EQUAL, of: x }),
  'all of two': list(MUST_PASS_ALL, singleColumnValue(single), singleColumnValue({ ...single, family: 'b' })),
  'one of two': list(MUST_PASS_ONE, singleColumnValue(single), singleColumnValue({ ...single, family: 'b' })),
  'all of one and values': list(MUST_PASS_ALL, singleColumnValue(single), compare('ValueFilter', EQUAL, x)),
  'all of one and first keys': list(MUST_PASS_ALL, singleColumnValue(single), filter('FirstKeyOnlyFilter')),
  'all of one and a page': list(
    MUST_PASS_ALL,
    singleColumnValue(single),
    filter('PageFilter', message([1, 1])),
  ),
  'skipping rows': skip(singleColumnValue(single)),
  'while they match': filter('WhileMatchFilter', message([1, singleColumnValue(single)])),
  'dependent columns': dependentColumn(EQUAL, x, 'a', '1', false),
  values: compare('ValueFilter', EQUAL, x),
  families: compare('FamilyFilter', EQUAL, comparable('BinaryComparator', 'b')),
  'first keys': filter('FirstKeyOnlyFilter'),
  prefix: filter('PrefixFilter', message([1, 'r1'])),
}

/** A Filter message of the form that `filter-protobuf` writes, as fields. */
function fieldsOf(serialized: Buffer): RpcFields {
  const name = serialized.subarray(2, 2 + serialized[1]!)
  const rest = serialized.subarray(2 + name.length)
  let at = 1
  while (at < rest.length && (rest[at]! & 0x80) !== 0) at++
  return { name: name.toString('latin1'), serializedFilter: rest.subarray(at + 1) }
}

const HOW: Readonly<Record<string, RpcFields>> = {
  plain: {},
  'of two families': { column: columns('a', 'c') },
  'of two columns': { column: columns('a:1', 'b:1') },
  'of other families': { column: columns('b', 'c') },
  'three versions': { maxVersions: 3 },
  'one of a family': { storeLimit: 1 },
  reversed: { reversed: true },
}

const DEMANDS = {
  unsaid: {},
  yes: { loadColumnFamiliesOnDemand: true },
  no: { loadColumnFamiliesOnDemand: false },
}

function scans(): Listed[] {
  return Object.entries(FILTERS).flatMap(([word, serialized]) =>
    Object.entries(HOW).flatMap(([how, options]) =>
      Object.entries(DEMANDS).map(([demand, asked]) =>
        named(
          `${word} ${how} ${demand}`,
          scanAll(TABLE, { ...options, ...asked, filter: fieldsOf(serialized) }),
        ),
      ),
    ),
  )
}

function gets(): Listed[] {
  return Object.entries(FILTERS).flatMap(([word, serialized]) =>
    Object.entries(DEMANDS).map(([demand, asked]) =>
      named(
        `get ${word} ${demand}`,
        ['r1', 'r3', 'r4'].map((row) =>
          get(TABLE, row, { ...asked, filter: fieldsOf(serialized), maxVersions: 3 }),
        ),
      ),
    ),
  )
}

export const rpcOnDemand: Scenario = {
  name: 'rpc-on-demand',
  tables: [TABLE],
  namespaces: [],
  setup,
  cases: [...listed('rpc-on-demand', scans()), ...listed('rpc-on-demand', gets())],
}
