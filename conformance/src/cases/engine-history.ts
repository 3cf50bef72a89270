/**
 * A column after a history of writes: every history on families that keep one version, three, deleted cells and all of
 * them for ever, with every kind of query that matters to versions and tombstones.
 */

import type { Request, Scenario, ThriftValue } from '../runner/case.ts'
import { listed, type NamedCase, named } from '../runner/case-list.ts'
import { bytes, createTable, DeleteType, get, put, remove, scan } from './thrift2-requests.ts'

const TABLE = 'conf_history'
const LATEST = 0x7fff_ffff_ffff_ffffn

type Write = (row: string, family: string) => Request

function at(timestamp: bigint, qualifier = 'q'): Write {
  return (row, family) => put(TABLE, row, `${family}:${qualifier}`, `v${timestamp}`, timestamp)
}
function again(timestamp: bigint, value: string): Write {
  return (row, family) => put(TABLE, row, `${family}:q`, value, timestamp)
}
function dropVersion(timestamp: bigint): Write {
  return (row, family) => remove(TABLE, row, DeleteType.version, [`${family}:q`], timestamp)
}
function dropColumn(timestamp: bigint): Write {
  return (row, family) => remove(TABLE, row, DeleteType.column, [`${family}:q`], timestamp)
}
function dropFamily(timestamp: bigint): Write {
  return (row, family) => remove(TABLE, row, DeleteType.family, [family], timestamp)
}
function dropFamilyVersion(timestamp: bigint): Write {
  return (row, family) => remove(TABLE, row, DeleteType.familyVersion, [family], timestamp)
}
function dropNewest(): Write {
  return (row, family) => remove(TABLE, row, DeleteType.version, [`${family}:q`])
}

const five = [at(1n), at(2n), at(3n), at(4n), at(5n)]

/** The writes of each history; its place in this list names its row. */
const HISTORIES: Readonly<Record<string, readonly Write[]>> = {
  'one version': [at(1n)],
  'five versions': five,
  'five versions newest first': [...five].toReversed(),
  'one time thrice': [at(1n), again(1n, 'second'), again(1n, 'third')],
  'five then delete version 5': [...five, dropVersion(5n)],
  'five then delete version 3': [...five, dropVersion(3n)],
  'five then delete column 3': [...five, dropColumn(3n)],
  'five then delete column 5': [...five, dropColumn(5n)],
  'five then delete column 9 then 7 9 10': [...five, dropColumn(9n), at(7n), at(9n), at(10n)],
  'delete column 3 then five': [dropColumn(3n), ...five],
  'delete version 3 then five': [dropVersion(3n), ...five],
  'five then delete family 3': [...five, dropFamily(3n)],
  'delete family 3 then five': [dropFamily(3n), ...five],
  'five then delete family version 4': [...five, dropFamilyVersion(4n)],
  'delete family version 4 then five': [dropFamilyVersion(4n), ...five],
  'five then delete newest': [...five, dropNewest()],
  'five then delete newest twice': [...five, dropNewest(), dropNewest()],
  'five then delete version 5 then 5': [...five, dropVersion(5n), again(5n, 'again')],
  'five then delete column 5 then 5 6': [...five, dropColumn(5n), again(5n, 'again'), at(6n)],
  'five then delete family 5 then 5 6': [...five, dropFamily(5n), again(5n, 'again'), at(6n)],
  'empty qualifier and delete column': [at(1n, ''), at(2n, ''), at(1n, 'q'), dropColumn(1n)],
  'three columns and delete column': [at(3n, 'p'), at(3n, 'q'), at(3n, 'r'), dropColumn(3n)],
  'three columns and delete family': [
    at(3n, 'p'),
    at(3n, 'q'),
    at(3n, 'r'),
    dropFamily(2n),
    at(2n, 'q'),
    at(1n, 'p'),
  ],
  'three columns and delete versions': [
    at(3n, 'p'),
    at(4n, 'q'),
    at(5n, 'r'),
    dropFamilyVersion(4n),
    dropVersion(5n),
  ],
  'times 0 and 1': [at(0n), at(1n)],
  'times beyond 2 to the 53': [at(9007199254740993n), at(9007199254740992n)],
  'times of the far future': [at(1579132800000000000n), at(9223372036854775806n)],
  'delete newest of the far future': [at(9223372036854775806n), dropNewest()],
  'delete at 0': [at(4n), dropColumn(0n), dropFamily(0n)],
  'five then delete versions 2 4 9': [...five, dropVersion(2n), dropVersion(4n), dropVersion(9n)],
}

const QUERIES: Readonly<Record<string, (family: string) => Readonly<Record<string, ThriftValue>>>> = {
  'one version': (family) => ({ columns: [{ family: bytes(family) }] }),
  'two versions': (family) => ({ columns: [{ family: bytes(family) }], maxVersions: 2 }),
  'all versions': (family) => ({ columns: [{ family: bytes(family) }], maxVersions: 100 }),
  column: (family) => ({ columns: [{ family: bytes(family), qualifier: bytes('q') }], maxVersions: 100 }),
  'at 3': (family) => ({ columns: [{ family: bytes(family) }], timestamp: 3n }),
  'from 2 before 4': (family) => ({
    columns: [{ family: bytes(family) }],
    timeRange: { minStamp: 2n, maxStamp: 4n },
    maxVersions: 100,
  }),
  'before 3': (family) => ({
    columns: [{ family: bytes(family) }],
    timeRange: { minStamp: 0n, maxStamp: 3n },
  }),
  'from 4': (family) => ({
    columns: [{ family: bytes(family) }],
    timeRange: { minStamp: 4n, maxStamp: LATEST },
    maxVersions: 100,
  }),
}

const FAMILIES = ['one', 'three', 'kept', 'all'] as const

function historyRow(history: number): string {
  return `h${String(history + 1).padStart(2, '0')}`
}

function writes(): Request[] {
  return Object.values(HISTORIES).flatMap((history, index) =>
    FAMILIES.flatMap((family) => history.map((write) => write(historyRow(index), family))),
  )
}

function queries(): NamedCase[] {
  return Object.keys(HISTORIES).flatMap((history, index) =>
    FAMILIES.flatMap((family) =>
      Object.entries(QUERIES).map(([query, optionsOf]) =>
        named(`${history} ${family} ${query}`, get(TABLE, historyRow(index), optionsOf(family))),
      ),
    ),
  )
}

function scans(): NamedCase[] {
  return FAMILIES.flatMap((family) =>
    [false, true].flatMap((reversed) =>
      [1, 3, 100].map((maxVersions) =>
        named(
          `${family} ${reversed ? 'reversed' : 'forward'} versions ${maxVersions}`,
          scan(TABLE, { columns: [{ family: bytes(family) }], reversed, maxVersions }),
        ),
      ),
    ),
  )
}

export const engineHistory: Scenario = {
  name: 'engine-history',
  tables: [TABLE],
  namespaces: [],
  setup: [
    createTable(TABLE, [
      { name: bytes('one'), maxVersions: 1 },
      { name: bytes('three'), maxVersions: 3 },
      { name: bytes('kept'), maxVersions: 3, keepDeletedCells: 1 },
      { name: bytes('all'), maxVersions: 100 },
    ]),
    ...writes(),
  ],
  cases: [...listed('engine-history', queries()), ...listed('engine-history-scan', scans())],
}
