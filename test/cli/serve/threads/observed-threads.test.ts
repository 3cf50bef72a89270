/** Traces and the slow log of reads that threads answer themselves: each read is in them once, as with one thread. */

import { join } from 'node:path'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type RunningServer, startServer } from '../../../../src/cli/serve/start-server.ts'
import { openScanner } from '../../../../src/gateway/reads/scanner.ts'
import { familyDescriptor, tableDescriptor } from '../../../../src/model/descriptor.ts'
import { MutationBatch } from '../../../../src/model/mutation.ts'
import { get, scan } from '../../../../src/model/query.ts'
import { parseTableName } from '../../../../src/model/table-name.ts'
import { OWN_CALL } from '../../../../src/store/call.ts'
import type { Store } from '../../../../src/store/store.ts'
import { OtlpReceiver, type ReceivedSpan } from '../../../gateway/observing/tracing/otlp-receiver.ts'
import { MOVES_CONNECTIONS } from '../../../harness/newest-node.ts'
import { openRpcStore } from '../../../harness/rpc-store.ts'
import { FREE_PORTS, inTemporaryFolder } from '../../../harness/tidegate-process.ts'
import { parsedSettings } from '../../parsed-settings.ts'

const TABLE = parseTableName('t')
const THREADS = 3
const CLIENTS = 2 * (THREADS + 1)
const ROWS = ['a', 'b', 'c']
const GET = 'hbase.pb.ClientService/Get'
const SCAN = 'hbase.pb.ClientService/Scan'

interface SlowPage {
  readonly count: number
  readonly operations: readonly {
    readonly operation: string
    readonly table: string
    readonly figures: Readonly<Record<string, unknown>>
  }[]
}

let collector: OtlpReceiver
let endpoint: string

beforeEach(async () => {
  collector = new OtlpReceiver()
  endpoint = await collector.listen()
})
afterEach(() => collector.close())

async function serving(
  work: (server: RunningServer, clients: readonly Store[]) => Promise<void>,
): Promise<void> {
  await inTemporaryFolder(async (folder) => {
    const store = ['--store', `native:${join(folder, 'data')}`]
    const threads = ['--threads', String(THREADS), '--log-level', 'silent', '--otlp-endpoint', endpoint]
    // Every operation is slow.
    const settings = { ...parsedSettings(...store, ...threads, ...FREE_PORTS), slowLogMs: 0 }
    const server = await startServer(settings, (name) => name, pino({ level: 'silent' }))
    const clients: Store[] = []
    try {
      for (let i = 0; i < CLIENTS; i++) clients.push(await openRpcStore(server.doors.get('rpc')!.port))
      await work(server, clients)
    } finally {
      for (const client of clients) await client.close()
      await server.stop()
    }
  })
}

async function prepare({ catalog, rows }: Store): Promise<void> {
  await catalog.createTable(tableDescriptor(TABLE, [familyDescriptor('f')]), [], OWN_CALL)
  const batch = new MutationBatch()
  for (const row of ROWS) {
    batch.put(Buffer.from(row), Buffer.from('f'), Buffer.from('q'), Buffer.from('v'))
    batch.endMutation()
  }
  await rows.mutate(TABLE, batch, OWN_CALL)
}

async function read(client: Store): Promise<void> {
  await client.rows.get(TABLE, [get(Buffer.from('a'))], { bytes: 1000 }, OWN_CALL)
  const scanner = await openScanner(client, TABLE, scan({}), OWN_CALL)
  const limits = { rows: 2, bytes: 1000, allowPartial: false }
  for (let isOver = false; !isOver; ) isOver = (await scanner.next(limits, OWN_CALL)).ended === 'scan'
  await scanner.close()
}

async function slowOf(server: RunningServer): Promise<SlowPage> {
  const answer = await fetch(`http://127.0.0.1:${server.doors.get('web')!.port}/console/api/slow`)
  return (await answer.json()) as SlowPage
}

function ofTable(page: SlowPage, operation: string): SlowPage['operations'] {
  return page.operations.filter((each) => each.table === TABLE && each.operation === operation)
}

function childrenOf({ spanId }: ReceivedSpan): ReceivedSpan[] {
  return collector.spans.filter(({ parentSpanId }) => parentSpanId === spanId)
}

describe.skipIf(!MOVES_CONNECTIONS)('reads by threads', { timeout: 120_000 }, () => {
  test('are in the slow log of the server and in the traces of their requests, once each', async () => {
    let slow: SlowPage | undefined
    await serving(async (server, clients) => {
      await prepare(clients[0]!)
      for (const client of clients) await read(client)
      // The entries of threads come by messages.
      await expect
        .poll(async () => ofTable((slow = await slowOf(server)), 'get').length)
        .toBeGreaterThanOrEqual(CLIENTS)
      expect(ofTable(slow!, 'get')).toHaveLength(CLIENTS)
      expect(ofTable(slow!, 'openScanner')).toHaveLength(CLIENTS)
      expect(ofTable(slow!, 'get')[0]!.figures).toMatchObject({ rowsExamined: 1, rowsReturned: 1 })
      expect(ofTable(slow!, 'next').some(({ figures }) => figures['batchesBefore'] === 0)).toBe(true)
      expect(slow!.count).toBeGreaterThanOrEqual(slow!.operations.length)
    })
    const gets = collector.spans.filter(({ name }) => name === GET)
    expect(gets).toHaveLength(CLIENTS)
    for (const request of gets) {
      expect(request.attributes).toMatchObject({ 'tidegate.rows': 1, 'db.collection.name': TABLE })
      const stages = childrenOf(request)
      expect(stages.map(({ name }) => name)).toEqual(['store get'])
      expect(stages[0]!.attributes).toMatchObject({ 'tidegate.store': 'native', 'tidegate.rows': 1 })
      expect(childrenOf(stages[0]!).map(({ name }) => name)).toEqual(['read'])
    }
    // Scans of hbase:meta among them, which the main thread answers.
    for (const request of collector.spans.filter(({ name }) => name === SCAN)) {
      const opened = childrenOf(request).filter(({ name }) => name === 'store openScanner')
      expect(opened.length).toBeLessThanOrEqual(1)
    }
    const failed = collector.spans.filter(({ attributes }) => attributes['error.type'] !== undefined)
    expect(failed).toEqual([])
  })
})
