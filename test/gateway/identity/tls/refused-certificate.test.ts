/** The log and the audit log tell of clients' certificates that a door refuses. */

import { readFileSync } from 'node:fs'
import { connect, type SecureVersion } from 'node:tls'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type RunningServer, startServer } from '../../../../src/cli/serve/start-server.ts'
import { parsedSettings } from '../../../cli/parsed-settings.ts'
import { Authority, type Issued, PemFolder } from '../../../harness/certificates.ts'
import { FREE_PORTS } from '../../../harness/tidegate-process.ts'

type Line = Readonly<Record<string, unknown>>

let folder: PemFolder
let authority: Authority
let server: RunningServer | undefined
let lines: Line[]

beforeEach(async () => {
  folder = new PemFolder()
  authority = await Authority.make()
  lines = []
})
afterEach(async () => {
  await server?.stop()
  folder.remove()
})

async function start(...flags: string[]): Promise<number> {
  const own = folder.write('server', await authority.issue({ name: 'localhost', hosts: ['localhost'] }))
  const files = ['--tls-certificate', own.certificate, '--tls-key', own.key]
  const ca = ['--tls-client-ca', folder.file('ca.pem', authority.certificate)]
  const audit = ['--audit-log', `${folder.path}/audit.log`]
  const settings = parsedSettings('--store', 'memory', ...FREE_PORTS, ...files, ...ca, ...audit, ...flags)
  const logger = pino({ level: 'warn' }, { write: (text) => void lines.push(JSON.parse(text) as Line) })
  server = await startServer(settings, (name) => name, logger)
  return server.doors.get('rpc')!.port
}

/** The code of the error that the client sees, once the connection has ended. */
function attempt(port: number, version: SecureVersion, shown?: Issued): Promise<string> {
  const identity = shown && { cert: shown.certificate, key: shown.key }
  const versions = { minVersion: version, maxVersion: version } as const
  return new Promise((resolve) => {
    let code = 'closed'
    const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false, ...versions, ...identity })
    socket.on('error', (error: NodeJS.ErrnoException) => {
      code = error.code ?? error.message
    })
    socket.resume()
    socket.once('close', () => resolve(code))
  })
}

async function audited(): Promise<string> {
  await server?.stop()
  server = undefined
  return readFileSync(`${folder.path}/audit.log`, 'utf8')
}

describe.each(['TLSv1.2', 'TLSv1.3'] as const)('%s', (version) => {
  test.each([[[]], [['--tls-client-certificates', 'optional']]])(
    'a certificate of another authority is logged with its subject and issuer, %j',
    async (flags) => {
      const port = await start(...flags)
      const other = await Authority.make('Other CA')
      const strange = await other.issue({ name: 'mallory' })
      for (let times = 0; times < 3; times++) await attempt(port, version, strange)
      const logged = lines.filter(({ code }) => code !== undefined)
      expect(logged).toEqual([
        expect.objectContaining({
          door: 'rpc',
          remote: '127.0.0.1',
          subject: 'CN=mallory',
          issuer: 'CN=Other CA',
          msg: expect.stringMatching(/^rpc: the client's certificate is refused: UNABLE_TO_/) as string,
        }),
      ])
      expect(await audited()).toMatch(
        /"door":"rpc".*"action":"login".*"allowed":false.*refused: UNABLE_TO_\w+ \(subject CN=mallory; issuer CN=Other CA\)/,
      )
    },
  )

  test('a missing one is reported, to the client as well', async () => {
    const port = await start()
    const code = await attempt(port, version)
    expect(code).toMatch(version === 'TLSv1.3' ? /ALERT_CERTIFICATE_REQUIRED/ : /ALERT_HANDSHAKE_FAILURE/)
    expect(lines).toEqual([
      expect.objectContaining({
        code: 'CERTIFICATE_MISSING',
        remote: '127.0.0.1',
        msg: 'rpc: the client has shown no certificate',
      }),
    ])
    expect(await audited()).toContain('the client has shown no certificate')
  })
})

test('refused certificates are counted by door and reason, and the audit log has the name that they claim', async () => {
  const port = await start()
  const late = await authority.issue({ name: 'alice', days: -1 })
  for (let times = 0; times < 3; times++) await attempt(port, 'TLSv1.3', late)
  await attempt(port, 'TLSv1.3')
  const metrics = (await server!.report.metrics()).flat()
  const refused = metrics.find(({ name }) => name === 'tidegate_refused_certificates_total')!
  expect(refused).toMatchObject({
    values: [
      { value: 3, labels: { door: 'rpc', reason: 'CERT_HAS_EXPIRED' } },
      { value: 1, labels: { door: 'rpc', reason: 'CERTIFICATE_MISSING' } },
    ],
  })
  const [line] = (await audited()).split('\n')
  expect(JSON.parse(line!)).toMatchObject({ claimedUser: 'alice', allowed: false })
  expect(line).not.toContain('"user"')
})

test('names of certificates are bounded and printable', async () => {
  const port = await start()
  const other = await Authority.make('Other CA')
  await attempt(port, 'TLSv1.3', await other.issue({ name: `a\u0007,O=${'b'.repeat(300)}` }))
  const [{ subject } = {}] = lines
  expect(subject).toMatch(/^CN=a\\07, O=b+\.\.\.$/)
  expect(String(subject)).toHaveLength(203)
})
