import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { packageRoot } from '../../../../src/package-root.ts'
import { askMatrix, type Matrix } from '../../../harness/access/ask-matrix.ts'
import { wantedOfTidegate } from '../../../harness/access/differences.ts'
import { OPERATIONS } from '../../../harness/access/operations.ts'
import { type AuthorizedServer, startAuthorizedServer, startAuthorizedThread } from './authorized-server.ts'

/** The answers of a real HBase with its AccessController: npm run access-matrix -- --record. */
const RECORDED = JSON.parse(
  readFileSync(new URL('test/gateway/policies/access/recorded-matrix.json', packageRoot()), 'utf8'),
) as Matrix

const WANTED = wantedOfTidegate(RECORDED)

describe.each([
  ['a server', startAuthorizedServer],
  ['a thread that reads rows itself', startAuthorizedThread],
] as const)('%s', (_, start) => {
  let server: AuthorizedServer
  let matrix: Matrix
  beforeAll(async () => {
    server = await start()
    matrix = await askMatrix((user) => server.open(user))
  })
  afterAll(() => server.close())

  test.each(Object.keys(OPERATIONS))("%s is for the users of HBase's matrix", (operation) => {
    expect(matrix[operation]).toEqual(WANTED[operation])
  })
})
