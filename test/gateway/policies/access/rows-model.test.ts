/** Random grants and requests: the decorator, and the rules in a plain function, agree. */

import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { openMemoryStore } from '../../../../adapters/memory/memory-store.ts'
import { AccessChecker } from '../../../../src/gateway/policies/access/access-checker.ts'
import { authorizedRows } from '../../../../src/gateway/policies/access/cells/authorized-rows.ts'
import { Grants } from '../../../../src/gateway/policies/access/permissions/grants.ts'
import { Subjects } from '../../../../src/gateway/policies/access/permissions/subject.ts'
import { cellsOf } from '../../../../src/model/cell-block.ts'
import { familyDescriptor, tableDescriptor } from '../../../../src/model/descriptor.ts'
import { isHBaseError } from '../../../../src/model/errors.ts'
import { MutationBatch } from '../../../../src/model/mutation.ts'
import { type Action, type PermissionScope, type UserPermission } from '../../../../src/model/permission.ts'
import { type Columns, ColumnsBuilder, get, scan } from '../../../../src/model/query.ts'
import { gathered } from '../../../../src/model/results.ts'
import { namespaceOf, parseTableName, type TableName } from '../../../../src/model/table-name.ts'
import { OWN_CALL } from '../../../../src/store/call.ts'
import { GROUP, MEMBER } from '../../../harness/access/people.ts'
import { SEED, testRuns } from '../../../harness/test-runs.ts'
import { callOf } from './authorized-server.ts'

const TABLES = ['t', 'n:t'].map(parseTableName)
const FAMILIES = ['f', 'g']
const QUALIFIERS = ['p', 'q']
const USERS = ['alice', MEMBER]
const ROW = Buffer.from('r')

let permissions: readonly UserPermission[] = []
const own = openMemoryStore({ clock: Date })
const checker = new AccessChecker(
  new Subjects([], new Map([[MEMBER, [GROUP]]])),
  () => new Grants(lastOf(permissions)),
)
const rows = authorizedRows({
  ...own,
  checker,
  keepsTags: true,
  earlyOut: true,
  aclChanged: () => undefined,
})

beforeAll(async () => {
  await own.catalog.createNamespace({ name: 'n', properties: new Map() }, OWN_CALL)
  const batch = new MutationBatch()
  for (const family of FAMILIES)
    for (const qualifier of QUALIFIERS)
      batch.put(ROW, Buffer.from(family), Buffer.from(qualifier), Buffer.from('v'))
  batch.endMutation()
  const families = FAMILIES.map((name) => familyDescriptor(name))
  for (const table of TABLES) {
    await own.catalog.createTable(tableDescriptor(table, families), [], OWN_CALL)
    await own.rows.mutate(table, batch, OWN_CALL)
  }
})

/** hbase:acl has one cell of a user and a scope. */
function lastOf(granted: readonly UserPermission[]): UserPermission[] {
  return [
    ...new Map(granted.map((each) => [JSON.stringify([each.user, each.permission.scope]), each])).values(),
  ]
}

const anyFamily = fc.constantFrom(...FAMILIES)
const anyQualifier = fc.constantFrom(...QUALIFIERS)
const anyScope: fc.Arbitrary<PermissionScope> = fc.oneof(
  { weight: 1, arbitrary: fc.constant<PermissionScope>({ kind: 'global' }) },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom('default', 'n')
      .map((namespace) => ({ kind: 'namespace', namespace }) as const),
  },
  {
    weight: 8,
    arbitrary: fc
      .tuple(fc.constantFrom(...TABLES), fc.option(anyFamily), fc.option(anyQualifier))
      .map(([table, family, qualifier]) => ({
        kind: 'table' as const,
        table,
        family: family === null ? undefined : Buffer.from(family),
        qualifier: family === null || qualifier === null ? undefined : Buffer.from(qualifier),
      })),
  },
)
const anyPermission: fc.Arbitrary<UserPermission> = fc
  .tuple(
    fc.constantFrom('alice', MEMBER, `@${GROUP}`, 'carol'),
    anyScope,
    fc.subarray<Action>(['READ', 'WRITE', 'ADMIN'], { minLength: 1 }),
  )
  .map(([user, scope, actions]) => ({ user, permission: { scope, actions } }))

type Column = readonly [family: string, qualifier: string | null]
const anyColumns = fc.array(fc.tuple(anyFamily, fc.option(anyQualifier)), { maxLength: 3 })

