/** A real HBase whose servers take TLS alone, and Kerberos within it, behind Tidegate: with each protection, found by ZooKeeper. */

import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { PROTECTIONS } from '../../../src/wire/sasl/sasl.ts'
import { Authority, PemFolder } from '../../harness/certificates.ts'
import { createTable, get, OtherCluster, put, START_MS_MAX, scan } from './clusters.ts'

const RUN_MS_MAX = 120_000
const TABLE = 'encrypted'
const LARGE = 'large '.repeat(100_000)

let pem: PemFolder
let cluster: OtherCluster
let authority: string

beforeAll(async () => {
  pem = new PemFolder()
  const issuer = await Authority.make()
  authority = pem.file('authority.pem', issuer.certificate)
  const { certificate, key } = await issuer.issue({ name: 'localhost', hosts: ['localhost', '127.0.0.1'] })
  const tlsKeystore = pem.file('server.pem', `${certificate}\n${issuer.certificate}\n${key}\n`)
  cluster = await OtherCluster.start({ aes: true, tlsKeystore })
  await createTable(await cluster.serve(...encrypted('authentication')), TABLE)
}, START_MS_MAX)

afterEach(() => cluster?.stopServing())

afterAll(async () => {
  await cluster?.stop()
  pem?.remove()
}, RUN_MS_MAX)

function encrypted(protection: string, aes = false): string[] {
  return Object.entries({
    'hbase.rpc.protection': protection,
    'hbase.rpc.crypto.encryption.aes.enabled': String(aes),
    'hbase.client.netty.tls.enabled': 'true',
    'hbase.rpc.tls.truststore.location': authority,
  }).flatMap(([key, value]) => ['-D', `${key}=${value}`])
}

test.each([
  ...PROTECTIONS.map((protection) => [protection, protection, false] as const),
  ['privacy with AES', 'privacy', true] as const,
])(
  'puts, gets and scans go through TLS and %s',
  async (name, protection, aes) => {
    const rest = await cluster.serve(...encrypted(protection, aes))
    const row = name.replaceAll(' ', '-')
    for (const value of ['small', LARGE]) {
      await put(rest, TABLE, { row, value })
      expect((await get(rest, TABLE, row)) === value).toBe(true)
    }
    expect(await scan(rest, TABLE)).toContain(row)
  },
  RUN_MS_MAX,
)
