/** The first question to a cluster whose servers encrypt, while its ZooKeeper does not. */

import { once } from 'node:events'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { probeEither, type RegistryTls } from '../../../../adapters/hbase/registry/registry-probe.ts'
import { FinalFailure } from '../../../../adapters/hbase/retry/final-failure.ts'
import type { TlsTrust } from '../../../../adapters/hbase/rpc/open-socket.ts'
import { Authority } from '../../../harness/certificates.ts'
import { FakeZooKeeper } from '../zookeeper/fake-zookeeper.ts'

const COMPLAINT = Buffer.from('org.apache.hadoop.hbase.ipc.FatalConnectionException: Expected HEADER=HBas')
const FRAME = Buffer.concat([Buffer.of(0, 0, 0, COMPLAINT.length), COMPLAINT])
const WAIT_MS = 10_000

let authority: Authority
const opened: Server[] = []

beforeAll(async () => {
  authority = await Authority.make()
})

afterEach(() => {
  for (const server of opened.splice(0)) server.close()
})

async function portOf(server: Server): Promise<number> {
  server.on('connection', (socket) => socket.on('error', () => undefined))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  opened.push(server)
  return (server.address() as AddressInfo).port
}

function rpcOnly(trust: Partial<TlsTrust> = {}): RegistryTls {
  return { zookeeper: undefined, rpc: { authorities: authority.certificate, isOfCluster: true, ...trust } }
}

const at = (port: number): { host: string; port: number } => ({ host: 'localhost', port })

describe('the kind of a server, where HBase alone encrypts', () => {
  test('a ZooKeeper answers without TLS', async () => {
    const zookeeper = await FakeZooKeeper.start()
    try {
      await expect(probeEither(zookeeper.address, WAIT_MS, rpcOnly())).resolves.toBe('zookeeper')
    } finally {
      await zookeeper.stop()
    }
  })

  test('a server of HBase that takes TLS alone is asked again over TLS', async () => {
    const { certificate: cert, key } = await authority.issue({ name: 'server', hosts: ['localhost'] })
    const server = createTlsServer({ cert, key }, (socket) => {
      socket.on('error', () => undefined)
      socket.once('data', () => socket.end(FRAME))
    })
    server.on('tlsClientError', () => undefined)
    const port = await portOf(server)
    await expect(probeEither(at(port), WAIT_MS, rpcOnly())).resolves.toBe('bootstrap')
    const { certificate: authorities } = await Authority.make('Other')
    await expect(probeEither(at(port), WAIT_MS, rpcOnly({ authorities }))).rejects.toThrow(FinalFailure)
    const none = { zookeeper: undefined, rpc: undefined }
    await expect(probeEither(at(port), WAIT_MS, none)).rejects.toThrow(/it may want TLS/)
  })

  test('a server that resets the connection may want TLS, as one that ends it', async () => {
    const server = createServer((socket) => socket.once('data', () => socket.resetAndDestroy()))
    const none = { zookeeper: undefined, rpc: undefined }
    await expect(probeEither(at(await portOf(server)), WAIT_MS, none)).rejects.toThrow(
      /ECONNRESET without an answer: it may want TLS/,
    )
  })

  test('a server of HBase that takes plain connections, too, needs one question', async () => {
    let connections = 0
    const server = createServer((socket) => {
      connections++
      socket.once('data', () => socket.end(FRAME))
    })
    await expect(probeEither(at(await portOf(server)), WAIT_MS, rpcOnly())).resolves.toBe('bootstrap')
    expect(connections).toBe(1)
  })

  test('a silent server gets no second question', async () => {
    let connections = 0
    const port = await portOf(createServer(() => connections++))
    await expect(probeEither(at(port), 50, rpcOnly())).rejects.toThrow(/no answer within 50 ms/)
    expect(connections).toBe(1)
  })
})