function columnsOf(columns: readonly Column[]): Columns {
  const builder = new ColumnsBuilder()
  for (const [family, qualifier] of columns) {
    if (qualifier === null) builder.addFamily(Buffer.from(family))
    else builder.addColumn(Buffer.from(family), Buffer.from(qualifier))
  }
  return builder.build()
}

function scopesOf(user: string, action: Action): PermissionScope[] {
  const names = user === MEMBER ? [user, `@${GROUP}`] : [user]
  return lastOf(permissions)
    .filter((each) => names.includes(each.user) && each.permission.actions.includes(action))
    .map(({ permission }) => permission.scope)
}

function covers(scope: PermissionScope, table: TableName, family: string, qualifier: string): boolean {
  if (scope.kind === 'global') return true
  if (scope.kind === 'namespace') return scope.namespace === namespaceOf(table)
  if (scope.table !== table) return false
  if (scope.family !== undefined && scope.family.toString() !== family) return false
  return scope.qualifier === undefined || scope.qualifier.toString() === qualifier
}

/** The cells of the row that HBase's rules let a user see; undefined: the read is refused. */
function expected(user: string, table: TableName, asked: Columns): string | undefined {
  const scopes = scopesOf(user, 'READ')
  const seen = FAMILIES.flatMap((family) =>
    QUALIFIERS.filter((qualifier) => {
      const named = asked.find((each) => each.family.toString() === family)
      const isAsked =
        asked.length === 0 ||
        (named !== undefined &&
          (named.qualifiers === undefined || named.qualifiers.some((each) => each.toString() === qualifier)))
      return isAsked && scopes.some((scope) => covers(scope, table, family, qualifier))
    }).map((qualifier) => `${family}:${qualifier}`),
  )
  return seen.length === 0 ? undefined : seen.join(' ')
}

function isDenied(error: unknown): boolean {
  return isHBaseError(error) && error.code === 'ACCESS_DENIED'
}

function shown(cells: ReturnType<typeof cellsOf>): string {
  return cells.map(({ family, qualifier }) => `${family.toString()}:${qualifier.toString()}`).join(' ')
}

async function orUndefined<Answer>(work: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await work
  } catch (error) {
    if (isDenied(error)) return undefined
    throw error
  }
}

const anyRequest = fc.record({
  granted: fc.array(anyPermission, { maxLength: 5 }),
  user: fc.constantFrom(...USERS),
  table: fc.constantFrom(...TABLES),
  columns: anyColumns,
})
const RUNS = { numRuns: testRuns(1000), ...(SEED === undefined ? {} : { seed: SEED }) }

test('reads show what a user may read, or are refused', async () => {
  let refusals = 0
  await fc.assert(
    fc.asyncProperty(anyRequest, async ({ granted, user, table, columns }) => {
      permissions = granted
      const asked = columnsOf(columns)
      const wanted = expected(user, table, asked)
      if (wanted === undefined) refusals++
      const gets = [get(ROW, { columns: asked })]
      const got = await orUndefined(rows.get(table, gets, { bytes: 10_000 }, callOf(user)))
      expect(got && shown(cellsOf(got.cells))).toBe(wanted)
      const opened = await orUndefined(rows.openScanner(table, scan({ columns: asked }), callOf(user)))
      if (opened === undefined) {
        expect(wanted).toBeUndefined()
        return
      }
      const limits = { rows: 10, bytes: 10_000, allowPartial: false }
      const { results } = await own.handouts.next(opened.id, limits, callOf(user))
      await own.handouts.closeScanner(opened.id)
      expect(shown(cellsOf(gathered(results).cells))).toBe(wanted)
    }),
    RUNS,
  )
  expect(refusals).toBeGreaterThan(RUNS.numRuns / 10)
  expect(refusals).toBeLessThan((RUNS.numRuns * 9) / 10)
})

test('writes need the permission for each of their columns', async () => {
  const cells = fc.array(fc.tuple(anyFamily, anyQualifier), { minLength: 1, maxLength: 3 })
  await fc.assert(
    fc.asyncProperty(anyRequest, cells, async ({ granted, user, table }, written) => {
      permissions = granted
      const batch = new MutationBatch()
      for (const [family, qualifier] of written)
        batch.put(ROW, Buffer.from(family), Buffer.from(qualifier), Buffer.from('v'))
      batch.endMutation()
      const scopes = scopesOf(user, 'WRITE')
      const wanted = written.every(([family, qualifier]) =>
        scopes.some((scope) => covers(scope, table, family, qualifier)),
      )
      const failures = await orUndefined(rows.mutate(table, batch, callOf(user)))
      expect(failures?.length === 0).toBe(wanted)
    }),
    RUNS,
  )
})
