/** A server that goes by an older text of a file says so, to those who may see it. */

import { writeFileSync } from 'node:fs'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { writeUser } from '../../../src/gateway/identity/guard/passwords/users-file.ts'
import { startTidegate, type Tidegate } from '../../../src/library/start-tidegate.ts'
import { PemFolder } from '../../harness/certificates.ts'

const PASSWORD = 'the password of alice'

let folder: PemFolder
let server: Tidegate

beforeEach(() => {
  folder = new PemFolder()
})
afterEach(async () => {
  await server.stop()
  folder.remove()
})

async function health(headers: Readonly<Record<string, string>> = {}): Promise<string> {
  return (await fetch(`http://127.0.0.1:${server.ports.web}/health`, { headers })).text()
}

test('users, groups and keys of tokens', async () => {
  const users = `${folder.path}/users`
  await writeUser(users, 'alice', PASSWORD)
  const groups = folder.file('groups', 'staff: alice\n')
  const secret = folder.file('secret', 'a secret of thirty-two bytes or more')
  const off = { rest: 'off', thrift: 'off', web: 0 } as const
  server = await startTidegate({
    ...off,
    users,
    groups,
    jwtSecret: secret,
    authorization: true,
    superuser: 'alice',
  })
  const authorization = `Basic ${Buffer.from(`alice:${PASSWORD}`).toString('base64')}`
  expect(JSON.parse(await health({ authorization }))).toMatchObject({ status: 'ok' })
  for (const path of [users, groups, secret]) writeFileSync(path, 'nonsense')
  let told = ''
  while (!/users stay as .*keys of tokens stay as .*groups stay as /.test(told))
    told = await health({ authorization })
  expect(JSON.parse(told)).toMatchObject({ status: 'degraded' })
  expect(JSON.parse(await health())).toEqual({ status: 'degraded' })
})
