/**
 * Doors whose clients log in on their connection: logins, logs, the slow log and limits by address hear who asks, by TLS and without, and
 * through a trusted proxy and a raw line where the door speaks HTTP.
 */

import { readFileSync } from 'node:fs'
import { create } from '@bufbuild/protobuf'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { writeUser } from '../../src/gateway/identity/guard/passwords/users-file.ts'
import { startTidegate, type Tidegate } from '../../src/library/start-tidegate.ts'
import { regionName } from '../../src/model/region-name.ts'
import { parseTableName } from '../../src/model/table-name.ts'
import { ClientService, GetRequestSchema } from '../../src/wire/rpc/gen/client_pb.ts'
import { CreateNamespaceRequestSchema, MasterService } from '../../src/wire/rpc/gen/master_pb.ts'
import { MessageWriter } from '../../src/wire/rpc/message-writer.ts'
import { writeRequest } from '../../src/wire/rpc/request-frame.ts'
import { rpcMethod } from '../../src/wire/rpc/rpc-method.ts'
import { OP_CODE } from '../../src/wire/zookeeper/codes.ts'
import { encodeFrame, part } from '../../src/wire/zookeeper/frames.ts'
import { CONNECT_REQUEST, REQUEST_HEADER } from '../../src/wire/zookeeper/records.ts'
import { startOf } from '../doors/rpc/one-call.ts'
import { Authority, PemFolder } from '../harness/certificates.ts'
import { saslPreface } from '../harness/sasl-login.ts'
import { getRow } from '../harness/thrift-frames.ts'
import { rpcLogin } from './guarded-doors.ts'
import { answerTo, connected, type Line } from './ways-in.ts'

const [USER, PASSWORD] = ['bob', 'his password']

/** A login, and what its user asks then. */
interface SocketDoor {
  readonly login: (password: string) => Buffer
  readonly asks: Buffer
  readonly action: string
  /** The operation is one of rows, which the slow log has. */
  readonly isTimed: boolean
}

function rpcDoor(
  service: string,
  request: (writer: MessageWriter) => void,
): Pick<SocketDoor, 'login' | 'asks'> {
  const writer = new MessageWriter()
  request(writer)
  return {
    login: (password) => rpcLogin(USER, password),
    asks: Buffer.concat([startOf({ service, user: USER }), writer.take()]),
  }
}

const region = { type: 1 as const, value: regionName(parseTableName('none'), Buffer.alloc(0), 1).name }
const get = create(GetRequestSchema, { region, get: { row: Buffer.from('row') } })
const named = create(CreateNamespaceRequestSchema, { namespaceDescriptor: { name: Buffer.from('default') } })

const DOORS = {
  thrift: {
    login: (password: string) => saslPreface(USER, password).bytes,
    asks: getRow('none', 'row'),
    action: 'get',
    isTimed: true,
  },
  rpc: {
    ...rpcDoor('ClientService', (writer) =>
      writeRequest(writer, { callId: 1 }, rpcMethod(ClientService.method.get), get, []),
    ),
    action: 'get',
    isTimed: true,
  },
  master: {
    ...rpcDoor('MasterService', (writer) =>
      writeRequest(writer, { callId: 1 }, rpcMethod(MasterService.method.createNamespace), named, []),
    ),
    action: 'createNamespace',
    isTimed: false,
  },
} satisfies Readonly<Record<string, SocketDoor>>
type DoorName = keyof typeof DOORS

let folder: PemFolder
let authority: Authority
let server: Tidegate
let addresses = 1

beforeAll(async () => {
  folder = new PemFolder()
  authority = await Authority.make()
  const own = folder.write('own', await authority.issue({ name: 'own', hosts: ['127.0.0.1'] }))
  const users = `${folder.path}/users`
  await writeUser(users, USER, PASSWORD)
  server = await startTidegate({
    rest: 'off',
    rpc: 0,
    master: 0,
    zookeeper: 0,
    web: 0,
    slowLogMs: 0,
    users,
    tlsCertificate: own.certificate,
    tlsKey: own.key,
    tlsPlainToo: 'thrift,rpc,master,zookeeper,web',
    auditLog: `${folder.path}/audit`,
    accessLog: `${folder.path}/access`,
  })
})

