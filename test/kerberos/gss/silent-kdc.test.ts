/** A KDC that takes connections and answers none, which holds the library's calls up for many seconds. */

import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openKerberos } from '../../../src/kerberos/gss/open-kerberos.ts'
import type { Kerberos, KerberosLogin } from '../../../src/kerberos/kerberos.ts'
import { Kdc } from '../../harness/kerberos/kdc.ts'
import { RealmVariables } from '../thrift/kerberos-thrift.ts'

const SERVICE = 'hbase/localhost@TIDEGATE.TEST'
const SECONDS = 1000

let folder: string
let kdc: Kdc
let variables: RealmVariables
let kerberos: Kerberos

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'silent-kdc-'))
  kdc = await Kdc.start()
  variables = new RealmVariables(kdc)
  await kdc.addPrincipal('short', { keytab: join(folder, 'keytab') }, { lifeSeconds: 12 })
  await kdc.addPrincipal('hbase/localhost', { password: 'of the server' })
  kerberos = openKerberos()
}, 60 * SECONDS)

afterAll(async () => {
  await kerberos?.close()
  await kdc?.close()
  variables?.restore()
  rmSync(folder, { recursive: true, force: true })
})

/** The first step of a new connection to the service. */
async function begin(login: KerberosLogin): Promise<void> {
  const exchange = login.saslClient(SERVICE, ['authentication'])
  try {
    await exchange.step(Buffer.alloc(0))
  } finally {
    exchange.close()
  }
}

/** Takes the KDC's place until `end`. `asked`: resolves with the first connection. */
async function silentKdc(): Promise<{ readonly asked: Promise<unknown>; end(): Promise<void> }> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => sockets.add(socket.on('error', () => socket.destroy())))
  const asked = once(server, 'connection')
  await kdc.stop()
  await once(server.listen(kdc.port, '127.0.0.1'), 'listening')
  return {
    asked,
    end: async () => {
      for (const socket of sockets) socket.destroy()
      await once(server.close(), 'close')
      await kdc.restart()
    },
  }
}

test(
  'at a renewal holds up no connection that has its ticket, and the renewal succeeds later',
  async () => {
    const login = await kerberos.logIn({
      principal: 'short@TIDEGATE.TEST',
      keytab: join(folder, 'keytab'),
    })
    await begin(login)
    const silent = await silentKdc()
    await silent.asked
    const atRenewal = login.secondsLeft
    expect(atRenewal).toBeGreaterThan(1)
    for (let i = 0; i < 20; i++) await begin(login)
    expect(login.secondsLeft).toBeGreaterThanOrEqual(atRenewal - 1)
    await silent.end()
    await expect
      .poll(() => login.secondsLeft, { timeout: 30 * SECONDS, interval: 50 })
      .toBeGreaterThan(atRenewal)
    await begin(login)
    login.close()
  },
  90 * SECONDS,
)
