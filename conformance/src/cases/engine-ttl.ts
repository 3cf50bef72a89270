/** Cells that grow old: TTL, MIN_VERSIONS and KEEP_DELETED_CELLS. Ages are counted from the run, and written in the setup only. */

import type { Request, Scenario, ThriftValue } from '../runner/case.ts'
import { listed, type NamedCase, named } from '../runner/case-list.ts'
import { bytes, createTable, DeleteType, get, put, remove, scan } from './thrift2-requests.ts'

const TABLE = 'conf_ttl'
const DAY_MS = 86_400_000
const TTL_SECONDS = 7 * 86_400

/** Ages of a row's cells in days, in the order of the writes; a row is named after its place. */
const AGES: readonly (readonly number[])[] = [
  [1],
  [8],
  [8, 9, 10, 11],
  [11, 10, 9, 8],
  [0, 8, 9, 10],
  [1, 2, 3, 8],
  [1, 2, 8, 9],
  [6, 8],
]

const FAMILIES: Readonly<Record<string, Readonly<Record<string, ThriftValue>>>> = {
  plain: { maxVersions: 10 },
  ttl: { maxVersions: 10, timeToLive: TTL_SECONDS },
  two: { maxVersions: 10, minVersions: 2, timeToLive: TTL_SECONDS, compressionType: 1 },
  three: { maxVersions: 10, minVersions: 3, timeToLive: TTL_SECONDS },
  kept: { maxVersions: 10, timeToLive: TTL_SECONDS, keepDeletedCells: 1 },
  keptTtl: { maxVersions: 10, minVersions: 1, timeToLive: TTL_SECONDS, keepDeletedCells: 2 },
  one: { maxVersions: 1, timeToLive: TTL_SECONDS },
}

function agedRow(index: number): string {
  return `age${index + 1}`
}

function writes(now: number): Request[] {
  const at = (days: number): bigint => BigInt(now - days * DAY_MS - 60_000)
  return Object.keys(FAMILIES).flatMap((family) => [
    ...AGES.flatMap((ages, index) =>
      ages.map((days) => put(TABLE, agedRow(index), `${family}:q`, `${days} days`, at(days))),
    ),
    ...[1, 2, 8, 9].map((days) => put(TABLE, 'deleted', `${family}:q`, `${days} days`, at(days))),
    remove(TABLE, 'deleted', DeleteType.column, [`${family}:q`], at(2)),
    put(TABLE, 'columns', `${family}:old`, '8 days', at(8)),
    put(TABLE, 'columns', `${family}:young`, '1 day', at(1)),
  ])
}

const VERSIONS = [undefined, 2, 10]

function gets(): NamedCase[] {
  const rows: readonly (readonly [label: string, row: string])[] = [
    ...AGES.map((ages, index) => [`days ${ages.join(' ')}`, agedRow(index)] as const),
    ['deleted', 'deleted'],
    ['columns', 'columns'],
  ]
  return Object.keys(FAMILIES).flatMap((name) =>
    rows.flatMap(([label, row]) =>
      VERSIONS.flatMap((maxVersions) => {
        const asked = `${name} ${label}${maxVersions === undefined ? '' : ` versions ${maxVersions}`}`
        const query = maxVersions === undefined ? {} : { maxVersions }
        const family = bytes(name)
        return [
          named(asked, get(TABLE, row, { ...query, columns: [{ family }] })),
          named(
            `${asked} column`,
            get(TABLE, row, { ...query, columns: [{ family, qualifier: bytes('q') }] }),
          ),
        ]
      }),
    ),
  )
}

const scans: readonly NamedCase[] = [
  named('forward', scan(TABLE, { reversed: false, maxVersions: 10 })),
  named('reversed', scan(TABLE, { reversed: true, maxVersions: 10 })),
]

export const engineTtl: Scenario = {
  name: 'engine-ttl',
  tables: [TABLE],
  namespaces: [],
  setup: [
    createTable(
      TABLE,
      Object.entries(FAMILIES).map(([name, options]) => ({ name: bytes(name), ...options })),
    ),
    ...writes(Date.now()),
  ],
  cases: [...listed('engine-ttl', gets()), ...listed('engine-ttl-scan', scans)],
}
