/** No user deletes a cell whose permissions do not allow it, also with other cells in the deletion. */

import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { CellType } from '../../../../src/model/cell.ts'
import { CellBlockBuilder, cellsOf } from '../../../../src/model/cell-block.ts'
import { familyDescriptor, tableDescriptor } from '../../../../src/model/descriptor.ts'
import { MutationBatch } from '../../../../src/model/mutation.ts'
import { get } from '../../../../src/model/query.ts'
import { parseTableName } from '../../../../src/model/table-name.ts'
import { LATEST_TIMESTAMP, timestampHigh, timestampLow } from '../../../../src/model/timestamp.ts'
import { OWN_CALL } from '../../../../src/store/call.ts'
import { aclBytes } from '../../../harness/access/acl-bytes.ts'
import { SUPERUSER } from '../../../harness/access/people.ts'
import { testRuns } from '../../../harness/test-runs.ts'
import { type AuthorizedServer, callOf, startAuthorizedServer } from './authorized-server.ts'

const TABLE = parseTableName('t')
const USER = 'mallory'
const PLAIN = { durability: 'USE_DEFAULT' } as const
const OWN = { ...PLAIN, attributes: new Map([['acl', aclBytes({ [USER]: 'RW' })]]) }
const TO_COME = 99_999_999_999_999n

let server: AuthorizedServer
beforeAll(async () => {
  server = await startAuthorizedServer()
  const families = ['f', 'g'].map((name) => familyDescriptor(name, [['VERSIONS', '9']]))
  const attributes = [['hbase.security.access.early_out', 'false']] as const
  await server.store.catalog.createTable(tableDescriptor(TABLE, families, attributes), [], OWN_CALL)
})
afterAll(() => server.close())

const family = fc.constantFrom<string>('f', 'g')
const qualifier = fc.constantFrom<string>('', 'q', 'r')
const there = fc.record({
  family,
  qualifier,
  time: fc.constantFrom<bigint>(5n, 10n, 20n, TO_COME),
  isOwn: fc.boolean(),
})
type There = typeof there extends fc.Arbitrary<infer Value> ? Value : never

const deleted = fc.record({
  family,
  qualifier,
  time: fc.constantFrom(5n, 10n, 15n, 20n, TO_COME, TO_COME + 1n, LATEST_TIMESTAMP),
  type: fc.constantFrom(
    CellType.Delete,
    CellType.DeleteColumn,
    CellType.DeleteFamily,
    CellType.DeleteFamilyVersion,
  ),
})
type Deleted = typeof deleted extends fc.Arbitrary<infer Value> ? Value : never

const nameOf = ({ family: f, qualifier: q, time }: Pick<There, 'family' | 'qualifier' | 'time'>): string =>
  `${f}:${q}@${time}`

async function write(row: Buffer, cells: readonly There[]): Promise<void> {
  for (const { family: f, qualifier: q, time, isOwn } of cells) {
    const batch = new MutationBatch().put(row, Buffer.from(f), Buffer.from(q), Buffer.of(1), time)
    batch.endMutation(isOwn ? OWN : PLAIN)
    expect(await server.store.rows.mutate(TABLE, batch, callOf(SUPERUSER))).toEqual([])
  }
}

async function left(row: Buffer): Promise<Set<string>> {
  const asked = get(row, { maxVersions: 99 })
  const { cells } = await server.store.rows.get(TABLE, [asked], { bytes: 1e6 }, callOf(SUPERUSER))
  return new Set(
    cellsOf(cells).map(({ family: f, qualifier: q, timestamp: time }) =>
      nameOf({ family: f.toString(), qualifier: q.toString(), time }),
    ),
  )
}

function deletionOf(row: Buffer, cells: readonly Deleted[]) {
  const builder = new CellBlockBuilder()
  for (const { family: f, qualifier: q, time, type } of cells) {
    const isOfColumn = type === CellType.Delete || type === CellType.DeleteColumn
    const [high, low] = [timestampHigh(time), timestampLow(time)]
    builder.append(row, Buffer.from(f), Buffer.from(isOfColumn ? q : ''), high, low, type, Buffer.alloc(0))
  }
  return builder.block()
}

function named(family: string, qualifier: string, time: bigint, isOwn: boolean): There {
  return { family, qualifier, time, isOwn }
}

test('a deletion that is let through takes no cell of others', async () => {
  let number = 0
  const judged = fc.asyncProperty(
    fc.uniqueArray(there, { selector: nameOf, maxLength: 8 }),
    fc.array(deleted, { minLength: 1, maxLength: 4 }),
    async (cells, deletions) => {
      const row = Buffer.from(`row${number++}`)
      await write(row, cells)
      const operations = [{ kind: 'mutate', cells: deletionOf(row, deletions) }] as const
      const mutation = { row, operations, condition: undefined, options: PLAIN }
      const before = await left(row)
      const refused = await server.store.rows.mutateRow(TABLE, mutation, callOf(USER)).then(
        () => undefined,
        (error: unknown) => error,
      )
      const after = await left(row)
      if (refused !== undefined) {
        expect(refused).toMatchObject({ code: 'ACCESS_DENIED' })
        expect(after).toEqual(before)
      }
      const others = cells.filter(({ isOwn }) => !isOwn).map(nameOf)
      expect(others.filter((name) => before.has(name) && !after.has(name))).toEqual([])
    },
  )
  const examples: [There[], Deleted[]][] = [
    [
      [named('f', 'q', 10n, true), named('f', 'r', 10n, false)],
      [
        { family: 'f', qualifier: '', time: LATEST_TIMESTAMP, type: CellType.DeleteFamily },
        { family: 'f', qualifier: 'q', time: LATEST_TIMESTAMP, type: CellType.DeleteColumn },
      ],
    ],
    [
      [named('f', 'q', 10n, true), named('f', 'q', TO_COME, false)],
      [{ family: 'f', qualifier: 'q', time: LATEST_TIMESTAMP, type: CellType.Delete }],
    ],
  ]
  await fc.assert(judged, { numRuns: testRuns(300), examples })
})
