/** Clients of Thrift that log in by SASL, whose scanner the other process has: its reply goes back behind the lengths of their transport. */

import { rmSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { writeUser } from '../../src/gateway/identity/guard/passwords/users-file.ts'
import { ChildServer } from '../harness/child-server.ts'
import { saslPreface } from '../harness/sasl-login.ts'
import {
  checkAnswer,
  createTable,
  i32Answer,
  listAnswerLength,
  mutateRows,
  scannerClose,
  scannerGetList,
  scannerOpenWithScan,
} from '../harness/thrift-frames.ts'
import { FREE_PORTS, MAIN, makeTemporaryFolder, startTidegate } from '../harness/tidegate-process.ts'

const PASSWORD = 'alice has a password'
const ROWS = Array.from({ length: 40 }, (_, i) => `row${String(i).padStart(2, '0')}`)
const LENGTH_BYTES = 4

type Transport = 'buffered' | 'framed'

const folder = makeTemporaryFolder()
let behind: ChildServer
let front: ChildServer

beforeAll(async () => {
  const users = join(folder, 'users')
  await writeUser(users, 'alice', PASSWORD)
  behind = await startTidegate(`native:${join(folder, 'data')}`)
  vi.stubEnv('TMPDIR', folder)
  const store = `hbase:127.0.0.1:${behind.port('rpc')}`
  const logins = ['--users', users, '--log-level', 'silent']
  front = await ChildServer.start(MAIN, [
    'serve',
    '--store',
    store,
    '--processes',
    '2',
    ...FREE_PORTS,
    ...logins,
  ])
  vi.unstubAllEnvs()
  checkAnswer(await asked('buffered', createTable('t', 'f')))
  checkAnswer(await asked('buffered', mutateRows('t', ROWS, 'f:q', 'value')))
}, 60_000)

afterAll(async () => {
  await front?.stop()
  await behind?.stop()
  rmSync(folder, { recursive: true, force: true })
})

/**
 * The reply behind its length, over a connection of its own, which the next process gets. SASL puts a length before each message that a
 * transport sends: before the call alone, or before the length of its frame.
 */
function asked(transport: Transport, call: Buffer): Promise<Buffer> {
  const { bytes, answerBytes } = saslPreface('alice', PASSWORD)
  const sent = transport === 'framed' ? behindLength(call) : call
  return new Promise((resolve, reject) => {
    const socket = connect(front.port('thrift'), '127.0.0.1', () =>
      socket.write(Buffer.concat([bytes, sent])),
    )
    let received = Buffer.alloc(0)
    socket.once('error', reject)
    socket.once('close', () => reject(new Error('the connection ended without an answer')))
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk])
      const reply = received.subarray(answerBytes)
      if (reply.length < LENGTH_BYTES || reply.length < LENGTH_BYTES + reply.readInt32BE(0)) return
      resolve(transport === 'framed' ? withoutLength(reply) : reply)
      socket.destroy()
    })
  })
}

function behindLength(bytes: Buffer): Buffer {
  const length = Buffer.alloc(LENGTH_BYTES)
  length.writeInt32BE(bytes.length)
  return Buffer.concat([length, bytes])
}

/** The bytes behind a length, which is theirs. */
function withoutLength(bytes: Buffer): Buffer {
  expect(bytes.readInt32BE(0)).toBe(bytes.length - LENGTH_BYTES)
  return bytes.subarray(LENGTH_BYTES)
}

test.each<Transport>(['buffered', 'framed'])('a scanner of a %s client behind SASL', async (transport) => {
  const id = i32Answer(await asked(transport, scannerOpenWithScan('t', 10)))
  const pages: number[] = []
  do {
    const reply = await asked(transport, scannerGetList(id, 9))
    withoutLength(reply)
    pages.push(listAnswerLength(reply))
  } while (pages.at(-1)! > 0)
  expect(pages).toEqual([9, 9, 9, 9, 4, 0])
  checkAnswer(await asked(transport, scannerClose(id)))
  const gone = await asked(transport, scannerGetList(id, 1))
  expect(withoutLength(gone).toString('latin1')).toContain('scanner')
})
