/** Answers of native RPC that have no memory at the moment. */

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { readyAnswer } from '../../../../src/doors/rpc/answers/answer-room.ts'
import type { RpcAnswer } from '../../../../src/doors/rpc/contract/rpc-service.ts'
import { MemoryBudget } from '../../../../src/gateway/limits/memory-budget.ts'
import { MemoryGrant } from '../../../../src/gateway/limits/memory-grant.ts'
import { CellBlock } from '../../../../src/model/cell-block.ts'
import { HandedOver } from '../../../../src/model/handed-over.ts'
import { MutationBatch } from '../../../../src/model/mutation.ts'
import { get, scan } from '../../../../src/model/query.ts'
import { OWN_CALL } from '../../../../src/store/call.ts'
import { ClientService } from '../../../../src/wire/rpc/gen/client_pb.ts'
import { oneCall } from '../one-call.ts'
import { type RpcServer, startRpcServer, TABLE } from '../rpc-server.ts'

const BUDGET_BYTES = 10_000_000
const VALUE_BYTES = 1_000_000
const { method } = ClientService
const MAKING = { gone: undefined, compressor: undefined }

describe('from a server', () => {
  const rows = ['a0', 'a1', 'a2'].map((row) => Buffer.from(row))
  let server: RpcServer

  beforeEach(async () => {
    server = await startRpcServer({ memoryBytesMax: BUDGET_BYTES })
    const batch = new MutationBatch()
    for (const row of rows)
      batch.put(row, Buffer.from('f'), Buffer.from('q'), Buffer.alloc(VALUE_BYTES), 1n).endMutation()
    await server.store.rows.mutate(TABLE, batch, OWN_CALL)
  })
  afterEach(() => server.close())

  async function scanned(): Promise<number> {
    const { id } = await server.remote.rows.openScanner(TABLE, scan({}), OWN_CALL)
    const limits = { rows: 3, bytes: 100_000_000, allowPartial: false }
    const { results } = await server.remote.handouts.next(id, limits, OWN_CALL)
    await server.remote.handouts.closeScanner(id)
    return results.counts.length
  }

  const limits = { bytes: 100_000_000 }
  const reads: readonly (readonly [string, () => Promise<unknown>])[] = [
    ['a get', () => server.remote.rows.get(TABLE, [get(rows[0]!)], limits, OWN_CALL)],
    [
      'gets',
      () =>
        server.remote.rows.get(
          TABLE,
          rows.map((row) => get(row)),
          limits,
          OWN_CALL,
        ),
    ],
    ['a scan', scanned],
  ]

  test.each(reads)('the answer to %s waits for what others give back', async (_, read) => {
    const { memory } = server
    const noted = BUDGET_BYTES - 1.5 * VALUE_BYTES
    memory.note(noted)
    const answer = read()
    await expect.poll(() => memory.isWaitedFor).toBe(true)
    memory.give(noted)
    await answer
    await expect.poll(() => memory.granted).toBe(0)
    expect(memory.refused).toBe(0)
  })
})

const UNKNOWN = { javaClass: 'org.apache.hadoop.hbase.UnknownScannerException' }

/** A scanner of two rows, the first with a long value. `next` asks for a row without a sequence number, as gohbase does. */
async function scannerOf(server: RpcServer): Promise<() => Promise<unknown>> {
  const batch = new MutationBatch()
  for (const [row, bytes] of [['a0', VALUE_BYTES] as const, ['a1', 1] as const])
    batch.put(Buffer.from(row), Buffer.from('f'), Buffer.from('q'), Buffer.alloc(bytes), 1n).endMutation()
  await server.store.rows.mutate(TABLE, batch, OWN_CALL)
  const [region] = await server.store.catalog.regions(TABLE, OWN_CALL)
  const scanned = { region: { type: 1 as const, value: region!.name }, scan: {}, numberOfRows: 0 }
  const { scannerId } = (await oneCall(server.door.port, method.scan, scanned)).message
  return () => oneCall(server.door.port, method.scan, { scannerId, numberOfRows: 1 })
}

test('a scanner whose page never has memory is unknown then: its client must not read on behind the page', async () => {
  const server = await startRpcServer({ memoryBytesMax: VALUE_BYTES / 2 })
  const next = await scannerOf(server)
  await expect(next()).rejects.toMatchObject({ javaClass: 'org.apache.hadoop.hbase.DoNotRetryIOException' })
  await expect(next()).rejects.toMatchObject(UNKNOWN)
  await server.close()
})

test('a scanner whose page has no memory now is unknown then: a client that repeats the call must not read on behind it', async () => {
  const server = await startRpcServer({ memoryBytesMax: BUDGET_BYTES })
  const next = await scannerOf(server)
  const { memory } = server
  memory.note(BUDGET_BYTES - 2 * 1024)
  await expect(next()).rejects.toMatchObject({
    javaClass: 'org.apache.hadoop.hbase.CallQueueTooBigException',
  })
  memory.give(BUDGET_BYTES - 2 * 1024)
  await expect(next()).rejects.toMatchObject(UNKNOWN)
  await expect.poll(() => memory.granted).toBe(0)
  await server.close()
})

