import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { askMatrix, type Matrix } from '../../harness/access/ask-matrix.ts'
import { OPERATIONS } from '../../harness/access/operations.ts'
import { type AuthorizedServer, startAuthorizedServer } from './authorized-server.ts'

/** What a real HBase with its AccessController has answered: npm run access-matrix -- --record. */
const RECORDED = JSON.parse(readFileSync(new URL('recorded-matrix.json', import.meta.url), 'utf8')) as Matrix

/** Where Tidegate is stricter, or has nothing to refuse: what it answers to whom, by what HBase answers. */
const DIFFERENCES: Readonly<Record<string, (person: string) => string>> = {
  // HBase looks at the columns of an increment once the condition holds, and never at the condition's: anybody can guess values so.
  checkAndIncrement: (person) => RECORDED['checkAndPut']![person]!,
  // HBase does not look at conditions that are filters: who may write can guess values of what he may not read.
  'checkAndPut by a filter': (person) => {
    const recorded = RECORDED['checkAndPut by a filter']![person]!
    const readsAll = RECORDED['scan everything']![person] === RECORDED['scan everything']!['super']
    if (recorded !== 'done' || readsAll) return recorded
    return `denied: Insufficient permissions for user '${person}' (table=acl:t, action=READ)`
  },
  // HBase answers nobody with a denial, and turns nothing for those who may not.
  balanceSwitch: (person) => RECORDED['splitSwitch']![person]!,
  // The engine has none of these chores.
  cleanerChore: () => 'done',
  catalogScan: () => 'done',
}

let server: AuthorizedServer
let matrix: Matrix
beforeAll(async () => {
  server = await startAuthorizedServer()
  matrix = await askMatrix((user) => server.open(user))
})
afterAll(() => server.close())

test.each(Object.keys(OPERATIONS))('%s is for whom HBase lets do it', (operation) => {
  const differing = DIFFERENCES[operation]
  const wanted = Object.entries(RECORDED[operation]!).map(([person, answer]) => [
    person,
    differing === undefined ? answer : differing(person),
  ])
  expect(matrix[operation]).toEqual(Object.fromEntries(wanted))
})
