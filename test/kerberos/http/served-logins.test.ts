/** Tickets and cookies at the built server with threads and with processes: any of them takes a login of another, and none takes a ticket twice. */

import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { openKerberos } from '../../../src/kerberos/gss/open-kerberos.ts'
import type { Kerberos, KerberosLogin } from '../../../src/kerberos/kerberos.ts'
import { Authority, PemFolder } from '../../harness/certificates.ts'
import type { ChildServer } from '../../harness/child-server.ts'
import type { KerberosRealm } from '../../harness/kerberos/kerberos-realm.ts'
import { startKerberosTidegate } from '../../harness/kerberos/kerberos-tidegate.ts'
import { runningRealm } from '../../harness/kerberos/running-parts.ts'

const RUN_MS_MAX = 120_000
const TURNS = 16
const SECRET_KEY = 'hbase.rest.authentication.signature.secret.file'

let folder: string
let realm: KerberosRealm
let kerberos: Kerberos
let alice: KerberosLogin
let bob: KerberosLogin
let server: ChildServer | undefined
let leave: () => void

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'served-logins-'))
  realm = runningRealm()
  const before = Object.keys(realm.environment).map((name) => [name, process.env[name]] as const)
  Object.assign(process.env, realm.environment)
  leave = () => {
    for (const [name, value] of before)
      if (value === undefined) delete process.env[name]
      else process.env[name] = value
  }
  kerberos = openKerberos()
  const logIn = async (name: string): Promise<KerberosLogin> => {
    const keytab = join(folder, name)
    await realm.addPrincipal(name, { keytab })
    return kerberos.logIn({ principal: `${name}@${realm.realm}`, keytab })
  }
  alice = await logIn('sl-alice')
  bob = await logIn('sl-bob')
}, RUN_MS_MAX)
afterEach(async () => {
  await server?.stop()
  server = undefined
})
afterAll(async () => {
  for (const login of [alice, bob]) login?.close()
  await kerberos?.close()
  leave?.()
  rmSync(folder, { recursive: true, force: true })
})

async function serve(...args: readonly string[]): Promise<ChildServer> {
  await server?.stop()
  server = await startKerberosTidegate(realm, folder, ...args)
  return server
}

async function header(login: KerberosLogin = alice): Promise<string> {
  return `Negotiate ${(await login.negotiate(`HTTP/localhost@${realm.realm}`)).toString('base64')}`
}

interface Answered {
  readonly status: number
  readonly cookie: string
}

/** By a connection of its own, which any worker may get. */
function ask(headers: Readonly<Record<string, string>>): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const options = { host: 'localhost', port: server!.port('rest'), path: '/version', headers, agent: false }
    const request = httpRequest(options, (response) => {
      response.resume().once('end', () => {
        const [set = ''] = response.headers['set-cookie'] ?? []
        resolve({ status: response.statusCode ?? 0, cookie: set.split('; ')[0]! })
      })
    })
    request.once('error', reject).end()
  })
}

const WORKERS: readonly (readonly [string, readonly string[]])[] = [
  ['threads', ['--threads', '2']],
  ['processes', ['--processes', '2', '--store', 'hbase:127.0.0.1:1']],
]

describe.each(WORKERS)('two %s', (_, workers) => {
  test(
    'take the cookies of each other, and a ticket once',
    async () => {
      await serve(...workers)
      const cookies: string[] = []
      for (let turn = 0; turn < TURNS; turn++) {
        const { status, cookie } = await ask({ authorization: await header() })
        expect(status).toBe(200)
        cookies.push(cookie)
      }
      for (const cookie of [...cookies, ...cookies]) expect((await ask({ cookie })).status).toBe(200)
      const shown = await header()
      const statuses: number[] = []
      for (let turn = 0; turn < TURNS; turn++) statuses.push((await ask({ authorization: shown })).status)
      expect(statuses).toEqual([200, ...Array.from({ length: TURNS - 1 }, () => 403)])
    },
    RUN_MS_MAX,
  )

  test(
    'take the cookies of before a restart by the file of the secret alone',
    async () => {
      const file = join(folder, 'secret')
      writeFileSync(file, 'a secret that only these servers have')
      chmodSync(file, 0o600)
      await serve(...workers)
      const { cookie: ofOwnSecret } = await ask({ authorization: await header() })
      await serve(...workers, '-D', `${SECRET_KEY}=${file}`)
      expect((await ask({ cookie: ofOwnSecret })).status).toBe(401)
      const anew = await ask({ cookie: ofOwnSecret, authorization: await header() })
      expect([anew.status, anew.cookie]).toEqual([200, expect.stringContaining('u=sl-alice')])
      await serve(...workers, '-D', `${SECRET_KEY}=${file}`)
      for (let turn = 0; turn < TURNS; turn++) expect((await ask({ cookie: anew.cookie })).status).toBe(200)
    },
    RUN_MS_MAX,
  )
})

/** The statuses of all answers on one connection, in their order. */
function statusesOf(port: number, text: string): Promise<string[]> {
  return new Promise((resolve, reject) => {
    let got = ''
    const socket = connect(port, 'localhost', () => socket.write(text))
    socket.on('data', (chunk: Buffer) => {
      got += chunk.toString('latin1')
    })
    socket.once('error', reject)
    socket.once('close', () => resolve([...got.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status!)))
  })
}

test.each([
  ['one thread', []],
  ['threads', ['--threads', '2']],
])(
  'with %s a login counts for its request alone, in whatever order the requests of a connection come',
  async (_, workers) => {
    await serve(...workers, '--timeline', '0')
    for (const [door, path] of [
      ['rest', '/version'],
      ['web', '/metrics'],
      ['timeline', '/ws/v1/timeline/t'],
    ] as const) {
      const asked = (more: string): string => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${more}\r\n`
      const of = async (login: KerberosLogin): Promise<string> => `Authorization: ${await header(login)}\r\n`
      const first = await of(alice)
      const requests = [
        first,
        '',
        await of(bob),
        'Authorization: Basic YTpi\r\n',
        first,
        'Connection: close\r\n',
      ]
      const statuses = await statusesOf(server!.port(door), requests.map(asked).join(''))
      expect([door, statuses]).toEqual([door, ['200', '401', '200', '401', '403', '401']])
    }
  },
  RUN_MS_MAX,
)

test(
  'over TLS the cookie is Secure',
  async () => {
    const pem = new PemFolder()
    try {
      const authority = await Authority.make()
      const issued = await authority.issue({ name: 'localhost', hosts: ['localhost'] })
      const { certificate, key } = pem.write('server', issued)
      await serve('--tls-certificate', certificate, '--tls-key', key)
      const options = {
        host: 'localhost',
        port: server!.port('rest'),
        path: '/version',
        headers: { authorization: await header() },
        ca: authority.certificate,
        agent: false,
      }
      const cookies = await new Promise<string[]>((resolve, reject) => {
        httpsRequest(options, (response) => {
          response.resume().once('end', () => resolve(response.headers['set-cookie'] ?? []))
        })
          .once('error', reject)
          .end()
      })
      expect(cookies).toEqual([expect.stringMatching(/; Path=\/; Secure; HttpOnly; SameSite=Lax$/)])
    } finally {
      pem.remove()
    }
  },
  RUN_MS_MAX,
)
