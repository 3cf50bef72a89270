/** Each kind of server, named by each other kind's address: the first answer says what it speaks, and what to write. */

import { createServer, type Server, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openServer } from '../../../src/cli/remote/open-server.ts'
import { parseServerAddress } from '../../../src/cli/remote/server-address.ts'
import { writeUser } from '../../../src/gateway/identity/guard/passwords/users-file.ts'
import { startTidegate, type Tidegate } from '../../../src/library/start-tidegate.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import { Authority, PemFolder } from '../../harness/certificates.ts'

let plain: Tidegate
let encrypted: Tidegate
let authorities: string
const folder = new PemFolder()
const stubs: Server[] = []

beforeAll(async () => {
  const authority = await Authority.make()
  authorities = authority.certificate
  const issued = await authority.issue({ name: 'localhost', hosts: ['localhost', '127.0.0.1'] })
  const { certificate, key } = folder.write('server', issued)
  plain = await startTidegate({ store: 'memory', rpc: 0, zookeeper: 0, web: 0 })
  encrypted = await startTidegate({
    store: 'memory',
    rpc: 0,
    zookeeper: 0,
    tlsCertificate: certificate,
    tlsKey: key,
  })
})

afterAll(async () => {
  await plain.stop()
  await encrypted.stop()
  for (const stub of stubs) stub.close()
  folder.remove()
})

/** The failure of a first question at the address; undefined where there is none. */
async function failureAt(
  address: string,
  tls: 'plain' | 'tls' = 'plain',
  retriesMax = 7,
): Promise<string | undefined> {
  const { store } = await openServer(
    parseServerAddress(address),
    { user: undefined, login: tls === 'tls' ? { tls: { authorities } } : {} },
    { retriesMax, isImpatient: true, warn: () => undefined },
    () => undefined,
  )
  try {
    await store.catalog.listTables(OWN_CALL)
    return undefined
  } catch (error) {
    return (error as Error).message
  } finally {
    await store.close()
  }
}

/** A port of 127.0.0.1 whose connections `serve` gets. */
function stub(serve: (socket: Socket) => void): Promise<number> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    serve(socket)
  })
  stubs.push(server)
  return new Promise((resolve) =>
    server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port)),
  )
}

const KINDS = {
  rest: { address: (place: string) => `rest:${place}`, name: "HBase's REST" },
  rpc: { address: (place: string) => `rpc:${place}`, name: "HBase's native RPC" },
  zookeeper: { address: (place: string) => `zookeeper:${place}`, name: "ZooKeeper's protocol" },
  thrift: { address: (place: string) => `thrift:${place}`, name: 'Thrift 2' },
} as const
type Kind = keyof typeof KINDS
const ALL = Object.keys(KINDS) as Kind[]

describe.each(ALL)('a server of %s', (spoken) => {
  const asked: readonly (readonly [string, string])[] = [
    ...ALL.filter((kind) => kind !== spoken).map((kind) => [kind, `${kind}:PLACE`] as const),
    ...(spoken === 'thrift'
      ? []
      : [
          ['framed Thrift', 'thrift:PLACE/framed'] as const,
          ['Thrift over HTTP', 'thrift:PLACE/http'] as const,
        ]),
    ...(spoken === 'rest' || spoken === 'thrift' ? [['either registry', 'hbase:PLACE'] as const] : []),
  ]

  test.each(asked)('named as %s', async (_, form) => {
    const place = `127.0.0.1:${plain.ports[spoken]!}`
    const failure = await failureAt(form.replace('PLACE', place))
    expect(failure).toMatch(/ speaks .*, not .*: write /)
    expect(failure).toContain(`${place} speaks ${KINDS[spoken].name}, not `)
    expect(failure).toContain(`: write ${KINDS[spoken].address(place)}`)
    expect(failure).not.toContain('attempts=')
  })

  test('named as it is, and over TLS where it is not, or not where it is', async () => {
    const [place, secret] = [plain, encrypted].map(({ ports }) => `127.0.0.1:${ports[spoken]!}`)
    const { address, name } = KINDS[spoken]
    const [fine, fineTls, tlsAtPlain, plainAtTls] = await Promise.all([
      failureAt(address(place!)),
      failureAt(address(secret!), 'tls'),
      failureAt(address(place!), 'tls'),
      failureAt(address(secret!)),
    ])
    expect([fine, fineTls]).toEqual([undefined, undefined])
    expect(tlsAtPlain).toBe(`${place} speaks ${name} without TLS: leave --tls and --tls-ca away`)
    expect(plainAtTls).toContain(`${secret} speaks ${name} over TLS: add --tls, or --tls-ca FILE`)
  })
})

