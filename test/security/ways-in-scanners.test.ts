/** Limits by address, and calls that a sibling hands on, know the client whichever way it comes in. */

import { create } from '@bufbuild/protobuf'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { advertised } from '../../src/gateway/catalog/advertised.ts'
import { startTidegate, type Tidegate } from '../../src/library/start-tidegate.ts'
import { OWN_CALL } from '../../src/store/call.ts'
import { withFacets, withMethods } from '../../src/store/decorate.ts'
import type { Store } from '../../src/store/store.ts'
import { ClientService, ScanRequestSchema } from '../../src/wire/rpc/gen/client_pb.ts'
import { Authority, PemFolder } from '../harness/certificates.ts'
import { type GuardedDoors, openGuardedDoors, restOf, rpcOf, TABLE, thriftOf } from './guarded-doors.ts'
import { answerTo, type Line } from './ways-in.ts'

let folder: PemFolder
let authority: Authority
let server: Tidegate

beforeAll(async () => {
  folder = new PemFolder()
  authority = await Authority.make()
  const own = folder.write('own', await authority.issue({ name: 'own', hosts: ['127.0.0.1'] }))
  server = await startTidegate({
    thrift: 'off',
    clientScannersMax: 2,
    trustedProxies: '127.0.0.1',
    tlsCertificate: own.certificate,
    tlsKey: own.key,
    tlsPlainToo: 'rest',
  })
  const body = '{"ColumnSchema":[{"name":"f"}]}'
  await fetch(`http://127.0.0.1:${server.ports.rest}/t/schema`, { method: 'PUT', headers: JSON_TYPE, body })
})

afterAll(async () => {
  await server.stop()
  folder.remove()
})

const JSON_TYPE = { 'content-type': 'application/json' }

interface Client {
  readonly line: Line
  /** Undefined: the client is that of the connection. */
  readonly behindProxy?: string
}

function ask(client: Client, method: string, path: string, body = ''): Promise<string> {
  const { line, behindProxy } = client
  const head = [
    `${method} ${path} HTTP/1.1`,
    'Host: h',
    'Connection: close',
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    ...(behindProxy === undefined ? [] : [`X-Forwarded-For: ${behindProxy}`]),
  ]
  return answerTo(line, Buffer.from(`${head.join('\r\n')}\r\n\r\n${body}`))
}

/** The scanner's path. */
async function opened(client: Client, line: string): Promise<string> {
  const answer = await ask(client, 'PUT', `/t/scanner${line}`, '{"batch":1}')
  const [, path] = /\r\nlocation: https?:\/\/[^/]+(\/t\/scanner\/\w+)/i.exec(answer) ?? []
  if (path === undefined) throw new Error(answer)
  return path
}

let addresses = 1

test.each(
  ['plain', 'TLS'].flatMap((way) =>
    ['connection', 'proxy'].flatMap((by) =>
      ['', '?x=é'].map((line) => ({ way, by, line, name: line === '' ? 'an ordinary line' : 'a raw line' })),
    ),
  ),
)('scanners of REST over $way count for the client of the $by, asked in $name', async ({ way, by, line }) => {
  const clientOf = (): Client => {
    const number = ++addresses
    const tls = way === 'TLS' && { tls: { authority: authority.certificate } }
    const to = { port: server.ports.rest!, ...tls }
    return by === 'proxy'
      ? { line: to, behindProxy: `192.0.2.${number}` }
      : { line: { ...to, from: `127.0.0.${number}` } }
  }
  const [many, other] = [clientOf(), clientOf()]
  const kept = await opened(other, line)
  const first = await opened(many, line)
  for (let more = 0; more < 2; more++) await opened(many, line)
  expect(await ask(many, 'GET', first)).toMatch(/^HTTP\/1\.1 404 /)
  expect(await ask(other, 'GET', kept)).toMatch(/^HTTP\/1\.1 204 /)
})

test('the store hears of the client, whichever process of a server its scanner is asked for at', async () => {
  const seen: (string | undefined)[] = []
  const noting = (store: Store): Store =>
    withFacets(store, {
      handouts: withMethods(store.handouts, {
        next: (id, limits, call) => {
          seen.push(`${call.principal?.user} at ${call.address}`)
          return store.handouts.next(id, limits, call)
        },
      }),
    })
  const place = { host: '127.0.0.1', port: 0, startCode: 4711 }
  const doors: GuardedDoors = await openGuardedDoors({
    context: (store) => ({ store: advertised(noting(store), place) }),
  })
  const { first, second } = doors
  const user = 'alice'
  const scanner = await restOf(first, '/t/scanner', { user, method: 'PUT', body: '{"batch":1}' })
  await restOf(second, new URL(scanner.headers.get('location')!).pathname, { user })
  const one = await thriftOf(first, 'thrift1', user)['scannerOpen']!('t', '', [], {})
  await thriftOf(second, 'thrift1', user)['scannerGet']!(one)
  const two = await thriftOf(first, 'thrift2', user)['openScanner']!('t', {})
  await thriftOf(second, 'thrift2', user)['getScannerRows']!(two, 1)
  const [region] = await doors.store.catalog.regions(TABLE, OWN_CALL)
  const whole = create(ScanRequestSchema, {
    region: { type: 1, value: region!.name },
    scan: {},
    numberOfRows: 0,
  })
  const { scan } = ClientService.method
  const { message } = await rpcOf(first, user, scan, whole)
  await rpcOf(second, user, scan, { scannerId: message.scannerId, numberOfRows: 1 })
  expect(seen.length).toBeGreaterThanOrEqual(4)
  expect(new Set(seen)).toEqual(new Set([`${user} at 127.0.0.1`]))
  await doors.close()
})
