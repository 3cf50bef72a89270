/**
 * What a column shows after a history of writes: every history on families that keep one version, three, deleted cells
 * and all of them for ever, asked in every way that matters to versions and tombstones.
 */

import type { Case, Request, Scenario, ThriftValue } from '../runner/case.ts'
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

/** Never reordered: a history's place is part of its cases' ids. */
const HISTORIES: readonly (readonly Write[])[] = [
  [at(1n)],
  five,
  [...five].toReversed(),
  [at(1n), again(1n, 'second'), again(1n, 'third')],
  [...five, dropVersion(5n)],
  [...five, dropVersion(3n)],
  [...five, dropColumn(3n)],
  [...five, dropColumn(5n)],
  [...five, dropColumn(9n), at(7n), at(9n), at(10n)],
  [dropColumn(3n), ...five],
  [dropVersion(3n), ...five],
  [...five, dropFamily(3n)],
  [dropFamily(3n), ...five],
  [...five, dropFamilyVersion(4n)],
  [dropFamilyVersion(4n), ...five],
  [...five, dropNewest()],
  [...five, dropNewest(), dropNewest()],
  [...five, dropVersion(5n), again(5n, 'again')],
  [...five, dropColumn(5n), again(5n, 'again'), at(6n)],
  [...five, dropFamily(5n), again(5n, 'again'), at(6n)],
  [at(1n, ''), at(2n, ''), at(1n, 'q'), dropColumn(1n)],
  [at(3n, 'p'), at(3n, 'q'), at(3n, 'r'), dropColumn(3n)],
  [at(3n, 'p'), at(3n, 'q'), at(3n, 'r'), dropFamily(2n), at(2n, 'q'), at(1n, 'p')],
  [at(3n, 'p'), at(4n, 'q'), at(5n, 'r'), dropFamilyVersion(4n), dropVersion(5n)],
  [at(0n), at(1n)],
  [at(9007199254740993n), at(9007199254740992n)],
  [at(1579132800000000000n), at(9223372036854775806n)],
  [at(9223372036854775806n), dropNewest()],
  [at(4n), dropColumn(0n), dropFamily(0n)],
  [...five, dropVersion(2n), dropVersion(4n), dropVersion(9n)],
]

/** Never reordered either. */
const QUERIES: readonly ((family: string) => Readonly<Record<string, ThriftValue>>)[] = [
  (family) => ({ columns: [{ family: bytes(family) }] }),
  (family) => ({ columns: [{ family: bytes(family) }], maxVersions: 2 }),
  (family) => ({ columns: [{ family: bytes(family) }], maxVersions: 100 }),
  (family) => ({ columns: [{ family: bytes(family), qualifier: bytes('q') }], maxVersions: 100 }),
  (family) => ({ columns: [{ family: bytes(family) }], timestamp: 3n }),
  (family) => ({
    columns: [{ family: bytes(family) }],
    timeRange: { minStamp: 2n, maxStamp: 4n },
    maxVersions: 100,
  }),
  (family) => ({ columns: [{ family: bytes(family) }], timeRange: { minStamp: 0n, maxStamp: 3n } }),
  (family) => ({
    columns: [{ family: bytes(family) }],
    timeRange: { minStamp: 4n, maxStamp: LATEST },
    maxVersions: 100,
  }),
]

const FAMILIES = ['one', 'three', 'kept', 'all'] as const

function rowOf(history: number): string {
  return `h${String(history + 1).padStart(2, '0')}`
}

function writes(): Request[] {
  return HISTORIES.flatMap((history, index) =>
    FAMILIES.flatMap((family) => history.map((write) => write(rowOf(index), family))),
  )
}

function queries(): Case[] {
  return HISTORIES.flatMap((_, history) =>
    FAMILIES.flatMap((family) =>
      QUERIES.map((query, index) => ({
        id: `engine-history-${rowOf(history)}-${family}-${index + 1}`,
        requests: [get(TABLE, rowOf(history), query(family))],
      })),
    ),
  )
}

function scans(): Case[] {
  return FAMILIES.flatMap((family) =>
    [false, true].flatMap((reversed) =>
      [1, 3, 100].map((maxVersions) => ({
        id: `engine-history-scan-${family}-${reversed ? 'reversed' : 'forward'}-${maxVersions}`,
        requests: [scan(TABLE, { columns: [{ family: bytes(family) }], reversed, maxVersions })],
      })),
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
  cases: [...queries(), ...scans()],
}
