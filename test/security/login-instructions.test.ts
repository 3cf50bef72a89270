/** A client that may not come in hears of the ways that the server takes, at each door, and of no others. */

import { generateKeyPairSync } from 'node:crypto'
import { connect } from 'node:net'
import { SignJWT } from 'jose'
import { pino } from 'pino'
import { afterEach, expect, test } from 'vitest'
import { getRow } from '../harness/thrift-frames.ts'
import { type GuardedDoors, openGuardedDoors, rpcLogin } from './guarded-doors.ts'

/** Nobody listens there. */
const AWAY = 'http://127.0.0.1:1/keys'

let doors: GuardedDoors
let lines: string[] = []
const write = (line: string): void => void lines.push((JSON.parse(line) as { readonly msg: string }).msg)

afterEach(() => doors.close())

async function openWithTokensAlone(): Promise<void> {
  lines = []
  const tokens = { secrets: [], keys: [], keySet: AWAY, userClaim: 'sub', skewSeconds: 60 }
  doors = await openGuardedDoors({ settings: { users: undefined, tokens }, logger: pino({}, { write }) })
}

/** All that the server sends before it ends the connection. */
function exchange(port: number, bytes: Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.end(bytes))
    let text = ''
    socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')))
    socket.on('error', reject)
    socket.on('close', () => resolve(text))
  })
}

function saslStart(mechanism: string): Buffer {
  const header = Buffer.from([1, 0, 0, 0, mechanism.length])
  return Buffer.concat([header, Buffer.from(mechanism)])
}

test('where tokens alone are taken nobody is sent in a circle', async () => {
  await openWithTokensAlone()
  const { rest, thrift, rpc } = doors.first
  const ofThrift = 'show a token (Bearer over HTTP)'
  expect(await exchange(thrift.port, saslStart('PLAIN'))).toContain(
    `this server takes no passwords: ${ofThrift}`,
  )
  expect(await exchange(thrift.port, getRow('none', 'row'))).toContain(`log in: ${ofThrift}`)
  const ofRpc = 'this server takes no login at native RPC: it takes tokens over HTTP alone'
  expect(await exchange(rpc.port, rpcLogin('alice'))).toContain(ofRpc)
  expect(await exchange(rpc.port, Buffer.from('HBas\0\x50', 'latin1'))).toContain(ofRpc)
  const refused = await fetch(`http://127.0.0.1:${rest.port}/version`)
  expect([refused.status, await refused.text()]).toEqual([401, expect.stringContaining('show a token')])
})

test('where the URL of the keys is away clients are to come again, and the log has one line', async () => {
  await openWithTokensAlone()
  const { rest, thrift } = doors.first
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const token = await new SignJWT({ sub: 'alice' })
    .setProtectedHeader({ alg: 'ES256' })
    .setExpirationTime('1h')
    .sign(privateKey)
  const headers = { authorization: `Bearer ${token}` }
  for (const [door, method] of [
    [rest, 'GET'],
    [thrift, 'POST'],
    [rest, 'GET'],
  ] as const) {
    const answer = await fetch(`http://127.0.0.1:${door.port}/version`, { method, headers })
    expect([answer.status, await answer.text()]).toEqual([
      503,
      expect.stringContaining('keys of tokens cannot be fetched'),
    ])
  }
  const told = lines.filter((line) => line.includes(AWAY))
  expect(told).toEqual([expect.stringContaining(`cannot be fetched from ${AWAY}: fetch failed: `)])
  expect(lines.filter((line) => line.includes('login failed'))).toEqual([])
})
