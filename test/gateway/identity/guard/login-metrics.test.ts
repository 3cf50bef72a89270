/** Metrics of logins and certificates, and the words of a server that only reads, as a server answers them. */

import { statSync } from 'node:fs'
import { request } from 'node:https'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { writeUser } from '../../../../src/gateway/identity/guard/passwords/users-file.ts'
import { startTidegate, type Tidegate } from '../../../../src/library/start-tidegate.ts'
import { Authority, PemFolder } from '../../../harness/certificates.ts'

const PASSWORD = 'the password of alice'

let folder: PemFolder
let server: Tidegate
beforeEach(async () => {
  folder = new PemFolder()
  const own = folder.write('server', await (await Authority.make()).issue({ name: 'localhost', days: 20 }))
  const users = `${folder.path}/users`
  for (const user of ['alice', 'bob']) await writeUser(users, user, PASSWORD)
  server = await startTidegate({
    users,
    web: 0,
    readOnly: true,
    auditLog: `${folder.path}/audit.log`,
    tlsCertificate: own.certificate,
    tlsKey: own.key,
  })
})
afterEach(async () => {
  await server.stop()
  folder.remove()
})

function ask(door: 'rest' | 'web', path: string, login?: string): Promise<string> {
  const auth = login ?? null
  return new Promise((resolve, reject) => {
    const asked = request({ port: server.ports[door], path, auth, rejectUnauthorized: false, agent: false })
    asked.on('error', reject)
    asked.on('response', (answer) => void text(answer).then(resolve, reject))
    asked.end()
  })
}

test('failed and throttled logins are counted by door, and the days of each certificate', async () => {
  await ask('rest', '/version')
  for (let times = 0; times < 7; times++) await ask('rest', '/version', 'alice:another password')
  const metrics = await ask('web', '/metrics', `bob:${PASSWORD}`)
  const valueOf = (name: string): number =>
    Number(new RegExp(`^${name}\\{[^}]*\\} (\\S+)$`, 'm').exec(metrics)?.[1])
  const throttled = valueOf('tidegate_throttled_logins_total')
  expect(throttled).toBeGreaterThan(0)
  expect(valueOf('tidegate_failed_logins_total') + throttled).toBe(7)
  expect(metrics).toContain(`tidegate_certificate_days_left{file="${folder.path}/server.crt"}`)
  expect(valueOf('tidegate_certificate_days_left')).toBeCloseTo(20, 1)
}, 30_000)

test('health shows users that nothing can be changed, and not every user may read the audit log', async () => {
  expect(JSON.parse(await ask('web', '/health', `bob:${PASSWORD}`))).toMatchObject({ readOnly: true })
  expect(JSON.parse(await ask('web', '/health'))).toEqual({ status: 'ok' })
  expect(statSync(`${folder.path}/audit.log`).mode & 0o007).toBe(0)
})
