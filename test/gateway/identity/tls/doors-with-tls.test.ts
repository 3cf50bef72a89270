/** Every door behind TLS, by the server as a program starts it. */

import { once } from 'node:events'
import { connect as connectPlain } from 'node:net'
import { text } from 'node:stream/consumers'
import { connect, type TLSSocket } from 'node:tls'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { startTidegate, type Tidegate, type TidegateOptions } from '../../../../src/library/start-tidegate.ts'
import { ClientMetaService } from '../../../../src/wire/rpc/gen/registry_pb.ts'
import { oneCall } from '../../../doors/rpc/one-call.ts'
import { Authority, type Issued, PemFolder } from '../../../harness/certificates.ts'
import { type TlsTunnel, tlsTunnel } from '../../../harness/tls-tunnel.ts'

const ALL = { rest: 0, thrift: 0, rpc: 0, zookeeper: 0, web: 0 } as const

let authority: Authority
let other: Authority
let server: Tidegate | undefined
const folders: PemFolder[] = []
const tunnels: TlsTunnel[] = []

beforeAll(async () => {
  authority = await Authority.make()
  other = await Authority.make('Other CA')
})

function newFolder(): PemFolder {
  const folder = new PemFolder()
  folders.push(folder)
  return folder
}

async function start(options: TidegateOptions = {}): Promise<Required<Tidegate['ports']>> {
  const files = newFolder().write(
    'server',
    await authority.issue({ name: 'server', hosts: ['localhost', '127.0.0.1'] }),
  )
  server = await startTidegate({ ...ALL, tlsCertificate: files.certificate, tlsKey: files.key, ...options })
  return server.ports as Required<Tidegate['ports']>
}

afterEach(async () => {
  for (const tunnel of tunnels.splice(0)) tunnel.close()
  await server?.stop()
  server = undefined
  for (const folder of folders.splice(0)) folder.remove()
})

async function through(port: number, client?: Issued): Promise<number> {
  const identity = client && { cert: client.certificate, key: client.key }
  const tunnel = await tlsTunnel(port, { ca: authority.certificate, ...identity })
  tunnels.push(tunnel)
  return tunnel.port
}

/** `secured`, or the error with which the handshake or the connection ended. */
async function handshake(port: number, options: object = {}): Promise<string> {
  const socket = connect({ host: '127.0.0.1', port, ca: authority.certificate, ...options })
  return outcomeOf(socket)
}

function outcomeOf(socket: TLSSocket): Promise<string> {
  return new Promise((resolve) => {
    socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    socket.once('close', () => resolve('closed'))
    socket.once('secureConnect', () => {
      // With TLS 1.3 the server refuses a certificate after the client's side of the handshake is done.
      socket.write('ruok')
      socket.once('data', () => {
        socket.destroy()
        resolve('secured')
      })
    })
  })
}

async function sentPlain(port: number, bytes: string): Promise<string> {
  const socket = connectPlain({ host: '127.0.0.1', port })
  socket.on('error', () => socket.destroy())
  await once(socket, 'connect')
  socket.write(bytes)
  return text(socket).catch(() => '')
}

