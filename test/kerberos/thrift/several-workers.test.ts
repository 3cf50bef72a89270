/** Servers of several threads and processes: each takes tickets, wherever a connection is served. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { openKerberos } from '../../../src/kerberos/gss/open-kerberos.ts'
import type { Kerberos, KerberosLogin } from '../../../src/kerberos/kerberos.ts'
import { PROTECTIONS } from '../../../src/wire/sasl/sasl.ts'
import { GssapiClient } from '../../doors/thrift/transport/gssapi-client.ts'
import { ChildServer } from '../../harness/child-server.ts'
import { Kdc } from '../../harness/kerberos/kdc.ts'
import { createTable, getRow, mutateRows } from '../../harness/thrift-frames.ts'
import { FREE_PORTS, MAIN } from '../../harness/tidegate-process.ts'
import { keytabIn, RealmVariables } from './kerberos-thrift.ts'

const CONNECTIONS = 12
const TARGET = 'hbase/localhost@TIDEGATE.TEST'

let folder: string
let kdc: Kdc
let variables: RealmVariables | undefined
let kerberos: Kerberos | undefined
let login: KerberosLogin | undefined

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'thrift-workers-'))
  kdc = await Kdc.start()
  variables = new RealmVariables(kdc)
  await kdc.addPrincipal('alice', { keytab: keytabIn(folder, 'alice') })
  await kdc.addPrincipal('hbase/localhost', { keytab: keytabIn(folder, 'service') })
  kerberos = openKerberos()
  login = await kerberos.logIn({ principal: 'alice@TIDEGATE.TEST', keytab: keytabIn(folder, 'alice') })
}, 120_000)

afterAll(async () => {
  login?.close()
  await kerberos?.close()
  await kdc?.close()
  variables?.restore()
  rmSync(folder, { recursive: true, force: true })
})

/** The reply to a framed call, over a connection of its own. */
async function asked(port: number, call: Buffer): Promise<Buffer> {
  const client = await GssapiClient.open(port, login!.saslClient(TARGET, PROTECTIONS))
  client.raw.send(client.frame(call))
  const bytes = (await client.payload(4)).readInt32BE(0)
  const reply = await client.payload(4 + bytes)
  client.close()
  return reply
}

test.each([
  ['--threads', '3'],
  ['--processes', '2'],
])(
  '%s %s',
  async (...workers) => {
    vi.stubEnv('TMPDIR', folder)
    const flags = ['--kerberos-service-keytab', keytabIn(folder, 'service'), '--log-level', 'silent']
    const behind =
      workers[0] === '--processes'
        ? await ChildServer.start(MAIN, [
            'serve',
            '--store',
            'memory',
            ...FREE_PORTS,
            '--log-level',
            'silent',
          ])
        : undefined
    const store = behind === undefined ? 'memory' : `hbase:127.0.0.1:${behind.port('rpc')}`
    const server = await ChildServer.start(MAIN, [
      'serve',
      '--store',
      store,
      ...FREE_PORTS,
      ...flags,
      ...workers,
    ])
    vi.unstubAllEnvs()
    try {
      const port = server.port('thrift')
      await asked(port, createTable('t', 'f'))
      await asked(port, mutateRows('t', ['row'], 'f:q', 'a value'))
      const replies = await Promise.all(
        Array.from({ length: CONNECTIONS }, () => asked(port, getRow('t', 'row'))),
      )
      for (const reply of replies) expect(reply.toString('latin1')).toContain('a value')
    } finally {
      await server.stop()
      await behind?.stop()
    }
  },
  120_000,
)