afterAll(async () => {
  await server.stop()
  folder.remove()
})

/** From an address that no other client has. */
function lineOf(door: DoorName | 'zookeeper', line: string): Line & { readonly from: string } {
  const tls = { authority: authority.certificate }
  return { port: server.ports[door]!, from: `127.0.0.${++addresses}`, ...(line === 'TLS' && { tls }) }
}

type Told = Readonly<Record<string, unknown>>

async function told(log: 'audit' | 'access', text: string): Promise<Told[]> {
  const lines = (): string[] =>
    readFileSync(`${folder.path}/${log}`, 'utf8')
      .split('\n')
      .filter((line) => line.includes(text))
  await expect.poll(() => lines().length, { interval: 5, timeout: 30_000 }).toBeGreaterThan(0)
  return lines().map((line) => JSON.parse(line) as Told)
}

async function slowClients(): Promise<unknown[]> {
  const authorization = `Basic ${Buffer.from(`${USER}:${PASSWORD}`).toString('base64')}`
  const answer = await fetch(`http://127.0.0.1:${server.ports.web}/console/api/slow`, {
    headers: { authorization },
  })
  const { operations } = (await answer.json()) as { operations: { client: string }[] }
  return operations.map(({ client }) => client)
}

const WAYS = (Object.keys(DOORS) as DoorName[]).flatMap((door) =>
  ['plain', 'TLS'].map((line) => [door, line] as const),
)

describe.each(WAYS)('%s, %s', (door, way) => {
  const { login, asks, action, isTimed } = DOORS[door]

  test('access log, audit log and slow log name the client that has logged in', async () => {
    const line = lineOf(door, way)
    const socket = await connected(line)
    const client = `${line.from}:${socket.localPort}`
    socket.write(Buffer.concat([login(PASSWORD), asks]))
    expect(await told('access', `"client":"${client}"`)).toMatchObject([{ door, principal: USER }])
    const lines = await told('audit', `"address":"${line.from}"`)
    expect(lines.at(-1)).toMatchObject({ door, user: USER, action })
    for (const each of lines) expect(each).toMatchObject({ door, user: USER })
    if (isTimed) expect(await slowClients()).toContain(client)
    socket.destroy()
  })

  const guess = (line: Line): Promise<string> => answerTo(line, login('a guess'))

  test('a wrong password is one of its address, and counts for it alone', async () => {
    const [guesser, other] = [lineOf(door, way), lineOf(door, way)]
    const TOO_MANY = 'too many failed logins'
    for (let free = 0; free < 5; free++) expect(await guess(guesser)).not.toContain(TOO_MANY)
    // A slow machine may take longer than the first wait, which doubles.
    let answer = ''
    while (!answer.includes(TOO_MANY)) answer = await guess(guesser)
    expect(await guess(other)).not.toContain(TOO_MANY)
    for (const each of await told('audit', `"address":"${guesser.from}"`))
      expect(each).toMatchObject({ door, allowed: false })
  })
})

function request(xid: number, type: number): Buffer {
  return encodeFrame(part(REQUEST_HEADER, { xid, type }))
}

test.each(['plain', 'TLS'])('ZooKeeper, %s, knows its client by its address', async (way) => {
  const line = lineOf('zookeeper', way)
  const begin = part(CONNECT_REQUEST, {
    protocolVersion: 0,
    lastZxidSeen: 0n,
    timeOut: 30_000,
    sessionId: 0n,
    passwd: Buffer.alloc(16),
    readOnly: false,
  })
  const asks = [encodeFrame(begin), request(1, OP_CODE.whoAmI), request(2, OP_CODE.closeSession)]
  expect(await answerTo(line, Buffer.concat(asks))).toContain(line.from)
})
