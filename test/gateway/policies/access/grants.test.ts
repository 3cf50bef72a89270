import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Access } from '../../../../src/gateway/policies/access/access-checker.ts'
import { Grants } from '../../../../src/gateway/policies/access/permissions/grants.ts'
import { Subjects } from '../../../../src/gateway/policies/access/permissions/subject.ts'
import { ACTIONS, type UserPermission } from '../../../../src/model/permission.ts'
import { parseTableName } from '../../../../src/model/table-name.ts'
import { longestTurnOfBestTry } from '../../../harness/longest-turn.ts'
import { testRuns } from '../../../harness/test-runs.ts'

const TURN_MS_MAX = 100
const USERS = ['alice', 'bob', 'root', undefined]
const TABLES = ['t', 'u', 'ns:t'].map((name) => parseTableName(name))
const FAMILIES = [undefined, 'f', 'g'].map((name) => (name === undefined ? undefined : Buffer.from(name)))

const permission: fc.Arbitrary<UserPermission> = fc.record({
  user: fc.constantFrom('alice', 'bob', '@team'),
  permission: fc.record({
    actions: fc.subarray([...ACTIONS]),
    scope: fc.oneof(
      fc.constant({ kind: 'global' } as const),
      fc.constantFrom('default', 'ns').map((namespace) => ({ kind: 'namespace', namespace }) as const),
      fc.record({
        kind: fc.constant('table' as const),
        table: fc.constantFrom(...TABLES),
        family: fc.constantFrom(...FAMILIES),
        qualifier: fc.constant(undefined),
      }),
    ),
  }),
})

test('a remembered decision equals a new one, for all users and in any order', () => {
  const question = fc.tuple(
    fc.constantFrom(...USERS),
    fc.constantFrom(...TABLES),
    fc.constantFrom(...ACTIONS),
  )
  fc.assert(
    fc.property(
      fc.array(permission, { maxLength: 8 }),
      fc.array(question, { maxLength: 60 }),
      (permissions, questions) => {
        const grants = new Grants(permissions)
        const subjects = new Subjects(['root'], new Map([['bob', ['team']]]))
        for (const [user, table, action] of questions) {
          const anew = new Grants(permissions).allowsTable(subjects.of(user), table, action)
          expect(grants.allowsWhole(subjects.of(user), table, action)).toBe(anew)
        }
      },
    ),
    { numRuns: testRuns(200) },
  )
})

test('a user whose groups change has the permissions of the new ones', () => {
  const grants = new Grants([
    { user: '@team', permission: { scope: { kind: 'table', table: TABLES[0]! }, actions: ['READ'] } },
  ])
  const subjects = new Subjects([], new Map([['bob', ['team']]]))
  const mayRead = (): boolean => grants.allowsWhole(subjects.of('bob'), TABLES[0]!, 'READ')
  expect(mayRead()).toBe(true)
  subjects.regroup(new Map())
  expect(mayRead()).toBe(false)
})

test('decisions about more tables than are remembered are right', () => {
  const grants = new Grants([
    { user: 'alice', permission: { scope: { kind: 'table', table: TABLES[0]! }, actions: ['READ'] } },
  ])
  const alice = new Subjects([], new Map()).of('alice')
  for (let number = 0; number < 25_000; number++)
    expect(grants.allowsWhole(alice, parseTableName(`other${number}`), 'READ')).toBe(false)
  expect(grants.allowsWhole(alice, TABLES[0]!, 'READ')).toBe(true)
})

const QUALIFIERS = [undefined, 'p', 'q'].map((name) => (name === undefined ? undefined : Buffer.from(name)))

test('a permission is of what it names and of all within', () => {
  const scope = fc.record({
    kind: fc.constant('table' as const),
    table: fc.constantFrom(...TABLES),
    family: fc.constantFrom(...FAMILIES),
    qualifier: fc.constantFrom(...QUALIFIERS),
  })
  const ofColumns = fc.record({
    user: fc.constantFrom('alice', 'bob', '@team'),
    permission: fc.record({ actions: fc.subarray([...ACTIONS]), scope }),
  })
  fc.assert(
    fc.property(
      fc.array(ofColumns, { maxLength: 8 }),
      scope,
      fc.constantFrom(...ACTIONS),
      (permissions, asked, action) => {
        const grants = new Grants(permissions)
        const bob = new Subjects([], new Map([['bob', ['team']]])).of('bob')
        const own = permissions.filter(
          ({ user, permission: { actions, scope: of } }) =>
            (user === 'bob' || user === '@team') && actions.includes(action) && of.table === asked.table,
        )
        const { table, family, qualifier } = asked
        const isWithin = own.some(({ permission: { scope: of } }) => {
          if (of.family === undefined) return true
          if (family?.equals(of.family) !== true) return false
          return of.qualifier === undefined || qualifier?.equals(of.qualifier) === true
        })
        expect(grants.allowsTable(bob, table, action, family, qualifier)).toBe(isWithin)
        expect(grants.allowsSome(bob, table, action)).toBe(own.length > 0)
        const columns = own.flatMap(({ permission: { scope: of } }) =>
          of.qualifier !== undefined && of.family?.equals(Buffer.from('f')) === true
            ? [of.qualifier.toString()]
            : [],
        )
        const found = grants.columns(bob, table, action, Buffer.from('f')).map(String)
        expect(new Set(found)).toEqual(new Set(columns))
      },
    ),
    { numRuns: testRuns(300) },
  )
})

test('permissions of 20,000 columns are kept, and looked up one by one, in no time', async () => {
  const [table] = TABLES
  const family = Buffer.from('f')
  const qualifiers = Array.from({ length: 20_000 }, (_, i) => Buffer.from(`q${i}`))
  const permissions = qualifiers.map((qualifier): UserPermission => {
    return {
      user: 'alice',
      permission: { scope: { kind: 'table', table: table!, family, qualifier }, actions: ['WRITE'] },
    }
  })
  const alice = new Subjects([], new Map()).of('alice')
  const longest = await longestTurnOfBestTry(TURN_MS_MAX, async () => {
    const access = new Access(alice, new Grants(permissions))
    expect(access.refusalOf(table!, 'WRITE', [[family, qualifiers]])).toBeUndefined()
  })
  expect(longest).toBeLessThan(TURN_MS_MAX)
})
