/** Clients of a server whose connections several threads serve. */

import { once } from 'node:events'
import { join } from 'node:path'
import { connect, type TLSSocket } from 'node:tls'
import { afterEach, describe, expect, test } from 'vitest'
import { RpcClient } from '../../../../conformance/src/runner/rpc-client.ts'
import { startTidegate, type Tidegate, type TidegateOptions } from '../../../../src/library/start-tidegate.ts'
import { Authority, PemFolder } from '../../../harness/certificates.ts'
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

const ROWS = Array.from({ length: 40 }, (_, i) => `row${String(i).padStart(2, '0')}`)
/** The bits of a scanner's id behind its thread's slot. */
const COUNTER_BITS = 22

let server: Tidegate | undefined
const clients: { close(): void }[] = []

afterEach(async () => {
  for (const client of clients.splice(0)) client.close()
  await server?.stop()
  server = undefined
})

async function start(options: TidegateOptions): Promise<Tidegate> {
  server = await startTidegate({ rpc: 0, web: 0, ...options })
  return server
}

async function thrift(ca?: string): Promise<FrameConnection> {
  const client = await FrameConnection.open(server!.ports.thrift!, ca)
  clients.push(client)
  return client
}

type Fields = Record<string, unknown>

function rpc(
  service: 'ClientService' | 'MasterService',
): (method: string, fields: Fields) => Promise<Fields> {
  const client = new RpcClient({ host: '127.0.0.1', port: server!.ports.rpc! }, { service }, 20_000)
  clients.push(client)
  return async (method, fields) => {
    const answer = await client.call({ service, method } as never, fields as never)
    if (answer.kind === 'exception') throw new Error(answer.exception.exceptionClassName)
    return { ...answer.message }
  }
}

/** The thread that serves the connection: 1 is the main one. */
async function threadOf(client: FrameConnection): Promise<number> {
  const id = i32Answer(await client.ask(scannerOpenWithScan('t', 1)))
  checkAnswer(await client.ask(scannerClose(id)))
  return id >>> COUNTER_BITS
}

describe.skipIf(!MOVES_CONNECTIONS).each([
  ['memory', 1],
  ['memory', 3],
  ['native', 3],
  ['hbase', 2],
])('a store %s and %i threads', (kind, threads) => {
  async function inStore(work: () => Promise<void>): Promise<void> {
    await inTemporaryFolder(async (folder) => {
      const behind = kind === 'hbase' ? await startTidegate({ rpc: 0 }) : undefined
      const stores: Record<string, string> = {
        memory: 'memory',
        native: `native:${join(folder, 'data')}`,
        hbase: `hbase:127.0.0.1:${behind?.ports.rpc}`,
      }
      await start({ threads, store: stores[kind]! })
      try {
        await work()
      } finally {
        for (const client of clients.splice(0)) client.close()
        await server!.stop()
        await behind?.stop()
      }
    })
  }

  test('a client of Thrift reads what its other connections wrote, whichever threads have them', () =>
    inStore(async () => {
      const first = await thrift()
      checkAnswer(await first.ask(createTable('t', 'f')))
      const all = [first]
      while (all.length < threads + 1) all.push(await thrift())
      const served = await Promise.all(all.map(threadOf))
      expect(served[0]).toBe(1)
      expect(new Set(served).size).toBe(threads + 1)
      for (const [i, client] of all.entries()) {
        checkAnswer(await client.ask(mutateRow('t', `row${i}`, 'f:q', 'v'.repeat(i * 20_000 + 1))))
        for (const other of all) expect(listAnswerLength(await other.ask(getRow('t', `row${i}`)))).toBe(1)
      }
      checkAnswer(await all.at(-1)!.ask(mutateRows('t', ROWS, 'f:q', 'value')))
      for (const opener of all) {
        const id = i32Answer(await opener.ask(scannerOpenWithScan('t', 10)))
        let rows = 0
        for (let page = -1, turn = 0; page !== 0; turn++) {
          page = listAnswerLength(await all[turn % all.length]!.ask(scannerGetList(id, 7)))
          rows += page
        }
        expect(rows).toBe(ROWS.length + threads + 1)
        checkAnswer(await all[0]!.ask(scannerClose(id)))
        for (const client of all)
          expect((await client.ask(scannerGetList(id, 1))).toString('latin1')).toContain('scanner')
      }
    }))

  test('so does a client of native RPC, whose master is one for all threads', () =>
    inStore(async () => {
      const masters = Array.from({ length: threads + 1 }, () => rpc('MasterService'))
      for (const master of masters) await master('IsMasterRunning', {})
      const table = { namespace: Buffer.from('default'), qualifier: Buffer.from('t') }
      const schema = { tableName: table, columnFamilies: [{ name: Buffer.from('f') }] }
      const { procId } = await masters.at(-1)!('CreateTable', { tableSchema: schema, splitKeys: [] })
      for (const master of masters)
        expect(await master('getProcedureResult', { procId })).toMatchObject({ state: 2 })
      const listed = await Promise.all(masters.map((master) => master('GetProcedures', {})))
      expect(listed.map(({ procedure }) => (procedure as unknown[]).length)).toEqual(masters.map(() => 1))
      checkAnswer(await (await thrift()).ask(mutateRows('t', ROWS, 'f:q', 'value')))
      const each = Array.from({ length: threads + 1 }, () => rpc('ClientService'))
      const name = await regionOf('t')
      const region = { type: 1, value: name }
      const row = Buffer.from('row07')
      for (const call of each) {
        const { result } = await call('Get', { region, get: { row } })
        expect((result as { associatedCellCount: number }).associatedCellCount).toBe(1)
      }
      const { scannerId } = await each.at(-1)!('Scan', { region, scan: {}, numberOfRows: 0 })
      let rows = 0
      for (let sequence = 0; ; sequence++) {
        const asked = { scannerId, numberOfRows: 6, nextCallSeq: BigInt(sequence) }
        const answer = await each[sequence % each.length]!('Scan', asked)
        rows += (answer['cellsPerResult'] as number[]).length
        if (answer['moreResultsInRegion'] !== true) break
      }
      expect(rows).toBe(ROWS.length)
    }))
})