test('gets that find nothing have their answers, too, where others had the memory', async () => {
  const server = await startRpcServer({ memoryBytesMax: BUDGET_BYTES })
  const batch = new MutationBatch()
  batch
    .put(Buffer.from('a0'), Buffer.from('f'), Buffer.from('q'), Buffer.alloc(VALUE_BYTES), 1n)
    .endMutation()
  await server.store.rows.mutate(TABLE, batch, OWN_CALL)
  const [region] = await server.store.catalog.regions(TABLE, OWN_CALL)
  const gets = (row: string) => ({
    region: { type: 1 as const, value: region!.name },
    action: [{ index: 0, get: { row: Buffer.from(row) } }],
  })
  server.memory.note(BUDGET_BYTES)
  const answer = oneCall(server.door.port, method.multi, { regionAction: [gets('a0'), gets('a1')] })
  await expect.poll(() => server.memory.isWaitedFor).toBe(true)
  server.memory.give(BUDGET_BYTES)
  const { message } = await answer
  const failures = message.regionActionResult.flatMap((region) => [region, ...region.resultOrException])
  expect(failures.map(({ exception }) => exception)).toEqual([undefined, undefined, undefined, undefined])
  await server.close()
})

/** An answer that counts how often it is made and released. */
function counted(bytes: number, kind: 'read' | 'page' | 'change') {
  const counts = { made: 0, released: 0 }
  const make = (): RpcAnswer => {
    counts.made++
    const answer = {
      write: () => undefined,
      cells: [new CellBlock(Buffer.alloc(bytes))],
      release: () => counts.released++,
    }
    if (kind === 'read') return { ...answer, again: async () => make() }
    return kind === 'change' ? { ...answer, isOfChange: true } : answer
  }
  return { counts, make }
}

test('a read holds nothing while it waits, and is made again', async () => {
  const memory = new MemoryBudget(BUDGET_BYTES)
  memory.note(BUDGET_BYTES)
  const { counts, make } = counted(VALUE_BYTES, 'read')
  const ready = readyAnswer(new HandedOver(make()), new MemoryGrant(memory), MAKING)
  expect([counts, memory.granted]).toEqual([{ made: 1, released: 1 }, BUDGET_BYTES])
  memory.give(BUDGET_BYTES)
  await ready
  expect([counts, memory.granted]).toEqual([{ made: 2, released: 1 }, 2 * VALUE_BYTES])
})

test('a page of a scanner is held while it waits, and counts', async () => {
  const memory = new MemoryBudget(BUDGET_BYTES)
  memory.note(BUDGET_BYTES - VALUE_BYTES)
  const { counts, make } = counted(VALUE_BYTES, 'page')
  const ready = readyAnswer(new HandedOver(make()), new MemoryGrant(memory), MAKING)
  expect([counts, memory.granted]).toEqual([{ made: 1, released: 0 }, BUDGET_BYTES])
  memory.give(BUDGET_BYTES - VALUE_BYTES)
  await ready
  expect(counts).toEqual({ made: 1, released: 0 })
})

test('a page for which there is no room while it waits is refused at once, and its scanner forgotten', async () => {
  const memory = new MemoryBudget(BUDGET_BYTES)
  memory.note(3 * VALUE_BYTES)
  const [waits, refused] = [counted(4 * VALUE_BYTES, 'page'), counted(4 * VALUE_BYTES, 'page')]
  const grants = [new MemoryGrant(memory), new MemoryGrant(memory)]
  const ready = readyAnswer(new HandedOver(waits.make()), grants[0]!, MAKING)
  const forgotten = vi.fn()
  const other = readyAnswer(new HandedOver({ ...refused.make(), onRefused: forgotten }), grants[1]!, MAKING)
  await expect(other).rejects.toMatchObject({ code: 'OVERLOADED' })
  grants[1]!.release()
  expect([refused.counts.released, forgotten.mock.calls.length]).toEqual([1, 1])
  memory.give(3 * VALUE_BYTES)
  await ready
  expect(waits.counts).toEqual({ made: 1, released: 0 })
})

test('the answer to a change is sent without a wait: its client must not repeat the change', async () => {
  const memory = new MemoryBudget(BUDGET_BYTES)
  memory.note(BUDGET_BYTES)
  const { counts, make } = counted(VALUE_BYTES, 'change')
  await readyAnswer(new HandedOver(make()), new MemoryGrant(memory), MAKING)
  expect([counts, memory.refused]).toEqual([{ made: 1, released: 0 }, 0])
})

test('an answer that never has memory is refused for good, and released', async () => {
  const memory = new MemoryBudget(VALUE_BYTES / 2)
  const { counts, make } = counted(VALUE_BYTES, 'read')
  const ready = readyAnswer(new HandedOver(make()), new MemoryGrant(memory), MAKING)
  await expect(ready).rejects.toMatchObject({ code: 'TOO_LARGE' })
  expect([counts, memory.granted]).toEqual([{ made: 1, released: 1 }, 0])
})