describe('with a certificate, every door takes connections with TLS', () => {
  test('REST, whose addresses are of https', async () => {
    const { rest } = await start()
    const url = `http://127.0.0.1:${await through(rest)}`
    const schema = { name: 't', ColumnSchema: [{ name: 'f' }] }
    const json = { 'Content-Type': 'application/json' }
    const made = await fetch(`${url}/t/schema`, {
      method: 'PUT',
      headers: json,
      body: JSON.stringify(schema),
    })
    expect(made.status).toBe(201)
    const scanner = await fetch(`${url}/t/scanner`, { method: 'PUT', headers: json, body: '{}' })
    expect(scanner.headers.get('location')).toMatch(/^https:\/\//)
  })

  test('native RPC', async () => {
    const { rpc } = await start()
    const answer = await oneCall(await through(rpc), ClientMetaService.method.getClusterId, {})
    expect(answer.message.clusterId).not.toBe('')
  })

  test('ZooKeeper, Thrift and the web door', async () => {
    const { zookeeper, thrift, web } = await start()
    expect(await sentPlain(await through(zookeeper), 'ruok')).toBe('imok')
    const asked = await fetch(`http://127.0.0.1:${await through(thrift)}/`, { method: 'POST', body: '' })
    expect([asked.status, await asked.text()]).toEqual([400, expect.stringContaining('Thrift')])
    expect((await fetch(`http://127.0.0.1:${await through(web)}/health`)).status).toBe(200)
  })

  test('and no others: a client of HTTP gets an answer, others are cut off', async () => {
    const ports = await start()
    const get = 'GET /version HTTP/1.1\r\nHost: a\r\n\r\n'
    expect(await sentPlain(ports.rest, get)).toContain('Bad Request: this port takes connections with TLS')
    expect(await sentPlain(ports.web, get)).toContain('use https://')
    for (const port of [ports.rpc, ports.thrift, ports.zookeeper])
      expect(await sentPlain(port, 'HBas\0P')).toBe('')
  })

  test('but for doors that are to take both', async () => {
    const { web, zookeeper, rest } = await start({ tlsPlainToo: 'web,zookeeper' })
    expect((await fetch(`http://127.0.0.1:${web}/health`)).status).toBe(200)
    expect(await sentPlain(zookeeper, 'ruok')).toBe('imok')
    expect(await sentPlain(await through(zookeeper), 'ruok')).toBe('imok')
    expect(await sentPlain(rest, 'GET / HTTP/1.1\r\nHost: a\r\n\r\n')).toContain('use https://')
  })

  test('of TLS 1.2 at least', async () => {
    const { zookeeper } = await start()
    expect(await handshake(zookeeper, { minVersion: 'TLSv1.2', maxVersion: 'TLSv1.2' })).toBe('secured')
    const old = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' }
    expect(await handshake(zookeeper, old)).toMatch(/PROTOCOL_VERSION|ECONNRESET|UNSUPPORTED/)
  })

  test('bytes that only begin like a handshake end their connection, and no other', async () => {
    const { zookeeper } = await start()
    for (const bytes of ['\x16', '\x16\x03\x01\x00\x05hello', `\x16${'\xff'.repeat(70_000)}`]) {
      const socket = connectPlain({ host: '127.0.0.1', port: zookeeper })
      socket.on('error', () => socket.destroy())
      socket.end(Buffer.from(bytes, 'latin1'))
      socket.resume()
      await new Promise((resolve) => socket.once('close', resolve))
    }
    expect(await handshake(zookeeper)).toBe('secured')
  })
})

describe('clients show certificates', () => {
  test('of the authority that is named, and every client one', async () => {
    const { zookeeper } = await start({ tlsClientCa: newFolder().file('ca.crt', authority.certificate) })
    const [known, strange, expired] = await Promise.all([
      authority.issue({ name: 'alice' }),
      other.issue({ name: 'alice' }),
      authority.issue({ name: 'alice', days: -1 }),
    ])
    const shown = ({ certificate, key }: Issued) => handshake(zookeeper, { cert: certificate, key })
    expect(await shown(known)).toBe('secured')
    expect(await shown(strange)).not.toBe('secured')
    expect(await shown(expired)).not.toBe('secured')
    expect(await handshake(zookeeper)).not.toBe('secured')
  })

  test('or some, where that is optional, but none of others', async () => {
    const { zookeeper } = await start({
      tlsClientCa: newFolder().file('ca.crt', authority.certificate),
      tlsClientCertificates: 'optional',
    })
    const [known, strange] = await Promise.all([authority.issue({ name: 'a' }), other.issue({ name: 'a' })])
    expect(await handshake(zookeeper)).toBe('secured')
    expect(await handshake(zookeeper, { cert: known.certificate, key: known.key })).toBe('secured')
    expect(await handshake(zookeeper, { cert: strange.certificate, key: strange.key })).not.toBe('secured')
  })
})

test('connections without a handshake are ended, and do not block others', async () => {
  const { zookeeper } = await start({ headersMs: 200 })
  const silent = Array.from({ length: 200 }, () => connectPlain({ host: '127.0.0.1', port: zookeeper }))
  const begun = Array.from({ length: 200 }, () => {
    const socket = connectPlain({ host: '127.0.0.1', port: zookeeper })
    socket.write(Buffer.from('160301', 'hex'))
    return socket
  })
  const ends = [...silent, ...begun].map((socket) => {
    socket.on('error', () => socket.destroy())
    socket.resume()
    return new Promise((resolve) => socket.once('close', resolve))
  })
  expect(await handshake(zookeeper)).toBe('secured')
  await Promise.all(ends)
})

test('a certificate is chosen by the server name that a client states', async () => {
  const folder = newFolder()
  const files = await Promise.all(
    ['one.test', 'two.test'].map(async (name) =>
      folder.write(name, await authority.issue({ name, hosts: [name] })),
    ),
  )
  server = await startTidegate({
    zookeeper: 0,
    tlsCertificate: files.map(({ certificate }) => certificate),
    tlsKey: files.map(({ key }) => key),
  })
  const { zookeeper } = server.ports as Required<Tidegate['ports']>
  const nameFor = async (servername?: string): Promise<string> => {
    const options = {
      host: '127.0.0.1',
      port: zookeeper,
      ca: authority.certificate,
      rejectUnauthorized: false,
    }
    const socket = connect(servername === undefined ? options : { ...options, servername })
    await once(socket, 'secureConnect')
    const { subject } = socket.getPeerX509Certificate()!
    socket.destroy()
    return subject
  }
  expect(await nameFor('two.test')).toBe('CN=two.test')
  expect(await nameFor('one.test')).toBe('CN=one.test')
  expect(await nameFor('three.test')).toBe('CN=one.test')
  expect(await nameFor()).toBe('CN=one.test')
})
