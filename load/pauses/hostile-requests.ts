/** Requests that each take long, within the limits of a server at its defaults: filters, wide rows, large changes. */

import { CellType } from '../../src/model/cell.ts'
import { CellBlockBuilder } from '../../src/model/cell-block.ts'
import type { Filter } from '../../src/model/filter.ts'
import { DEFAULT_MUTATION_OPTIONS } from '../../src/model/mutation.ts'
import { ALL_VERSIONS, ColumnsBuilder } from '../../src/model/query.ts'
import { LATEST_HIGH, LATEST_LOW } from '../../src/model/timestamp.ts'
import { OWN_CALL } from '../../src/store/call.ts'
import { atOnce, batch, cellsOfColumns, changes, onRow, put, reads, scans } from './asking.ts'
import {
  attackedTable,
  FAMILY,
  fillAttacked,
  numbered,
  QUALIFIER,
  ROWS,
  VERSIONS_FAMILY,
} from './attacked-table.ts'
import {
  BACKTRACKING,
  CANONICAL,
  CANONICAL_BACKTRACKING,
  dependentColumns,
  fuzzyKeys,
  inCharset,
  MANY_STATES,
  otherValues,
  prefixes,
  substrings,
} from './hostile-filters.ts'
import { MULTIS } from './hostile-multis.ts'
import { restRowPage } from './hostile-pages.ts'
import type { Attacked, HostileRequest, Scene } from './scene.ts'

const APPENDED_BYTES = 1_000_000

const ONE = Buffer.from([0, 0, 0, 0, 0, 0, 0, 1])

async function appends(attacked: Attacked): Promise<string> {
  const { table, store, sizes } = attacked
  const row = Buffer.from(`appended${Math.random()}`)
  const value = Buffer.alloc(Math.min(APPENDED_BYTES, sizes.largeBytes / 9), 'a')
  const cells = new CellBlockBuilder(value.length + 64)
  cells.append(row, FAMILY, QUALIFIER, LATEST_HIGH, LATEST_LOW, CellType.Put, value)
  const operations = [{ kind: 'append', cells: cells.block(), returnResults: true } as const]
  const mutation = { row, operations, options: DEFAULT_MUTATION_OPTIONS }
  for (let i = 0; i < 9; i++) await store.rows.mutateRow(table, mutation, OWN_CALL)
  return '9 appends'
}

const onLarge = (name: string, row: Buffer, filter: Filter): HostileRequest[] => [
  { name: `get: ${name}`, send: (attacked) => reads(attacked, row, { filter }) },
  { name: `scan: ${name}`, send: (attacked) => scans(attacked, { ...onRow(row), filter }) },
]

const filtered: readonly HostileRequest[] = [
  ...onLarge('3,000 SubstringComparators on 9 MB', ROWS.large, substrings(3000)),
  ...onLarge('(a|b|c)*a[abc]{900}[^abc] on 1 MB', ROWS.letters, MANY_STATES),
  ...onLarge('200 ValueFilters on 300,000 columns', ROWS.wide, otherValues(200)),
  ...onLarge('a look-ahead on 9 MB', ROWS.large, BACKTRACKING),
  ...onLarge('CANON_EQ on 4 MB', ROWS.accents, CANONICAL),
  ...onLarge('CANON_EQ and a look-ahead on 4 MB', ROWS.accents, CANONICAL_BACKTRACKING),
  ...onLarge('a regular expression in UTF-16 on 9 MB', ROWS.large, inCharset('UTF-16')),
  ...onLarge('a regular expression in ISO-8859-2 on 9 MB', ROWS.large, inCharset('ISO-8859-2')),
  ...onLarge('20 DependentColumnFilters on 300,000 columns', ROWS.wide, dependentColumns(20)),
  ...onLarge('100,000 column prefixes on 300,000 columns', ROWS.wide, prefixes(100_000)),
  {
    name: 'scan: FuzzyRowFilter of 5,000 keys',
    send: (attacked) => scans(attacked, { filter: fuzzyKeys(5000) }),
  },
  {
    name: 'scan, reversed: FuzzyRowFilter of 5,000 keys',
    send: (attacked) => scans(attacked, { filter: fuzzyKeys(5000), reversed: true }),
  },
  {
    name: 'check and mutate: 200 ValueFilters on 300,000 columns',
    send: (attacked) => changes(attacked, ROWS.wide, put(ROWS.wide, 1), otherValues(200)),
  },
  {
    name: '16 scans at once: 200 ValueFilters on 300,000 columns',
    send: (attacked) => atOnce(() => scans(attacked, { ...onRow(ROWS.wide), filter: otherValues(200) })),
  },
  {
    name: '16 gets at once: 3,000 SubstringComparators on 9 MB',
    send: (attacked) => atOnce(() => reads(attacked, ROWS.large, { filter: substrings(3000) })),
  },
]