test.each(['rpc:', 'thrift:'])('no password goes to a server of the web at %s', async (scheme) => {
  let said = ''
  const port = await stub((socket) => {
    socket.on('data', (chunk: Buffer) => {
      said += chunk.toString('latin1')
      socket.end('HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n')
    })
  })
  const { store } = await openServer(
    parseServerAddress(`${scheme}127.0.0.1:${port}`),
    { user: 'alice', login: { password: 'open sesame' } },
    { retriesMax: 1, isImpatient: true, warn: () => undefined },
    () => undefined,
  )
  await expect(store.catalog.listTables(OWN_CALL)).rejects.toThrow()
  await store.close()
  expect(said).not.toContain('open sesame')
})

test('another protocol and TLS at once', async () => {
  const place = `127.0.0.1:${encrypted.ports.rest!}`
  expect(await failureAt(`rpc:${place}`)).toContain(
    `${place} speaks HBase's REST over TLS, not HBase's native RPC: write rest:${place}, and add --tls`,
  )
})

test('a page of the web is not REST', async () => {
  const place = `127.0.0.1:${plain.ports.web!}`
  expect(await failureAt(`thrift:${place}`)).toContain(
    `${place} speaks HTTP, not Thrift 2: is it the port of a web page`,
  )
})

test('a server of Thrift that takes frames alone', async () => {
  // It answers each frame with a frame, an empty result, and closes a connection whose frame would be too long.
  const port = await stub((socket) =>
    socket.on('data', (bytes: Buffer) => {
      if (bytes.readInt32BE(0) !== bytes.length - 4) {
        socket.destroy()
        return
      }
      const answer = Buffer.concat([bytes, Buffer.of(0)])
      answer.writeInt32BE(answer.length - 4)
      answer[7] = 2
      socket.write(answer)
    }),
  )
  expect(await failureAt(`thrift:127.0.0.1:${port}`)).toBe(
    `127.0.0.1:${port} speaks Thrift 2 in frames, not Thrift 2: write thrift:127.0.0.1:${port}/framed`,
  )
})

test('a server that says nothing, and one that is not there, are failures as before', async () => {
  const port = await stub((socket) => socket.end())
  expect(await failureAt(`thrift:127.0.0.1:${port}`, 'plain', 0)).toContain(
    'the server closed the connection',
  )
  expect(await failureAt('rest:127.0.0.1:1', 'plain', 0)).toContain('ECONNREFUSED')
})

async function warnings(address: string, password = 'secret'): Promise<readonly string[]> {
  const told: string[] = []
  const { store } = await openServer(
    parseServerAddress(address),
    { user: 'alice', login: { password } },
    { retriesMax: 0, isImpatient: true, warn: (text) => void told.push(text) },
    () => undefined,
  )
  try {
    await store.catalog.listTables(OWN_CALL)
    await store.catalog.listTables(OWN_CALL)
    return told
  } finally {
    await store.close()
  }
}

describe('a login where there are none', () => {
  test.each(['rest', 'http'])('is warned of once over %s', async (way) => {
    const place = `127.0.0.1:${way === 'rest' ? plain.ports.rest! : plain.ports.thrift!}`
    expect(await warnings(way === 'rest' ? `rest:${place}` : `thrift:${place}/http`)).toEqual([
      `${place} answers without a login, too: --user alice may have no effect there`,
    ])
  })

  test('and a server that asks for it is not warned of', async () => {
    const users = `${folder.path}/users`
    await writeUser(users, 'alice', 'secret')
    const guarded = await startTidegate({ store: 'memory', users })
    try {
      const { rest, thrift } = guarded.ports
      expect(await warnings(`rest:127.0.0.1:${rest!}`)).toEqual([])
      expect(await warnings(`thrift:127.0.0.1:${thrift!}/http`)).toEqual([])
    } finally {
      await guarded.stop()
    }
  })
})
