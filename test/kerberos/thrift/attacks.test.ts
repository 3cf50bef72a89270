/** Attacks on logins of Thrift with real tickets: bytes of an earlier login, changed tokens, a downgrade. The server serves others all the while. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { KerberosLogin } from '../../../src/kerberos/kerberos.ts'
import { PROTECTIONS, type SaslExchange } from '../../../src/wire/sasl/sasl.ts'
import { GssapiClient, saslBytes } from '../../doors/thrift/transport/gssapi-client.ts'
import { RawClient } from '../../doors/thrift/transport/raw-client.ts'
import { Kdc } from '../../harness/kerberos/kdc.ts'
import { getRow } from '../../harness/thrift-frames.ts'
import { KerberosDoors, keytabIn, RealmVariables } from './kerberos-thrift.ts'

const TARGET = 'hbase/localhost@TIDEGATE.TEST'

let folder: string
let kdc: Kdc
let variables: RealmVariables | undefined
let doors: KerberosDoors | undefined
let login: KerberosLogin | undefined

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'thrift-attacks-'))
  kdc = await Kdc.start()
  variables = new RealmVariables(kdc)
  await kdc.addPrincipal('alice', { keytab: keytabIn(folder, 'alice') })
  await kdc.addPrincipal('hbase/localhost', { keytab: keytabIn(folder, 'service') })
  doors = await KerberosDoors.open(TARGET, keytabIn(folder, 'service'), ['privacy'])
  login = await doors.kerberos.logIn({
    principal: 'alice@TIDEGATE.TEST',
    keytab: keytabIn(folder, 'alice'),
  })
}, 120_000)

afterAll(async () => {
  login?.close()
  await doors?.close()
  await kdc?.close()
  variables?.restore()
  rmSync(folder, { recursive: true, force: true })
})

function port(): number {
  return doors!.with('privacy').first.thrift.port
}

async function isServed(): Promise<boolean> {
  const client = await GssapiClient.open(port(), login!.saslClient(TARGET, PROTECTIONS))
  client.raw.send(client.frame(getRow('t', 'a')))
  const { length } = await client.payload(5)
  client.close()
  return length > 4
}

/** The client's tokens go through `change`; each is noted before. */
function changedBy(change: (token: Buffer, turn: number) => Buffer, noted: Buffer[] = []): SaslExchange {
  const real = login!.saslClient(TARGET, PROTECTIONS)
  return {
    get layer() {
      return real.layer
    },
    step: async (challenge) => {
      const { token, isDone } = await real.step(challenge)
      const sent = Buffer.from(token ?? '')
      noted.push(sent)
      return { token: change(sent, noted.length - 1), isDone }
    },
    close: () => real.close(),
  }
}

test('the bytes of an earlier login open nothing', async () => {
  const noted: Buffer[] = []
  const client = await GssapiClient.open(
    port(),
    changedBy((token) => token, noted),
  )
  client.close()
  const raw = await RawClient.open(port())
  raw.send(Buffer.concat([saslBytes(1, 'GSSAPI'), saslBytes(2, noted[0]!)]))
  await raw.closed()
  expect(raw.received[0]).toBe(3)
  expect(raw.received.toString()).toMatch(/replay/i)
  expect(await isServed()).toBe(true)
})

test.each([0, 2])('the token of step %d, changed at any byte or cut, is refused', async (turn) => {
  const changes: ((token: Buffer) => Buffer)[] = [
    ...[0, 0.3, 0.6, 0.99].map((part) => (token: Buffer) => {
      const changed = Buffer.from(token)
      changed[Math.floor(part * token.length)]! ^= 0x41
      return changed
    }),
    (token) => token.subarray(0, token.length >> 1),
    (token) => token.subarray(0, 1),
  ]
  for (const change of changes) {
    const attacked = changedBy((token, at) => (at === turn ? change(token) : token))
    await expect(GssapiClient.open(port(), attacked)).rejects.toThrow(/refused with 3|was closed/)
  }
  expect(await isServed()).toBe(true)
})

test('a client that takes a weaker protection alone finds no offer', async () => {
  for (const protection of ['authentication', 'integrity'] as const)
    await expect(GssapiClient.open(port(), login!.saslClient(TARGET, [protection]))).rejects.toThrow(
      /protection/,
    )
})

test('a client that logs in and then speaks without protection is ended', async () => {
  const client = await GssapiClient.open(port(), login!.saslClient(TARGET, PROTECTIONS))
  client.raw.send(getRow('t', 'a'))
  await client.raw.closed()
  expect(await isServed()).toBe(true)
})
