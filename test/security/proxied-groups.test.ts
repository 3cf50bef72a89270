/** Who may act for a group acts for the users that the groups file names, and for nobody else. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { writeUser } from '../../src/gateway/identity/guard/passwords/users-file.ts'
import { startTidegate } from '../../src/library/start-tidegate.ts'
import { inTemporaryFolder } from '../harness/tidegate-process.ts'

test('a server may act for the members of a group', async () => {
  await inTemporaryFolder(async (folder) => {
    const [users, groups] = [join(folder, 'users'), join(folder, 'groups')]
    await writeUser(users, 'knox', 'knox-password')
    writeFileSync(groups, 'staff: alice\n')
    const proxyUser = 'knox for @staff from 127.0.0.1'
    const server = await startTidegate({ users, groups, authorization: true, superuser: 'root', proxyUser })
    const authorization = `Basic ${Buffer.from('knox:knox-password').toString('base64')}`
    const statusFor = async (user: string): Promise<number> => {
      const url = `http://127.0.0.1:${server.ports.rest}/version?doAs=${user}`
      return (await fetch(url, { headers: { authorization } })).status
    }
    try {
      expect([await statusFor('alice'), await statusFor('bob')]).toEqual([200, 403])
    } finally {
      await server.stop()
    }
  })
})
