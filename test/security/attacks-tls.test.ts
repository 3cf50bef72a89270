/** Older protocols, connections without TLS and handshakes that never end. */

import { connect, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startTidegate, type Tidegate, type TidegateOptions } from '../../src/library/start-tidegate.ts'
import { Authority, PemFolder } from '../harness/certificates.ts'

const HALF_OPEN = 2000

let folder: PemFolder
let server: Tidegate

beforeEach(() => {
  folder = new PemFolder()
})

afterEach(async () => {
  await server.stop()
  folder.remove()
})

async function start(options: TidegateOptions = {}): Promise<number[]> {
  const { certificate, key } = await (await Authority.make()).issue({
    name: 'localhost',
    hosts: ['localhost'],
  })
  const [tlsCertificate, tlsKey] = [folder.file('crt', certificate), folder.file('key', key)]
  server = await startTidegate({ rpc: 0, zookeeper: 0, web: 0, tlsCertificate, tlsKey, ...options })
  return Object.values(server.ports)
}

function ended(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    socket.on('error', () => undefined)
    socket.resume()
    socket.once('close', () => resolve())
  })
}

test('no door goes below TLS 1.2, and none goes on without TLS', async () => {
  for (const port of await start()) {
    const old = new Promise((resolve, reject) => {
      const options = { port, rejectUnauthorized: false, minVersion: 'TLSv1', maxVersion: 'TLSv1.1' } as const
      const socket = connectTls({ ...options, ciphers: 'DEFAULT@SECLEVEL=0' }, () =>
        resolve(socket.destroy()),
      )
      socket.once('error', reject)
    })
    await expect(old).rejects.toThrow(/protocol version|alert|disconnected/)
    const plain = connect(port, '127.0.0.1', () => plain.write('GET /version HTTP/1.1\r\nHost: x\r\n\r\n'))
    let said = ''
    plain.on('data', (chunk: Buffer) => (said += chunk.toString('latin1')))
    await ended(plain)
    expect(said).not.toContain('200 OK')
  }
})

test('thousands of handshakes that never end keep nobody out, and are ended', async () => {
  await start({ headersMs: 3000, connectionsMax: 2 * HALF_OPEN })
  const port = server.ports.rest!
  const ends: Promise<void>[] = []
  // The first bytes of a ClientHello, and no more.
  for (let at = 0; at < HALF_OPEN; at++) {
    const socket = connect(port, '127.0.0.1', () => socket.write(Buffer.of(0x16, 3, 1)))
    ends.push(ended(socket))
  }
  const { secured } = await new Promise<{ secured: string | null }>((resolve, reject) => {
    const socket = connectTls({ port, rejectUnauthorized: false }, () => {
      resolve({ secured: socket.getProtocol() })
      socket.destroy()
    })
    socket.once('error', reject)
  })
  expect(secured).toBe('TLSv1.3')
  await Promise.all(ends)
}, 60_000)
