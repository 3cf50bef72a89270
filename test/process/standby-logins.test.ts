/** A leader and its standby, both behind encryption, passwords and permissions: each logs in at the other one by the flags of docs/standby.md. */

import { execFile } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { writeUser } from '../../src/gateway/identity/guard/passwords/users-file.ts'
import { Authority } from '../harness/certificates.ts'
import type { ChildServer } from '../harness/child-server.ts'
import { keptPort } from '../harness/kept-port.ts'
import { MAIN, makeTemporaryFolder, startTidegate } from '../harness/tidegate-process.ts'

const folder = makeTemporaryFolder()
const at = (name: string): string => join(folder, name)
const passwordOf = (user: string): string => `${user} has a password`
const servers: ChildServer[] = []
let shared: readonly string[]

beforeAll(async () => {
  const authority = await Authority.make()
  const { certificate, key } = await authority.issue({ name: 'localhost', hosts: ['localhost', '127.0.0.1'] })
  writeFileSync(at('ca'), authority.certificate)
  writeFileSync(at('certificate'), certificate)
  writeFileSync(at('key'), key, { mode: 0o600 })
  for (const user of ['root', 'alice']) {
    await writeUser(at('users'), user, passwordOf(user))
    writeFileSync(at(`password-${user}`), `${passwordOf(user)}\n`, { mode: 0o600 })
  }
  const encrypted = ['--tls-certificate', at('certificate'), '--tls-key', at('key')]
  const permitted = ['--users', at('users'), '--authorization', '--superuser', 'root']
  const other = ['--follow-user', 'root', '--follow-password-file', at('password-root'), '--follow-tls-ca']
  shared = ['--advertise', 'localhost', ...encrypted, ...permitted, ...other, at('ca')]
}, 30_000)

afterAll(async () => {
  for (const server of servers) await server.stop()
  rmSync(folder, { recursive: true, force: true })
})

async function start(name: string, port: number, ...flags: readonly string[]): Promise<ChildServer> {
  const server = await startTidegate(`native:${at(name)}`, '--rpc', String(port), ...shared, ...flags)
  servers.push(server)
  return server
}

/** The output of a command that logs in as the user, with its exit code in front. */
function run(user: string, port: number, command: string, ...flags: readonly string[]): Promise<string> {
  const login = ['--tls-ca', at('ca'), '--user', user, '--password-file', at(`password-${user}`)]
  const args = [MAIN, command, '--address', `rpc:localhost:${port}`, ...login, ...flags]
  return new Promise((resolve) => {
    execFile(process.execPath, args, { encoding: 'utf8' }, (error, stdout, stderr) =>
      resolve(`${error?.code ?? 0} ${stdout}${stderr}`),
    )
  })
}

const shell = (user: string, port: number, line: string): Promise<string> =>
  run(user, port, 'shell', '-e', line)

interface Pair {
  readonly name: string
  readonly leader: ChildServer
  readonly first: number
  readonly second: number
}

/** A leader whose table alice may read, and a standby that has it. */
async function startPair(name: string): Promise<Pair> {
  const [first, second] = [await keptPort(), await keptPort()]
  const leader = await start(`${name}-leader`, first)
  const made = await shell('root', first, "create 't','f'; put 't','r','f:q','one'; grant 'alice','R','t'")
  expect(made).toMatch(/^0 /)
  await start(`${name}-standby`, second, '--follow', `rpc:localhost:${first}`)
  await shell('root', first, "put 't','r2','f:q','two'")
  // The permissions follow, too.
  await vi.waitFor(async () => expect(await shell('alice', second, "get 't','r2'")).toContain('value=two'), {
    timeout: 30_000,
  })
  return { name, leader, first, second }
}

const PUT = "put 't','r3','f:q','three'"

test('a standby is promoted by an administrator, and its leader steps down', {
  timeout: 120_000,
}, async () => {
  const { first, second } = await startPair('living')
  expect(await run('alice', second, 'promote')).toMatch(/^2 [^]*Insufficient permissions for user 'alice'/)
  expect(await run('root', second, 'promote', '--wait')).toMatch(/^0 [^]*nothing is lost/)
  expect(await shell('root', first, PUT)).toMatch(new RegExp(`^1 [^]*localhost:${second} was promoted`))
  expect(await shell('root', second, PUT)).toMatch(/^0 /)
})

test('a leader that was dead asks its standby, and does not lead', { timeout: 120_000 }, async () => {
  const { name, leader, first, second } = await startPair('dead')
  await leader.stop('SIGKILL')
  expect(await run('root', second, 'promote')).toMatch(/^0 [^]*leads in the epoch 2/)
  expect(await shell('root', second, PUT)).toMatch(/^0 /)
  await start(`${name}-leader`, first)
  expect(await shell('root', first, PUT)).toMatch(new RegExp(`^1 [^]*localhost:${second} was promoted`))
})
