/** Large messages behind a login by Kerberos: other threads protect and read them, while the event loop serves other clients. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openKerberos } from '../../../src/kerberos/gss/open-kerberos.ts'
import type { Kerberos, KerberosLogin, KerberosService } from '../../../src/kerberos/kerberos.ts'
import { LayerLine } from '../../../src/wire/sasl/layer-line.ts'
import { type Protection, SaslFailure, type SaslLayer, type SaslServer } from '../../../src/wire/sasl/sasl.ts'
import {
  GET,
  getOf,
  type KerberosDoor,
  MUTATE,
  putOf,
  startKerberosDoor,
} from '../../doors/rpc/connection/kerberos-door.ts'
import { Kdc } from '../../harness/kerberos/kdc.ts'
import { AuthCode, SaslTalk } from '../../harness/sasl-talk.ts'

const SERVICE = 'hbase/localhost@TIDEGATE.TEST'
const MB = 1_000_000

let folder: string
let kdc: Kdc
let kerberos: Kerberos
let alice: KerberosLogin
let service: KerberosService
let environment: Readonly<Record<string, string | undefined>>

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gss-test-'))
  kdc = await Kdc.start()
  environment = Object.fromEntries(Object.keys(kdc.environment).map((name) => [name, process.env[name]]))
  Object.assign(process.env, kdc.environment)
  await kdc.addPrincipal('alice', { keytab: join(folder, 'alice.keytab') })
  await kdc.addPrincipal('hbase/localhost', { keytab: join(folder, 'service.keytab') })
  kerberos = openKerberos()
  alice = await kerberos.logIn({
    principal: 'alice@TIDEGATE.TEST',
    keytab: join(folder, 'alice.keytab'),
  })
  service = await kerberos.accept({ keytab: join(folder, 'service.keytab') })
})

afterAll(async () => {
  alice?.close()
  service?.close()
  await kerberos?.close()
  await kdc?.close()
  for (const [name, value] of Object.entries(environment ?? {}))
    if (value === undefined) delete process.env[name]
    else process.env[name] = value
  rmSync(folder, { recursive: true, force: true })
})

interface Sides {
  readonly client: SaslLayer
  readonly server: SaslLayer
  readonly close: () => void
}

async function loggedIn(protection: Protection, ofService = service): Promise<Sides> {
  const client = alice.saslClient(SERVICE, [protection])
  const server = ofService.saslServer([protection])
  let token: Buffer = Buffer.alloc(0)
  for (;;) {
    const fromClient = await client.step(token)
    const fromServer = await server.step(fromClient.token!)
    if (fromServer.isDone) break
    token = fromServer.token!
  }
  const close = (): void => {
    client.close()
    server.close()
  }
  return { client: client.layer!, server: server.layer!, close }
}

describe.each(['integrity', 'privacy'] as const)('a large message (%s)', (protection) => {
  test('arrives as it was, between small ones and in both directions', async () => {
    const { client, server, close } = await loggedIn(protection)
    const [own, peer] = [new LayerLine(client), new LayerLine(server)]
    const messages = [10, 3 * MB, 1000, 20 * MB, 128 * 1024, 0].map((bytes, at) =>
      Buffer.alloc(bytes, `message ${at}`),
    )
    const there = await Promise.all(messages.map(async (message) => own.wrap(message)))
    const arrived = await Promise.all(
      there
        .flatMap((token, at) => [token, messages[at]!])
        .map(async (bytes, at) => (at % 2 === 0 ? peer.unwrap(bytes) : peer.wrap(bytes))),
    )
    const back = await Promise.all(
      arrived.filter((_, at) => at % 2 === 1).map(async (token) => own.unwrap(token)),
    )
    for (const [at, message] of messages.entries()) {
      expect(arrived[2 * at]!.equals(message)).toBe(true)
      expect(back[at]!.equals(message)).toBe(true)
    }
    close()
  })

  test('is refused where it was changed, and where it was shown before', async () => {
    const { client, server, close } = await loggedIn(protection)
    const token = await client.large!.wrap(Buffer.alloc(MB, 'a message '))
    const changed = Buffer.from(token)
    changed[MB / 2]! ^= 1
    await expect(server.large!.unwrap(changed)).rejects.toThrow(SaslFailure)
    expect((await server.large!.unwrap(token)).length).toBe(MB)
    await expect(server.large!.unwrap(token)).rejects.toThrow(SaslFailure)
    close()
  })

  test('of a login that ends meanwhile is done or dropped, and the login is over', async () => {
    const all = await Promise.all(Array.from({ length: 6 }, () => loggedIn(protection)))
    const tokens = all.map(({ client }) => client.wrap(Buffer.alloc(5 * MB, 'a message ')))
    const read = all.map(({ server }, at) => server.large!.unwrap(tokens[at]!))
    for (const { close } of all) close()
    const outcomes = await Promise.allSettled(read)
    expect(outcomes[0]!.status).toBe('fulfilled')
    expect(outcomes.at(-1)).toMatchObject({ status: 'rejected', reason: expect.any(SaslFailure) })
    for (const { server } of all) await expect(server.large!.wrap(tokens[0]!)).rejects.toThrow('has ended')
  })
})

test('Kerberos that is closed meanwhile ends once no thread works on a message', async () => {
  const other = openKerberos()
  const login = await other.accept({ keytab: join(folder, 'service.keytab') })
  const sides = await loggedIn('privacy', login)
  const token = sides.client.wrap(Buffer.alloc(20 * MB, 'a message '))
  let isRead = false
  const read = sides.server.large!.unwrap(token).then(() => {
    isRead = true
  })
  login.close()
  await other.close()
  expect(isRead).toBe(true)
  await read
  sides.close()
  await expect(sides.server.large!.wrap(token)).rejects.toThrow('has ended')
})

/** The service, whose connections call `during` with true when they begin a large message, and with false when it is done. */
function watched(during: (isBusy: boolean) => void): KerberosService {
  const watch = async (work: Promise<Buffer>): Promise<Buffer> => {
    during(true)
    try {
      return await work
    } finally {
      during(false)
    }
  }
  const watchedLayer = (layer: SaslLayer): SaslLayer => ({
    protection: layer.protection,
    messageBytesMax: layer.messageBytesMax,
    wrap: (message) => layer.wrap(message),
    unwrap: (token) => layer.unwrap(token),
    large: layer.large && {
      bytesMin: layer.large.bytesMin,
      wrap: (message) => watch(layer.large!.wrap(message)),
      unwrap: (token) => watch(layer.large!.unwrap(token)),
    },
  })
  return {
    negotiate: (token) => service.negotiate(token),
    close: () => undefined,
    saslServer: (protections) => {
      const server = service.saslServer(protections)
      return Object.create(server, {
        step: { value: (token: Buffer) => server.step(token) },
        close: { value: () => server.close() },
        authenticated: { get: () => server.authenticated },
        authorized: { get: () => server.authorized },
        layer: { get: () => server.layer && watchedLayer(server.layer) },
      }) as SaslServer
    },
  }
}

