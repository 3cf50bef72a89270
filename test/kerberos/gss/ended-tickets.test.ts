/** Contexts whose ticket has ended, by the system's library. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openKerberos } from '../../../src/kerberos/gss/open-kerberos.ts'
import type { Kerberos, KerberosService } from '../../../src/kerberos/kerberos.ts'
import type { SaslExchange, SaslServer } from '../../../src/wire/sasl/sasl.ts'
import { Kdc } from '../../harness/kerberos/kdc.ts'
import { RealmVariables } from '../thrift/kerberos-thrift.ts'

const TARGET = 'hbase/localhost@TIDEGATE.TEST'
const LIFE_S = 4

let folder: string
let kdc: Kdc
let variables: RealmVariables | undefined
let kerberos: Kerberos
let service: KerberosService

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ended-tickets-'))
  kdc = await Kdc.start()
  variables = new RealmVariables(kdc)
  const keytab = join(folder, 'service.keytab')
  await kdc.addPrincipal('hbase/localhost', { keytab })
  kerberos = openKerberos()
  service = await kerberos.accept({ keytab })
}, 60_000)

afterAll(async () => {
  service?.close()
  await kerberos?.close()
  await kdc?.close()
  variables?.restore()
  rmSync(folder, { recursive: true, force: true })
})

async function loggedIn(client: SaslExchange): Promise<SaslServer> {
  const server = service.saslServer(['privacy'])
  let token: Buffer | undefined = Buffer.alloc(0)
  for (;;) {
    const asked = await client.step(token)
    if (asked.token === undefined) return server
    const answer = await server.step(asked.token)
    if (answer.isDone) return server
    token = answer.token!
  }
}

test('messages are protected on after the ticket has ended, as Java does', async () => {
  const keytab = join(folder, 'short.keytab')
  await kdc.addPrincipal('short', { keytab }, { lifeSeconds: LIFE_S })
  const cache = join(folder, 'short.cache')
  await kdc.kinit(cache, 'short', { keytab }, { lifeSeconds: LIFE_S })
  const login = await kerberos.logIn({ cache: `FILE:${cache}` })
  const client = login.saslClient(TARGET, ['privacy'])
  const server = await loggedIn(client)
  const endedMs = Date.now() + (LIFE_S + 1) * 1000
  await expect.poll(() => Date.now(), { timeout: 10_000 }).toBeGreaterThan(endedMs)
  await expect(kdc.run('klist', ['-s', '-c', cache])).rejects.toThrow()
  for (let message = 0; message < 3; message++) {
    const text = Buffer.from(`message ${message}`)
    expect(server.layer!.unwrap(client.layer!.wrap(text))).toEqual(text)
    expect(client.layer!.unwrap(server.layer!.wrap(text))).toEqual(text)
  }
  client.close()
  server.close()
  login.close()
}, 30_000)
