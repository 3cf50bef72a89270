import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { packageRoot } from '../../../../src/package-root.ts'
import { askMatrix, type Matrix } from '../../../harness/access/ask-matrix.ts'
import { wantedOfTidegate } from '../../../harness/access/differences.ts'
import { OPERATIONS } from '../../../harness/access/operations.ts'
import { type AuthorizedServer, startAuthorizedServer } from './authorized-server.ts'

/** The answers of a real HBase with its AccessController: npm run access-matrix -- --record. */
const RECORDED = JSON.parse(
  readFileSync(new URL('test/gateway/policies/access/recorded-matrix.json', packageRoot()), 'utf8'),
) as Matrix

const WANTED = wantedOfTidegate(RECORDED)

let server: AuthorizedServer
let matrix: Matrix
beforeAll(async () => {
  server = await startAuthorizedServer()
  matrix = await askMatrix((user) => server.open(user))
})
afterAll(() => server.close())

test.each(Object.keys(OPERATIONS))("%s is for the users of HBase's matrix", (operation) => {
  expect(matrix[operation]).toEqual(WANTED[operation])
})