describe('a door', () => {
  let door: KerberosDoor
  let busy: number

  beforeAll(async () => {
    busy = 0
    const ofDoor = watched((isBusy) => {
      busy += isBusy ? 1 : -1
    })
    const protections: readonly Protection[] = ['privacy']
    const logins = { serviceAt: () => ofDoor, protectionsAt: () => protections, userOf: () => 'alice' }
    door = await startKerberosDoor({
      parts: { kerberos: { ...logins, rpcPrincipal: SERVICE } },
    })
  })

  afterAll(() => door?.close())

  test('answers other clients while a client’s message of 50 MB is read', async () => {
    const [large, other] = [await SaslTalk.open(door.port), await SaslTalk.open(door.port)]
    for (const talk of [large, other]) {
      await talk.logIn(AuthCode.kerberos, alice.saslClient(SERVICE, ['privacy']))
      talk.header()
      await talk.call(GET, getOf(door, 'none'))
    }
    large.send(large.request(MUTATE, putOf(door, 'r', Buffer.alloc(50 * MB))))
    const answered = large.response()
    let during = 0
    await expect.poll(() => busy, { interval: 0 }).toBe(1)
    for (let isDuring = true; isDuring; isDuring = busy > 0) {
      await other.call(GET, getOf(door, 'none'))
      if (busy > 0) during++
    }
    expect(during).toBeGreaterThan(0)
    await answered
    large.close()
    other.close()
  })
})
