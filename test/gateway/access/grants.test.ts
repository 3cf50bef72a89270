import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Grants } from '../../../src/gateway/access/grants.ts'
import { Subjects } from '../../../src/gateway/access/subject.ts'
import { ACTIONS, type UserPermission } from '../../../src/model/permission.ts'
import { parseTableName } from '../../../src/model/table-name.ts'
import { testRuns } from '../../harness/test-runs.ts'

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

test('a decision that is remembered is the one that is made anew, for whoever asks and in whatever order', () => {
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
