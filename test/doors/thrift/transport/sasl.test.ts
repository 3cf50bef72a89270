/** Clients that log in by SASL. Their bytes may come in any pieces; their replies come in frames that they accept. */

import { connect } from 'node:net'
import fc from 'fast-check'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { FRAME_BYTES_MAX } from '../../../../src/doors/thrift/transport/sasl-frames.ts'
import { Guard } from '../../../../src/gateway/identity/guard/guard.ts'
import { writeUser } from '../../../../src/gateway/identity/guard/passwords/users-file.ts'
import { startTidegate, type Tidegate } from '../../../../src/library/start-tidegate.ts'
import { PemFolder } from '../../../harness/certificates.ts'
import { saslPreface } from '../../../harness/sasl-login.ts'
import { testRuns } from '../../../harness/test-runs.ts'
import { createTable, getRow, mutateRows } from '../../../harness/thrift-frames.ts'
import { callBytes, framed, RawClient } from './raw-client.ts'
import { startToyServer } from './toy-services.ts'

const PASSWORD = 'alice has a password'
const MIB = 1024 * 1024
const LARGE = 'x'.repeat(3 * MIB)

let folder: PemFolder
let server: Tidegate
let users: string

beforeAll(async () => {
  folder = new PemFolder()
  users = `${folder.path}/users`
  await writeUser(users, 'alice', PASSWORD)
  server = await startTidegate({ users })
  const calls = [
    createTable('t', 'f'),
    mutateRows('t', ['small'], 'f:q', 'v'),
    mutateRows('t', ['large'], 'f:q', LARGE),
  ]
  const made = await converse('buffered', calls, [MIB])
  expect(Buffer.concat(made)).toEqual(
    Buffer.concat(['createTable', 'mutateRows', 'mutateRows'].map(emptyReply)),
  )
})

afterAll(async () => {
  await server.stop()
  folder.remove()
})

type Transport = 'buffered' | 'framed'

/** The replies of calls that are sent behind the login without waiting, in pieces of these sizes. `calls`: behind their length. */
function converse(
  transport: Transport,
  calls: readonly Buffer[],
  sizes: readonly number[],
): Promise<Buffer[]> {
  const { bytes, answerBytes } = saslPreface('alice', PASSWORD)
  const sent = Buffer.concat([
    bytes,
    ...calls.map((call) => (transport === 'framed' ? behindLength(call) : call)),
  ])
  return new Promise((resolve, reject) => {
    const socket = connect(server.ports.thrift!, '127.0.0.1')
    const chunks: Buffer[] = []
    socket.on('error', reject)
    socket.on('data', (chunk) => chunks.push(chunk))
    socket.on('end', () => {
      const answer = Buffer.concat(chunks)
      expect(answer.subarray(0, answerBytes).toString('hex')).toBe('0500000000')
      const payloads = framesOf(answer.subarray(answerBytes))
      for (const { length } of payloads) expect(length).toBeLessThanOrEqual(FRAME_BYTES_MAX)
      resolve(transport === 'framed' ? framesOf(Buffer.concat(payloads)) : [Buffer.concat(payloads)])
    })
    for (let at = 0, piece = 0; at < sent.length; piece++) {
      const size = sizes[piece % sizes.length]!
      socket.write(sent.subarray(at, at + size))
      at += size
    }
    socket.end()
  })
}

/** The reply to a call that has no result and has ended without an exception. */
function emptyReply(method: string): Buffer {
  const head = Buffer.from('80010002', 'hex')
  const sequenceId = Buffer.from('00000001', 'hex')
  return Buffer.concat([head, behindLength(Buffer.from(method)), sequenceId, Buffer.of(0)])
}

function behindLength(bytes: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeInt32BE(bytes.length)
  return Buffer.concat([length, bytes])
}

/** The bytes behind each length; they end with the last. */
function framesOf(bytes: Buffer): Buffer[] {
  const frames: Buffer[] = []
  for (let at = 0; at < bytes.length; at += 4 + frames.at(-1)!.length) {
    const end = at + 4 + bytes.readInt32BE(at)
    expect(end).toBeLessThanOrEqual(bytes.length)
    frames.push(bytes.subarray(at + 4, end))
  }
  return frames
}

test('calls behind the login, buffered and framed, in pieces of any size', async () => {
  const [small] = await converse('buffered', [getRow('t', 'small')], [MIB])
  const [missing] = await converse('buffered', [getRow('t', 'missing')], [MIB])
  const judged = fc.asyncProperty(
    fc.constantFrom<Transport>('buffered', 'framed'),
    fc.array(fc.boolean(), { minLength: 1, maxLength: 40 }),
    fc.array(fc.integer({ min: 1, max: 200 }), { minLength: 1, maxLength: 20 }),
    async (transport, rows, sizes) => {
      const calls = rows.map((isThere) => getRow('t', isThere ? 'small' : 'missing'))
      const replies = await converse(transport, calls, sizes)
      const wanted = rows.map((isThere) => (isThere ? small! : missing!))
      expect(replies).toEqual(transport === 'framed' ? wanted : [Buffer.concat(wanted)])
    },
  )
  await fc.assert(judged, { numRuns: testRuns(40) })
})

test.each<Transport>(['buffered', 'framed'])(
  'a %s reply of several MB, between small ones',
  async (transport) => {
    const calls = ['small', 'large', 'small', 'large'].map((row) => getRow('t', row))
    const replies = await converse(transport, calls, [MIB])
    const [small] = await converse('buffered', [getRow('t', 'small')], [MIB])
    const all = Buffer.concat(replies)
    expect(all.toString('latin1').split(LARGE)).toHaveLength(3)
    expect(all.subarray(0, small!.length)).toEqual(small)
  },
)

test('a connection beyond those that the door takes is refused behind its login, too, and counts for none afterwards', async () => {
  const guard = new Guard({ users, certificates: false }, pino({ level: 'silent' }))
  const toy = await startToyServer({ limits: { connectionsMax: 1 }, guard })
  const open = (): Promise<RawClient> => RawClient.open(toy.port)
  const login = saslPreface('alice', PASSWORD).bytes
  const call = framed(callBytes('binary', 'add', { left: 1n, right: 1n }))
  try {
    const first = await open()
    first.send(Buffer.concat([login, call]))
    await first.until(() => first.received.length > 9)
    const beyond = await Promise.all([1, 2, 3].map(open))
    for (const client of beyond) client.send(Buffer.concat([login, call]))
    await Promise.all(beyond.map((client) => client.closed()))
    for (const { received } of beyond)
      expect(received.toString('latin1')).toContain('no more than 1 connections')
    first.socket.destroy()
    await expect.poll(() => toy.listener.counters.connections()).toBe(0)
  } finally {
    await toy.listener.close()
  }
})
