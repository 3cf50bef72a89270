/** Tidegate in front of a real HBase whose servers take TLS alone, and clients with a certificate alone. TIDEGATE_TLS_HBASE has its address, in JSON. */

import { execFileSync } from 'node:child_process'
import { copyFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { ChildServer } from '../../../harness/child-server.ts'
import type { TlsHBaseAddress } from '../../../harness/real-hbase/tls-hbase.ts'
import { makeTemporaryFolder, startTidegate } from '../../../harness/tidegate-process.ts'

const given = process.env['TIDEGATE_TLS_HBASE']
const TABLE = `tls_${process.pid}`
const PASSWORD = 'changeit'
const COLUMN = `/${TABLE}/row/f:q`

type Keys = Readonly<Record<string, string>>

describe.skipIf(given === undefined)('TLS to a live cluster', { timeout: 120_000 }, () => {
  let hbase: TlsHBaseAddress
  let folder: string
  let servers: ChildServer[] = []

  beforeAll(() => {
    hbase = JSON.parse(given!) as TlsHBaseAddress
    folder = makeTemporaryFolder()
  })

  afterEach(async () => {
    for (const server of servers) await server.stop()
    servers = []
  })

  afterAll(() => {
    if (given !== undefined) rmSync(folder, { recursive: true })
  })

  /** A port of REST, in front of the cluster by its ZooKeeper. */
  async function serve(keys: Keys, port = hbase.zookeeper): Promise<string> {
    const defined = Object.entries({ 'hbase.client.operation.timeout': '5000', ...keys }).flatMap(
      ([key, value]) => ['-D', `${key}=${value}`],
    )
    const server = await startTidegate(`hbase:localhost:${port}`, ...defined)
    servers.push(server)
    return `http://127.0.0.1:${server.port('rest')}`
  }

  const trusting = (more: Keys = {}): Keys => ({
    'hbase.client.netty.tls.enabled': 'true',
    'hbase.rpc.tls.truststore.location': hbase.authority,
    'hbase.rpc.tls.keystore.location': hbase.client,
    ...more,
  })

  beforeAll(async () => {
    const rest = await serve(trusting())
    const headers = { 'Content-Type': 'application/json' }
    const body = JSON.stringify({ ColumnSchema: [{ name: 'f' }] })
    const made = await fetch(`${rest}/${TABLE}/schema`, { method: 'PUT', headers, body })
    expect(made.status).toBe(201)
  })

  test('rows by files of PEM, found by ZooKeeper, which does not encrypt', async () => {
    const rest = await serve(trusting())
    expect(await put(rest, 'pem')).toBe(200)
    expect(await get(rest)).toBe('pem')
  })

  test("found by a region server, with a cipher suite by Java's name", async () => {
    const suite = { 'hbase.rpc.tls.ciphersuites': 'TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA256' }
    const rest = await serve(trusting(suite), hbase.regionServer)
    expect(await put(rest, 'suite')).toBe(200)
    expect(await get(rest)).toBe('suite')
  })

  test.each(['PKCS12', 'JKS'])("stores of the type %s that Java's keytool has made", async (type) => {
    const truststore = join(folder, `trust.${type}`)
    keytool('-importcert', '-noprompt', '-file', hbase.authority, '-keystore', truststore, '-storetype', type)
    const whole = join(folder, `key.${type}.p12`)
    openssl('pkcs12', '-export', '-in', hbase.client, '-out', whole, '-passout', `pass:${PASSWORD}`)
    const keystore = join(folder, `key.${type}`)
    const from = ['-srckeystore', whole, '-srcstoretype', 'PKCS12', '-srcstorepass', PASSWORD]
    keytool('-importkeystore', ...from, '-destkeystore', keystore, '-deststoretype', type)
    const rest = await serve(
      trusting({
        'hbase.rpc.tls.truststore.location': truststore,
        'hbase.rpc.tls.truststore.type': type,
        'hbase.rpc.tls.truststore.password': PASSWORD,
        'hbase.rpc.tls.keystore.location': keystore,
        'hbase.rpc.tls.keystore.type': type,
        'hbase.rpc.tls.keystore.password': PASSWORD,
      }),
    )
    expect(await put(rest, type)).toBe(200)
    expect(await get(rest)).toBe(type)
  })

  test('an authority of other servers, until its file is replaced', async () => {
    const truststore = join(folder, 'replaced.pem')
    copyFileSync(hbase.stranger, truststore)
    const rest = await serve(trusting({ 'hbase.rpc.tls.truststore.location': truststore }))
    expect(await get(rest)).toContain('none of the authorities in hbase.rpc.tls.truststore.location')
    copyFileSync(hbase.authority, truststore)
    expect(await put(rest, 'replaced')).toBe(200)
  })

  test('no certificate, and one of another authority', async () => {
    const without = await serve(trusting({ 'hbase.rpc.tls.keystore.location': '' }))
    expect(await get(without)).toContain('takes clients with a certificate alone (hbase.rpc.tls.keystore')
    const strange = await serve(trusting({ 'hbase.rpc.tls.keystore.location': hbase.strangeClient }))
    expect(await get(strange)).toContain("the server does not take the client's certificate")
  })

  test('a client without TLS', async () => {
    const rest = await serve({})
    expect(await get(rest)).toContain('it may want TLS (of a cluster: hbase.client.netty.tls.enabled')
  })
})

async function put(rest: string, value: string): Promise<number> {
  const headers = { 'Content-Type': 'application/octet-stream' }
  return (await fetch(`${rest}${COLUMN}`, { method: 'PUT', headers, body: value })).status
}

async function get(rest: string): Promise<string> {
  const headers = { Accept: 'application/octet-stream' }
  return (await fetch(`${rest}${COLUMN}`, { headers })).text()
}

function keytool(...args: readonly string[]): void {
  const password = args.includes('-importkeystore') ? '-deststorepass' : '-storepass'
  execFileSync('keytool', [...args, password, PASSWORD], { stdio: 'ignore' })
}

function openssl(...args: readonly string[]): void {
  execFileSync('openssl', args, { stdio: 'ignore' })
}
