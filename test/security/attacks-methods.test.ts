/** Every method of HTTP at each door of HTTP, with a right login, a wrong one and none: nobody comes in by an odd one. */

import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { writeUser } from '../../src/gateway/identity/guard/passwords/users-file.ts'
import { startTidegate, type Tidegate } from '../../src/library/start-tidegate.ts'
import { PemFolder } from '../harness/certificates.ts'

const PASSWORD = 'the password of alice'
const DOORS = ['rest', 'web', 'timeline', 'thrift'] as const
type HttpDoor = (typeof DOORS)[number]
const PATHS: Readonly<Record<HttpDoor, string>> = {
  rest: '/version',
  web: '/metrics',
  timeline: '/ws/v1/timeline/',
  thrift: '/',
}
/** Some that Node knows, a tunnel, and one that nobody knows. */
const ODD = ['PROPFIND', 'PATCH', 'CONNECT', 'BREW'] as const

let folder: PemFolder
let server: Tidegate

beforeAll(async () => {
  folder = new PemFolder()
  const users = `${folder.path}/users`
  await writeUser(users, 'alice', PASSWORD)
  // Wrong tokens are told at once, however many there are.
  const jwtSecret = folder.file('secret', 'a secret of thirty-two bytes or more, as HS256 needs')
  server = await startTidegate({ users, jwtSecret, web: 0, timeline: 0 })
})

afterAll(async () => {
  await server.stop()
  folder.remove()
})

const RIGHT = `Authorization: Basic ${Buffer.from(`alice:${PASSWORD}`).toString('base64')}\r\n`
const STRANGERS: readonly (readonly [name: string, header: string])[] = [
  ['a wrong token', 'Authorization: Bearer x.y.z\r\n'],
  ['no login', ''],
]

/** All that the door says until it ends the connection. `body`: sent once the door has said something. */
function exchange(door: HttpDoor, request: string, body?: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = ''
    const socket = connect(server.ports[door]!, '127.0.0.1', () => socket.write(request))
    socket.on('data', (chunk: Buffer) => {
      said += chunk.toString('latin1')
      if (body !== undefined && said.endsWith('100 Continue\r\n\r\n')) socket.write(body)
    })
    socket.once('error', reject)
    socket.once('close', () => resolve(said))
  })
}

function statusOf(answer: string): number {
  return Number(/^HTTP\/1\.1 (\d{3}) /.exec(answer)?.[1])
}

async function statusFor(
  door: HttpDoor,
  method: string,
  headers: string,
  path = PATHS[door],
): Promise<number> {
  return statusOf(
    await exchange(door, `${method} ${path} HTTP/1.1\r\nHost: x\r\n${headers}Connection: close\r\n\r\n`),
  )
}

describe.each(DOORS)('the door %s', (door) => {
  test.each(ODD)('%s by a user is a method that is not there', async (method) => {
    expect(await statusFor(door, method, RIGHT)).toBe(405)
  })

  test.each(STRANGERS)('odd methods with %s do not come in', async (_, header) => {
    // Thrift takes POST alone, whoever asks.
    const wanted = door === 'thrift' ? 405 : 401
    for (const method of ODD)
      expect([method, await statusFor(door, method, header)]).toEqual([method, wanted])
  })

  test('TRACE sends nothing back', async () => {
    for (const header of [RIGHT, ...STRANGERS.map(([, each]) => each)]) {
      const answer = await exchange(
        door,
        `TRACE ${PATHS[door]} HTTP/1.1\r\nHost: x\r\nX-Own: secret\r\n${header}Connection: close\r\n\r\n`,
      )
      expect([403, 405, 401]).toContain(statusOf(answer))
      expect(answer).not.toContain('secret')
    }
  })

  test.each(STRANGERS)('an upgrade with %s does not come in', async (_, header) => {
    for (const protocol of ['websocket', 'h2c', 'TLS/1.2']) {
      const upgrade = `${header}Upgrade: ${protocol}\r\n`
      const request = `POST ${PATHS[door]} HTTP/1.1\r\nHost: x\r\n${upgrade}Connection: Upgrade, close\r\nContent-Length: 0\r\n\r\n`
      expect([protocol, statusOf(await exchange(door, request))]).toEqual([protocol, 401])
    }
  })

  test.each(STRANGERS)(
    'who waits before he sends a body, with %s, is not asked for it',
    async (_, header) => {
      const length = 'Expect: 100-continue\r\nContent-Length: 1000000000\r\n'
      const method = door === 'thrift' ? 'POST' : 'PUT'
      const answer = await exchange(
        door,
        `${method} ${PATHS[door]} HTTP/1.1\r\nHost: x\r\n${header}${length}\r\n`,
      )
      expect(answer).toMatch(/^HTTP\/1\.1 (401|413) /)
      expect(answer).toMatch(/\r\nconnection: close\r\n/i)
      expect(answer).not.toContain('100 Continue')
    },
  )
})

test('a user who waits before he sends a body is asked for it', async () => {
  const schema = '{"ColumnSchema":[{"name":"f"}]}'
  const headers = `${RIGHT}Content-Type: application/json\r\nContent-Length: ${schema.length}\r\nExpect: 100-continue\r\n`
  const request = `PUT /t/schema HTTP/1.1\r\nHost: x\r\n${headers}Connection: close\r\n\r\n`
  expect(await exchange('rest', request, schema)).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 201 /)
})

test('the connection of a user who was asked for his body lives on', async () => {
  const body = 'a value'
  const headers = `${RIGHT}Content-Length: ${body.length}\r\nExpect: 100-continue\r\n`
  const next = `GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`
  const row = 'PUT /t/r/f:q HTTP/1.1\r\nHost: x\r\nContent-Type: application/octet-stream\r\n'
  const said = await exchange('rest', `${row}${headers}\r\n`, `${body}${next}`)
  expect(said.match(/HTTP\/1\.1 \d{3} /g)).toEqual(['HTTP/1.1 100 ', 'HTTP/1.1 200 ', 'HTTP/1.1 401 '])
})
