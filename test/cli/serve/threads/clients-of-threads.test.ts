/** Clients of threads that are idle, slow, or gone. */

import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { RpcClient } from '../../../../conformance/src/runner/rpc-client.ts'
import { startTidegate, type Tidegate, type TidegateOptions } from '../../../../src/library/start-tidegate.ts'
import { FrameConnection } from '../../../harness/frame-connection.ts'
import { MOVES_CONNECTIONS } from '../../../harness/newest-node.ts'
import {
  checkAnswer,
  createTable,
  getRow,
  i32Answer,
  listAnswerLength,
  mutateRow,
  mutateRows,
  scannerClose,
  scannerGetList,
  scannerOpenWithScan,
} from '../../../harness/thrift-frames.ts'
import { inTemporaryFolder } from '../../../harness/tidegate-process.ts'

const THREADS = 3
const ROWS = Array.from({ length: 1000 }, (_, i) => `row${String(i).padStart(4, '0')}`)
/** The bits of a scanner's id behind its thread's slot. */
const COUNTER_BITS = 22

let server: Tidegate
const clients: { close(): void }[] = []

afterEach(() => {
  for (const client of clients.splice(0)) client.close()
})

function serving(options: TidegateOptions, work: () => Promise<void>): Promise<void> {
  return inTemporaryFolder(async (folder) => {
    const store = `native:${join(folder, 'data')}`
    server = await startTidegate({ threads: THREADS, store, rpc: 0, web: 0, ...options })
    try {
      await work()
    } finally {
      for (const client of clients.splice(0)) client.close()
      await server.stop()
    }
  })
}

async function thrift(): Promise<FrameConnection> {
  const client = await FrameConnection.open(server.ports.thrift!)
  clients.push(client)
  return client
}

function manyOf<T>(count: number, make: () => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: count }, make))
}

/** The thread that serves the connection: 1 is the main one. */
async function threadOf(client: FrameConnection): Promise<number> {
  const id = i32Answer(await client.ask(scannerOpenWithScan('t', 1)))
  checkAnswer(await client.ask(scannerClose(id)))
  return id >>> COUNTER_BITS
}

async function metric(name: string): Promise<number> {
  const answer = await fetch(`http://127.0.0.1:${server.ports.web}/metrics`)
  const lines = (await answer.text()).split('\n').filter((line) => new RegExp(`^${name}(\\{| )`).test(line))
  return lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0)
}

/** A client that has asked for all rows at once, and does not read the answer yet. */
async function slowClient(): Promise<Socket> {
  const socket = connect({ port: server.ports.thrift!, host: '127.0.0.1' })
  clients.push({ close: () => socket.destroy() })
  await once(socket, 'connect')
  socket.write(scannerOpenWithScan('t', 1))
  const [answer] = (await once(socket, 'data')) as [Buffer]
  socket.pause()
  socket.write(scannerGetList(i32Answer(answer), ROWS.length))
  return socket
}

async function lengthOfAnswer(socket: Socket): Promise<number> {
  let received = Buffer.alloc(0)
  for await (const bytes of socket) {
    received = Buffer.concat([received, bytes as Buffer])
    if (received.length >= 4 && received.length >= 4 + received.readInt32BE(0)) break
  }
  return listAnswerLength(received)
}

/** The full name of the one region of the table. */
async function regionOf(table: string): Promise<Buffer> {
  const headers = { accept: 'application/json' }
  const answer = await fetch(`http://127.0.0.1:${server.ports.rest}/${table}/regions`, { headers })
  const { Region } = (await answer.json()) as { Region: { name: string }[] }
  return Buffer.from(Region[0]!.name)
}

describe.skipIf(!MOVES_CONNECTIONS)('a server of threads', { timeout: 120_000 }, () => {
  test('has shared out sixteen connections that were opened idle before they have work', () =>
    serving({}, async () => {
      const all = await manyOf(16, thrift)
      checkAnswer(await all[0]!.ask(createTable('t', 'f')))
      const threads = await Promise.all(all.map(threadOf))
      const counts = [1, 2, 3, 4].map((thread) => threads.filter((each) => each === thread).length)
      expect(counts).toEqual([4, 4, 4, 4])
      checkAnswer(await all[0]!.ask(mutateRow('t', 'a', 'f:q', 'v')))
      const loaded = all.map(async (client) => {
        for (let i = 0; i < 100; i++) expect(listAnswerLength(await client.ask(getRow('t', 'a')))).toBe(1)
      })
      await Promise.all(loaded)
    }))

  test('answers others while clients of all threads do not read the large answers of their scans', () =>
    serving({}, async () => {
      const first = await thrift()
      checkAnswer(await first.ask(createTable('t', 'f')))
      checkAnswer(await first.ask(mutateRows('t', ROWS, 'f:q', 'x'.repeat(20_000))))
      const slow = await manyOf(2 * (THREADS + 1), slowClient)
      const others = [first, ...(await manyOf(THREADS + 1, thrift))]
      expect(new Set(await Promise.all(others.map(threadOf))).size).toBe(THREADS + 1)
      for (let round = 0; round < 20; round++) {
        for (const [i, client] of others.entries()) {
          checkAnswer(await client.ask(mutateRow('t', `new${i}`, 'f:q', String(round))))
          expect(listAnswerLength(await client.ask(getRow('t', 'row0500')))).toBe(1)
        }
      }
      expect(await Promise.all(slow.map(lengthOfAnswer))).toEqual(slow.map(() => ROWS.length))
    }))

  test('keeps nothing for clients of native RPC that hang up during their scans', () =>
    serving({ scannerIdleMs: 200 }, async () => {
      const client = await thrift()
      checkAnswer(await client.ask(createTable('t', 'f')))
      checkAnswer(await client.ask(mutateRows('t', ROWS, 'f:q', 'x'.repeat(2000))))
      const region = { type: 1, value: await regionOf('t') }
      const gone: Promise<unknown>[] = []
      for (let i = 0; i < 3 * (THREADS + 1); i++) {
        const at = { host: '127.0.0.1', port: server.ports.rpc! }
        const scanning = new RpcClient(at, { service: 'ClientService' }, 20_000)
        const ask = (fields: Record<string, unknown>): Promise<unknown> =>
          scanning.call({ service: 'ClientService', method: 'Scan' } as never, fields as never)
        const opened = (await ask({ region, scan: {}, numberOfRows: 5 })) as {
          message: { scannerId: bigint }
        }
        const { scannerId } = opened.message
        expect(scannerId).toBeGreaterThan(0n)
        gone.push(ask({ scannerId, numberOfRows: ROWS.length, nextCallSeq: 1n }).catch(() => undefined))
        if (i % 2 === 0) await new Promise(setImmediate)
        scanning.close()
      }
      await Promise.all(gone)
      checkAnswer(await client.ask(mutateRows('t', ROWS, 'f:q', 'newer')))
      await expect.poll(() => metric('tidegate_open_scanners')).toBe(0)
      await expect.poll(() => metric('tidegate_native_held_snapshots')).toBe(0)
      const dropped = await metric('tidegate_native_dropped_versions_total')
      for (let i = 0; i < 40; i++) checkAnswer(await client.ask(mutateRow('t', 'row0000', 'f:q', String(i))))
      expect(await metric('tidegate_native_dropped_versions_total')).toBeGreaterThan(dropped)
    }))
})
