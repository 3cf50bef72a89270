import { once } from 'node:events'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { createServer as createTlsServer, type TlsOptions } from 'node:tls'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { TlsTrust } from '../../../../adapters/hbase/rpc/open-socket.ts'
import { connect, type RpcConnection } from '../../../../adapters/hbase/rpc/rpc-connection.ts'
import type { ClientIdentity } from '../../../../src/model/client-identity.ts'
import { Authority, type Issued } from '../../../harness/certificates.ts'

let authority: Authority
let forName: Issued
const opened: (Server | RpcConnection)[] = []

beforeAll(async () => {
  authority = await Authority.make()
  forName = await authority.issue({ name: 'server', hosts: ['localhost'] })
})

afterEach(() => {
  for (const each of opened.splice(0)) each.close()
})

async function listening(server: Server): Promise<number> {
  server.on('connection', (socket) => socket.on('error', () => undefined))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  opened.push(server)
  return (server.address() as AddressInfo).port
}

/** A server of HBase as far as TLS goes. */
function tlsServer({ certificate: cert, key }: Issued, options: TlsOptions = {}): Promise<number> {
  const server = createTlsServer({ cert, key, ...options })
  server.on('tlsClientError', () => undefined)
  return listening(server)
}

async function open(port: number, tls: Partial<TlsTrust> = {}): Promise<RpcConnection> {
  const connection = await connect({
    host: 'localhost',
    port,
    service: 'ClientService',
    user: 'u',
    tls: { isOfCluster: true, authorities: authority.certificate, ...tls },
  })
  opened.push(connection)
  return connection
}

const untrusted = (message: RegExp): object =>
  expect.objectContaining({ code: 'UNTRUSTED', message: expect.stringMatching(message) })

describe('TLS to a server of a cluster', () => {
  test('a certificate of a trusted authority, for the host', async () => {
    await open(await tlsServer(forName))
  })

  test('a certificate of an unknown authority: the failure names the key of the truststore', async () => {
    const other = await Authority.make('Other')
    const port = await tlsServer(await other.issue({ name: 'server', hosts: ['localhost'] }))
    await expect(open(port)).rejects.toEqual(untrusted(/hbase\.rpc\.tls\.truststore\.location/))
    await expect(open(port, { isOfCluster: false })).rejects.toEqual(untrusted(/--tls-ca FILE/))
  })

  test('a certificate for another host', async () => {
    const port = await tlsServer(await authority.issue({ name: 'server', hosts: ['elsewhere'] }))
    const refusal = untrusted(/hbase\.client\.netty\.tls\.verify\.server\.hostname=false/)
    await expect(open(port)).rejects.toEqual(refusal)
    await expect(open(port, { hostCheck: 'name-or-address' })).rejects.toEqual(refusal)
    await open(port, { hostCheck: 'none' })
  })

  test('a certificate for the address of the host', async () => {
    const port = await tlsServer(await authority.issue({ name: 'server', hosts: ['127.0.0.1', 'elsewhere'] }))
    await open(port, { hostCheck: 'name-or-address' })
    await expect(open(port)).rejects.toEqual(untrusted(/must name its host/))
  })

  test('a check of names does not take the place of the check of authorities', async () => {
    const other = await Authority.make('Other')
    const port = await tlsServer(await other.issue({ name: 'server', hosts: ['localhost'] }))
    await expect(open(port, { hostCheck: 'none' })).rejects.toEqual(untrusted(/truststore/))
  })

  test('a server that asks for a certificate', async () => {
    const port = await tlsServer(forName, {
      requestCert: true,
      ca: authority.certificate,
      maxVersion: 'TLSv1.2',
    })
    await expect(open(port)).rejects.toEqual(untrusted(/hbase\.rpc\.tls\.keystore\.location/))
    const identity: ClientIdentity = await authority.issue({ name: 'tidegate' })
    await open(port, { identity })
    const stranger = await (await Authority.make('Other')).issue({ name: 'stranger' })
    // Node's server sends no alert.
    await expect(open(port, { identity: stranger })).rejects.toThrow(/ended the TLS handshake: its log has/)
  })

  test('a server without TLS', async () => {
    const server = createServer((socket) =>
      socket.end(Buffer.from('000000908e0108ffffffff0f1285010a34', 'hex')),
    )
    const port = await listening(server)
    await expect(open(port)).rejects.toMatchObject({
      code: 'CONNECT_FAILED',
      message: expect.stringContaining('answers without TLS: set hbase.server.netty.tls.enabled'),
    })
  })

  test('no version in common', async () => {
    const port = await tlsServer(forName, { maxVersion: 'TLSv1.2' })
    await expect(open(port, { minVersion: 'TLSv1.3' })).rejects.toMatchObject({
      message: expect.stringContaining('hbase.rpc.tls.enabledProtocols'),
    })
    const newer = await tlsServer(forName, { minVersion: 'TLSv1.3' })
    await expect(open(newer, { maxVersion: 'TLSv1.2' })).rejects.toMatchObject({
      message: expect.stringContaining('hbase.rpc.tls.enabledProtocols'),
    })
  })

  test('a stated cipher suite is the one of the connection', async () => {
    const names: string[] = []
    const { certificate: cert, key } = forName
    const server = createTlsServer({ cert, key, maxVersion: 'TLSv1.2' }, (socket) => {
      names.push(socket.getCipher().standardName)
    })
    await open(await listening(server), { ciphers: 'ECDHE-ECDSA-AES256-SHA384' })
    await expect.poll(() => names).toEqual(['TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA384'])
  })

  test('a handshake without end', async () => {
    const port = await listening(createServer(() => undefined))
    await expect(open(port, { handshakeTimeoutMs: 20 })).rejects.toMatchObject({
      code: 'CONNECT_FAILED',
      message: expect.stringContaining('within 20 ms (hbase.client.netty.tls.handshaketimeout)'),
    })
  })
})