/** The full name of the first region of the table. */
async function regionOf(table: string): Promise<Buffer> {
  const headers = { accept: 'application/json' }
  const answer = await fetch(`http://127.0.0.1:${server!.ports.rest}/${table}/regions`, { headers })
  const { Region } = (await answer.json()) as { Region: { name: string }[] }
  return Buffer.from(Region[0]!.name)
}

describe.skipIf(!MOVES_CONNECTIONS)('the limits of a server with threads', () => {
  test('connections are counted wherever they are served', async () => {
    await start({ threads: 2, connectionsMax: 4 })
    const all = [await thrift(), await thrift(), await thrift(), await thrift()]
    checkAnswer(await all[0]!.ask(createTable('t', 'f')))
    expect(new Set(await Promise.all(all.map(threadOf))).size).toBe(3)
    const late = await thrift()
    expect((await late.ask(getRow('t', 'a'))).toString('latin1')).toContain('no more than 4 connections')
    late.close()
    for (const gone of [all[0]!, all[3]!]) {
      gone.close()
      await expect
        .poll(async () => {
          const next = await thrift()
          const answer = await next.ask(getRow('t', 'a'))
          const isRefused = answer.toString('latin1').includes('no more than')
          if (isRefused) next.close()
          return isRefused
        })
        .toBe(false)
    }
  })

  test('metrics are the sums over all threads, and those of the process count once', async () => {
    await start({ threads: 3 })
    const all = await Promise.all(Array.from({ length: 5 }, () => thrift()))
    checkAnswer(await all[0]!.ask(createTable('t', 'f')))
    for (const client of all) for (let i = 0; i < 2; i++) await client.ask(getRow('t', 'a'))
    const answer = await fetch(`http://127.0.0.1:${server!.ports.web}/metrics`)
    const text = await answer.text()
    expect(text).toContain('tidegate_connections{door="thrift"} 5\n')
    expect(text).toMatch(/^tidegate_requests_total\{.*method="getRow",outcome="ok"\} 10$/m)
    expect(text).toMatch(/^tidegate_info\{.*\} 1$/m)
    const [, resident] = /^process_resident_memory_bytes (\d+)$/m.exec(text)!
    expect(Number(resident)).toBeLessThan(process.memoryUsage().rss * 1.5)
    const health = await fetch(`http://127.0.0.1:${server!.ports.web}/health`)
    expect(await health.json()).toMatchObject({ status: 'ok' })
  })

  test('the block cache is divided among the threads, and their parts are one in the metrics', () =>
    inTemporaryFolder(async (folder) => {
      await start({ threads: 3, store: `native:${join(folder, 'data')}`, blockCache: '64m' })
      try {
        const answer = await fetch(`http://127.0.0.1:${server!.ports.web}/metrics`)
        expect(await answer.text()).toContain(`tidegate_native_block_cache_max_bytes ${64 * 1024 * 1024}\n`)
      } finally {
        await server!.stop()
      }
    }))

  test('TLS is spoken in the thread that has the connection', async () => {
    const folder = new PemFolder()
    try {
      const authority = await Authority.make()
      const hosts = ['localhost', '127.0.0.1']
      const { certificate, key } = folder.write('server', await authority.issue({ name: 'localhost', hosts }))
      await start({ threads: 2, tlsCertificate: certificate, tlsKey: key, tlsPlainToo: 'thrift', web: 'off' })
      const ca = authority.certificate
      const all = [await thrift(ca), await thrift(ca), await thrift(), await thrift(ca)]
      checkAnswer(await all[0]!.ask(createTable('t', 'f')))
      expect(new Set(await Promise.all(all.map(threadOf))).size).toBe(3)
      for (const [i, client] of all.entries()) {
        checkAnswer(await client.ask(mutateRow('t', `row${i}`, 'f:q', 'v'.repeat(100_000))))
        expect(listAnswerLength(await client.ask(getRow('t', 'row0')))).toBe(1)
      }
    } finally {
      folder.remove()
    }
  })

  test('a TLS session that one thread has begun goes on in another, until the authorities of clients change', async () => {
    const folder = new PemFolder()
    try {
      const [authority, other] = [await Authority.make(), await Authority.make('Other CA')]
      const { certificate, key } = folder.write('server', await authority.issue({ name: 'localhost' }))
      const clientCa = folder.file('clients.crt', authority.certificate)
      const tls = { tlsCertificate: certificate, tlsKey: key, tlsClientCa: [clientCa] }
      await start({ threads: 2, ...tls, web: 'off' })
      const own = await authority.issue({ name: 'client' })
      const options = {
        host: '127.0.0.1',
        port: server!.ports.thrift!,
        ca: authority.certificate,
        cert: own.certificate,
        key: own.key,
        servername: 'localhost',
        checkServerIdentity: () => undefined,
      }
      /** A connection that stays, so that the next one comes to another thread. */
      const connected = (session?: Buffer): TLSSocket => {
        const socket = connect({ ...options, session })
        clients.push({ close: () => socket.destroy() })
        // Tickets come behind the handshake.
        return socket.resume()
      }
      const takesUp = async (session: Buffer): Promise<boolean> => {
        const socket = connected(session)
        await once(socket, 'secureConnect')
        return socket.isSessionReused()
      }
      const [ticket] = (await once(connected(), 'session')) as [Buffer]
      const eachTakesUp = async (): Promise<boolean[]> => [
        await takesUp(ticket),
        await takesUp(ticket),
        await takesUp(ticket),
      ]
      expect(await eachTakesUp()).toEqual([true, true, true])
      folder.file('clients.crt', `${other.certificate}\n${authority.certificate}`)
      // The server looks at its files now and then.
      await expect.poll(eachTakesUp, { timeout: 20_000 }).toEqual([false, false, false])
    } finally {
      folder.remove()
    }
  })

  test('a stop ends all connections', async () => {
    await start({ threads: 2 })
    const all = [await thrift(), await thrift(), await thrift()]
    checkAnswer(await all[0]!.ask(createTable('t', 'f')))
    for (const client of all) await client.ask(getRow('t', 'a'))
    await server!.stop()
    await Promise.all(all.map(({ closed }) => closed))
    server = undefined
  })
})

test.skipIf(MOVES_CONNECTIONS)('an older Node serves by one thread', async () => {
  await start({ threads: 2 })
  const all = [await thrift(), await thrift(), await thrift()]
  checkAnswer(await all[0]!.ask(createTable('t', 'f')))
  for (const client of all) expect(listAnswerLength(await client.ask(getRow('t', 'a')))).toBe(0)
})
