/** A reload that was answered counts for each connection that is opened after it, whichever thread serves that. */

import { once } from 'node:events'
import { connect } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type RunningServer, startServer } from '../../../../src/cli/serve/start-server.ts'
import { writeUser } from '../../../../src/gateway/identity/guard/passwords/users-file.ts'
import { Authority, PemFolder } from '../../../harness/certificates.ts'
import { MOVES_CONNECTIONS } from '../../../harness/newest-node.ts'
import { saslPreface } from '../../../harness/sasl-login.ts'
import { FREE_PORTS } from '../../../harness/tidegate-process.ts'
import { parsedSettings } from '../../parsed-settings.ts'

const CONNECTIONS = 8
const COMPLETE = 5

let pem: PemFolder
let authority: Authority
let server: RunningServer | undefined
const clients: { destroy(): void }[] = []

beforeEach(async () => {
  pem = new PemFolder()
  authority = await Authority.make()
})
afterEach(async () => {
  for (const client of clients.splice(0)) client.destroy()
  await server?.stop()
  pem.remove()
})

async function issue(): Promise<{ certificate: string; key: string }> {
  return pem.write('server', await authority.issue({ name: 'localhost', hosts: ['localhost', '127.0.0.1'] }))
}

async function start(...flags: string[]): Promise<void> {
  const { certificate, key } = await issue()
  const tls = ['--tls-certificate', certificate, '--tls-key', key, '--tls-plain-too', 'thrift']
  const settings = parsedSettings('--store', 'memory', '--threads', '3', ...FREE_PORTS, ...tls, ...flags)
  server = await startServer(settings, (name) => name, pino({ level: 'silent' }))
}

function at(): { port: number; host: string } {
  return { port: server!.doors.get('thrift')!.port, host: '127.0.0.1' }
}

function ofEach<T>(ask: () => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: CONNECTIONS }, ask))
}

/** The certificate that a new connection is shown. */
async function shown(): Promise<string> {
  const socket = connectTls({ ...at(), ca: authority.certificate })
  clients.push(socket)
  await once(socket, 'secureConnect')
  return socket.getPeerCertificate().fingerprint256
}

/** Whether a new connection may log in. */
async function mayLogIn(user: string, password: string): Promise<boolean> {
  const socket = connect(at())
  clients.push(socket)
  await once(socket, 'connect')
  socket.write(saslPreface(user, password).bytes)
  const [answer] = (await once(socket, 'data')) as [Buffer]
  return answer[0] === COMPLETE
}

describe.skipIf(!MOVES_CONNECTIONS)('after a reload', { timeout: 120_000 }, () => {
  test('each connection is shown the new certificate', async () => {
    await start()
    const known = new Set<string>()
    for (let round = 0; round < 3; round++) {
      if (round > 0) {
        await issue()
        await server!.reload()
      }
      const prints = new Set(await ofEach(shown))
      expect(prints.size).toBe(1)
      for (const print of prints) known.add(print)
    }
    expect(known.size).toBe(3)
  })

  test('each connection may log in by the new password alone', async () => {
    const users = pem.file('users', '')
    await writeUser(users, 'alice', 'password 0')
    await start('--users', users)
    expect(await ofEach(() => mayLogIn('alice', 'password 0'))).toEqual(Array(CONNECTIONS).fill(true))
    for (let round = 1; round < 3; round++) {
      await writeUser(users, 'alice', `password ${round}`)
      await server!.reload()
      expect(await ofEach(() => mayLogIn('alice', `password ${round - 1}`))).not.toContain(true)
      expect(await ofEach(() => mayLogIn('alice', `password ${round}`))).not.toContain(false)
    }
  })
})
