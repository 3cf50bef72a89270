/** Whichever way a request comes in, everything that asks for its client hears the same: logins, rules of proxy users, logs, traces. */

import { readFileSync } from 'node:fs'
import { SignJWT } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { writeUser } from '../../src/gateway/identity/guard/passwords/users-file.ts'
import { startTidegate, type Tidegate } from '../../src/library/start-tidegate.ts'
import { OtlpReceiver } from '../gateway/observing/tracing/otlp-receiver.ts'
import { Authority, type Issued, PemFolder } from '../harness/certificates.ts'
import { FORMS, type Form, type Headers, type Line, say } from './ways-in.ts'

const SECRET = 'a secret of thirty-two bytes or more, as HS256 needs'
/** The table is missing: the store is asked for the row all the same. */
const PATHS = { rest: '/t/row?v=1', web: '/metrics?v=1', timeline: '/ws/v1/timeline/?v=1' } as const
type HttpDoor = keyof typeof PATHS
const DOORS = Object.keys(PATHS) as HttpDoor[]
const UNKNOWN_METHOD = 'a method that Node does not know'

let folder: PemFolder
let authority: Authority
let ann: Issued
let knox: Headers
let receiver: OtlpReceiver
let server: Tidegate
let addresses = 0
/** Those of requests that have a trace: the web door's have none. */
const traced: string[] = []

beforeAll(async () => {
  folder = new PemFolder()
  authority = await Authority.make()
  ann = await authority.issue({ name: 'ann' })
  const own = folder.write('own', await authority.issue({ name: 'own', hosts: ['127.0.0.1'] }))
  const users = `${folder.path}/users`
  await writeUser(users, 'bob', 'his password')
  receiver = new OtlpReceiver()
  server = await startTidegate({
    web: 0,
    timeline: 0,
    slowLogMs: 0,
    users,
    jwtSecret: folder.file('secret', SECRET),
    proxyUser: 'knox for ann from 192.0.2.0/24',
    trustedProxies: '127.0.0.1',
    tlsCertificate: own.certificate,
    tlsKey: own.key,
    tlsClientCa: folder.file('ca', authority.certificate),
    tlsClientCertificates: 'optional',
    tlsPlainToo: 'rest,web,timeline',
    auditLog: `${folder.path}/audit`,
    accessLog: `${folder.path}/access`,
    otlpEndpoint: await receiver.listen(),
  })
  knox = { Authorization: `Bearer ${await tokenOf('knox')}` }
})

afterAll(async () => {
  await server.stop()
  await receiver.close()
  folder.remove()
})

function tokenOf(sub: string): Promise<string> {
  const exp = Math.floor(Date.now() / 1000) + 600
  return new SignJWT({ sub, exp }).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.from(SECRET))
}

interface Told {
  readonly door: string
  readonly action?: string
  readonly user?: string
  readonly realUser?: string
  readonly address?: string
  readonly client?: string
  readonly principal?: string
  readonly allowed?: boolean
  readonly bytesIn?: number
}

/** The lines of a log that have the text. */
function lines(log: 'audit' | 'access', text: string): Told[] {
  const all = readFileSync(`${folder.path}/${log}`, 'utf8').trim().split('\n')
  return all.filter((line) => line.includes(text)).map((line) => JSON.parse(line) as Told)
}

async function told(log: 'audit' | 'access', text: string): Promise<Told[]> {
  await expect.poll(() => lines(log, text).length, { interval: 5, timeout: 30_000 }).toBeGreaterThan(0)
  return lines(log, text)
}

/** The last operations of the slow log, with the clients that its lines have. */
async function slowOperations(): Promise<(readonly [operation: string, client: string])[]> {
  const answer = await fetch(`http://127.0.0.1:${server.ports.web}/console/api/slow`, {
    headers: { ...knox },
  })
  const { operations } = (await answer.json()) as { operations: Record<'operation' | 'client', string>[] }
  return operations.map(({ operation, client }) => [operation, client])
}

/** An address that no other request says it comes from. */
function newAddress(door: HttpDoor): string {
  const address = `192.0.2.${++addresses}`
  if (door !== 'web') traced.push(address)
  return address
}

interface Way {
  readonly door: HttpDoor
  readonly form: string
  readonly bytesOf: Form
  readonly line: 'plain' | 'TLS'
}

