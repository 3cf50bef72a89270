/** Permissions of single cells, as a real HBase 2.6.1 with its AccessController answered the same questions (askCellAcls). */

import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openMemoryStore } from '../../../../adapters/memory/memory-store.ts'
import { packageRoot } from '../../../../src/package-root.ts'
import { type Answers, askCellAcls } from '../../../harness/access/ask-cell-acls.ts'
import { type AuthorizedServer, startAuthorizedServer, startAuthorizedThread } from './authorized-server.ts'

const RECORDED = new URL('test/gateway/policies/access/recorded-cell-acls.json', packageRoot())
const recorded = JSON.parse(readFileSync(RECORDED, 'utf8')) as Answers
const HOOK_MS = 240_000

const STARTS = {
  native: () => startAuthorizedServer(),
  memory: () => startAuthorizedServer(openMemoryStore({ clock: Date })),
  thread: () => startAuthorizedThread(),
}

for (const [name, start] of Object.entries(STARTS)) {
  let server: AuthorizedServer
  let answers: Answers
  beforeAll(async () => {
    server = await start()
    answers = await askCellAcls((user) => server.open(user))
  }, HOOK_MS)
  afterAll(() => server.close())

  test(`${name}: every step is answered as HBase answers it`, () => {
    expect(answers).toEqual(recorded)
  })
}