const rows: readonly HostileRequest[] = [
  { name: 'get: a row of 300,000 columns', send: (attacked) => reads(attacked, ROWS.wide, {}) },
  { name: 'get: a row of 1,000,000 columns', send: (attacked) => reads(attacked, ROWS.wider, {}) },
  {
    name: 'get: all versions of a row of 1,000,000 columns',
    send: (attacked) => reads(attacked, ROWS.wider, { maxVersions: ALL_VERSIONS }),
  },
  {
    name: 'get: 100,000 columns by name',
    send: (attacked) => {
      const columns = new ColumnsBuilder()
      for (let i = 0; i < 100_000; i++) columns.addColumn(FAMILY, numbered('q', i))
      return reads(attacked, ROWS.wider, { columns: columns.build() })
    },
  },
  {
    name: 'get: a page behind 900,000 columns',
    send: (attacked) => reads(attacked, ROWS.wider, { familyOffset: 900_000, familyLimit: 10 }),
  },
  { name: 'get: a row of 300,000 deleted columns', send: (attacked) => reads(attacked, ROWS.deleted, {}) },
  { name: 'get: the newest of 300,000 versions', send: (attacked) => reads(attacked, ROWS.versions, {}) },
  {
    name: 'get: all of 300,000 versions',
    send: (attacked) => reads(attacked, ROWS.versions, { maxVersions: ALL_VERSIONS }),
  },
  { name: 'scan: a row of 300,000 columns', send: (attacked) => scans(attacked, onRow(ROWS.wide)) },
  { name: 'scan: a row of 1,000,000 columns', send: (attacked) => scans(attacked, onRow(ROWS.wider)) },
  {
    name: 'scan, reversed: a row of 1,000,000 columns',
    send: (attacked) => scans(attacked, { ...onRow(ROWS.wider), reversed: true }),
  },
  { name: 'scan: all of the table', send: (attacked) => scans(attacked, {}) },
  { name: 'scan: the newest of 300,000 versions', send: (attacked) => scans(attacked, onRow(ROWS.versions)) },
  {
    name: '16 scans at once: a row of 300,000 columns',
    send: (attacked) => atOnce(() => scans(attacked, onRow(ROWS.wide))),
  },
]

/** Parts of rows, and pages of them. */
const pages: readonly HostileRequest[] = [
  {
    name: 'scan: 1,000,000 columns by ten',
    send: (attacked) => scans(attacked, { ...onRow(ROWS.wider), batch: 10 }),
  },
  {
    name: 'scan: ten columns behind 900,000, by a filter',
    send: (attacked) => {
      const offset = Math.floor(attacked.sizes.widerColumns * 0.9)
      const filter = { kind: 'ColumnPaginationFilter', limit: 10, offset } as const
      return scans(attacked, { ...onRow(ROWS.wider), filter })
    },
  },
  {
    name: 'REST: a page of a row of 1,000,000 columns by a scanner',
    send: (attacked) => restRowPage(attacked, ROWS.wider),
  },
]

const writes: readonly HostileRequest[] = [
  {
    name: 'put: 300,000 columns of one row',
    send: (attacked) =>
      batch(attacked, (made) => {
        for (let i = 0; i < attacked.sizes.wideColumns; i++)
          made.put(Buffer.from('put'), FAMILY, numbered('q', i), Buffer.from('value'))
        made.endMutation()
      }),
  },
  {
    name: 'RowMutations: put 300,000 columns',
    send: (attacked) => changes(attacked, ROWS.wide, put(ROWS.wide, attacked.sizes.wideColumns)),
  },
  {
    name: 'delete: a row of 300,000 columns',
    send: (attacked) => batch(attacked, (made) => made.deleteRow(Buffer.from('put')).endMutation()),
  },
  {
    name: 'delete: the newest versions of 100,000 columns',
    send: (attacked) =>
      batch(attacked, (made) => {
        for (let i = 0; i < attacked.sizes.counters; i++)
          made.deleteVersion(ROWS.wide, FAMILY, numbered('q', i))
        made.endMutation()
      }),
  },
  {
    name: 'delete: the newest 100,000 versions of one column',
    send: (attacked) =>
      batch(attacked, (made) => {
        for (let i = 0; i < attacked.sizes.counters; i++)
          made.deleteVersion(ROWS.versions, VERSIONS_FAMILY, QUALIFIER)
        made.endMutation()
      }),
  },
  {
    name: 'increment: 100,000 columns',
    send: (attacked) =>
      changes(attacked, ROWS.counters, {
        kind: 'increment',
        cells: cellsOfColumns(ROWS.counters, attacked.sizes.counters, ONE).block(),
      }),
  },
  {
    name: 'append: to 100,000 columns',
    send: (attacked) =>
      changes(attacked, ROWS.wider, {
        kind: 'append',
        cells: cellsOfColumns(ROWS.wider, attacked.sizes.counters, Buffer.from('x')).block(),
      }),
  },
  { name: 'append: nine times 1 MB to one column', send: appends },
  {
    name: 'mutateRows: 20,000 rows in one change',
    send: async ({ store, table, sizes }) => {
      const parts = Array.from({ length: Math.min(20_000, sizes.rows) }, (_, index) => {
        const row = numbered('row', index)
        return { row, operations: [put(row, 1)], options: DEFAULT_MUTATION_OPTIONS }
      })
      return (await store.rows.mutateRows(table, { parts }, OWN_CALL)) ? 'applied' : 'not applied'
    },
  },
]

export const ROWS_SCENE: Scene = {
  name: 'rows',
  args: [],
  isOfHBase: true,
  prepare: async ({ store, table, sizes }) => {
    await store.catalog.createTable(attackedTable(table), [], OWN_CALL)
    await fillAttacked(store, table, sizes)
  },
  requests: [...filtered, ...rows, ...pages, ...writes, ...MULTIS],
}