/** At once. A failure names the way. */
async function everyWay(walk: (way: Way) => Promise<void>): Promise<void> {
  const forms = Object.entries(FORMS).flatMap(([form, bytesOf]) =>
    DOORS.map((door) => ({ door, form, bytesOf })),
  )
  const ways = forms.flatMap((each) => (['plain', 'TLS'] as const).map((line) => ({ ...each, line })))
  const failed: unknown[] = []
  const walked = ways.map((way) =>
    walk(way).catch((error: unknown) => failed.push([way.door, way.form, way.line, String(error)])),
  )
  await Promise.all(walked)
  expect(failed).toEqual([])
}

function lineOf(door: HttpDoor, line: string, own?: Issued): Line {
  const tls = { authority: authority.certificate, ...(own && { own }) }
  return { port: server.ports[door]!, ...(line === 'TLS' && { tls }) }
}

test('a trusted proxy names its client, to the rules of proxy users and to the logs', async () => {
  await everyWay(async ({ door, form, line, bytesOf }) => {
    const address = newAddress(door)
    const headers = { ...knox, 'X-Forwarded-For': address }
    const { status } = await say(lineOf(door, line), bytesOf(`${PATHS[door]}&doAs=ann`, headers))
    expect([200, 404, 405]).toContain(status)
    const [access] = await told('access', `"client":"${address}"`)
    expect(access).toMatchObject({ door, principal: 'ann' })
    if (form === 'a raw byte in its line') expect(access!.bytesIn).toBeGreaterThan(0)
    if (door !== 'rest' || form === UNKNOWN_METHOD) return
    const done = (await told('audit', `"address":"${address}"`)).find(({ action }) => action === 'get')
    expect(done).toMatchObject({ door, user: 'ann', realUser: 'knox' })
    expect(await slowOperations()).toContainEqual(['get', address])
  })
})

test('a rule of proxy users with addresses refuses others', async () => {
  await everyWay(async ({ door, line, bytesOf }) => {
    const headers = { ...knox, 'X-Forwarded-For': '198.51.100.1' }
    expect((await say(lineOf(door, line), bytesOf(`${PATHS[door]}&doAs=ann`, headers))).status).toBe(403)
  })
})

test('a wrong login is one of its address', async () => {
  await everyWay(async ({ door, line, bytesOf }) => {
    const address = newAddress(door)
    const headers = { Authorization: 'Bearer wrong', 'X-Forwarded-For': address }
    expect((await say(lineOf(door, line), bytesOf(PATHS[door], headers))).status).toBe(401)
    expect(await told('audit', `"address":"${address}"`)).toMatchObject([{ door, allowed: false }])
  })
})

test('a certificate is a login, and the address of a client without a proxy is that of its connection', async () => {
  await everyWay(async ({ door, line, bytesOf }) => {
    if (line !== 'TLS') return
    const from = { ...lineOf(door, line, ann), from: '127.0.0.2' }
    const { status, port } = await say(from, bytesOf(PATHS[door], { 'X-Forwarded-For': '192.0.2.255' }))
    expect([200, 404, 405]).toContain(status)
    expect(await told('access', `"client":"127.0.0.2:${port}","principal":"ann"`)).toMatchObject([{ door }])
  })
})

async function guess(address: string): Promise<number> {
  const Authorization = `Basic ${Buffer.from('bob:a guess').toString('base64')}`
  const bytes = FORMS['a raw byte in its line']!(PATHS.rest, { Authorization, 'X-Forwarded-For': address })
  return (await say(lineOf('rest', 'plain'), bytes)).status
}

test('wrong passwords in raw lines count for their address alone', async () => {
  const [guesser, other] = [newAddress('rest'), newAddress('rest')]
  for (let free = 0; free < 5; free++) expect(await guess(guesser)).toBe(401)
  expect(await guess(guesser)).toBe(429)
  expect(await guess(other)).toBe(401)
})

test('traces name the same clients', async () => {
  await server.stop()
  const clients = receiver.spans.map(({ attributes }) => attributes['client.address'])
  const known = clients.filter((client) => String(client).startsWith('192.0.2.'))
  expect(new Set(known)).toEqual(new Set(traced))
})
