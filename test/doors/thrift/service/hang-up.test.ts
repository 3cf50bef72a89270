/** When a client hangs up, the store stops working for it. */

import { once } from 'node:events'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { openNativeStore } from '../../../../adapters/native/open-native-store.ts'
import { familyDescriptor, tableDescriptor } from '../../../../src/model/descriptor.ts'
import { HBaseError } from '../../../../src/model/errors.ts'
import { MutationBatch } from '../../../../src/model/mutation.ts'
import { parseTableName } from '../../../../src/model/table-name.ts'
import { OWN_CALL } from '../../../../src/store/call.ts'
import { withMethods } from '../../../../src/store/decorate.ts'
import type { Store } from '../../../../src/store/store.ts'
import { CrashableFileSystem } from '../../../harness/simulation/crashable-file-system.ts'
import {
  createTable,
  getRow,
  i32Answer,
  scannerGetList,
  scannerOpenWithScan,
} from '../../../harness/thrift-frames.ts'
import { RawClient } from '../transport/raw-client.ts'
import { startThriftServer, type ThriftServer } from './thrift-server.ts'

const TABLE = parseTableName('t')
const FAMILY = Buffer.from('f')
/** Many times the rows that a scan examines before it lets other work run. */
const HIDDEN_ROWS = 10_000
const SLICE_CELLS = 100
/** Time in milliseconds, longer than the door lets a call run for a peer that sends no more. */
const UNHEARD_MS_MORE = 6000

let server: ThriftServer | undefined
afterEach(async () => {
  vi.useRealTimers()
  await server?.close()
})

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** Sends a frame and returns the frame that answers it. */
async function called(client: RawClient, frame: Buffer): Promise<Buffer> {
  client.received = Buffer.alloc(0)
  client.send(frame)
  await client.until(
    () => client.received.length >= 4 && client.received.length === client.received.readInt32BE(0) + 4,
  )
  return client.received
}

/** Number of times that the engine has read a block of a store file. */
async function blocksLookedFor(): Promise<number> {
  const metrics = await server!.store.metrics()
  const valueOf = (name: string): number =>
    metrics.find((metric) => metric.name === `tidegate_native_block_cache_${name}_total`)!.samples[0]!.value
  return valueOf('hits') + valueOf('misses')
}

describe('a store that waits', () => {
  /** Methods that saw their call aborted. */
  const stopped: string[] = []

  /** Behaves as a store whose client has hung up. */
  async function untilAborted(method: string, signal: AbortSignal): Promise<never> {
    stopped.push(`${method} began`)
    await once(signal, 'abort')
    stopped.push(`${method} stopped`)
    throw new HBaseError('CALLER_GONE', 'the client has hung up')
  }

  function waiting({ rows, handouts }: Store): Pick<Store, 'rows' | 'handouts'> {
    return {
      rows: withMethods(rows, { get: (_, __, ___, { signal }) => untilAborted('get', signal!) }),
      handouts: withMethods(handouts, { next: (_, __, { signal }) => untilAborted('next', signal!) }),
    }
  }

  test.each(['get', 'next'])('for a %s sees that its client is gone', async (method) => {
    stopped.length = 0
    server = await startThriftServer({}, waiting)
    const client = await RawClient.open(server.port)
    await called(client, createTable('t', 'f'))
    const id = i32Answer(await called(client, scannerOpenWithScan('t', 10)))
    client.send(method === 'get' ? getRow('t', 'row') : scannerGetList(id, 10))
    while (stopped.length === 0) await turn()
    client.socket.resetAndDestroy()
    while (stopped.length === 1) await turn()
    expect(stopped).toEqual([`${method} began`, `${method} stopped`])
  })
})

describe('a scan over much that is hidden', () => {
  /** The outcomes of the store's batches. */
  const batches: Promise<unknown>[] = []

  async function start(): Promise<void> {
    batches.length = 0
    const store = await openNativeStore({
      directory: '/store',
      fileSystem: new CrashableFileSystem(),
      clock: { now: Date.now },
      random: Math.random,
      options: { scanSliceCells: SLICE_CELLS },
    })
    await store.catalog.createTable(tableDescriptor(TABLE, [familyDescriptor(FAMILY)]), [], OWN_CALL)
    const hidden = new MutationBatch()
    for (let i = 0; i < HIDDEN_ROWS; i++) {
      const row = Buffer.from(`row${String(i).padStart(8, '0')}`)
      hidden.put(row, FAMILY, Buffer.from('q'), Buffer.alloc(100), 1n).deleteRow(row, 2n).endMutation()
    }
    expect(await store.rows.mutate(TABLE, hidden, OWN_CALL)).toEqual([])
    await store.upkeep.flushes!.flushTable(TABLE, OWN_CALL)
    server = await startThriftServer(
      {},
      ({ handouts }) => ({
        handouts: withMethods(handouts, {
          next: (...args) => {
            const batch = handouts.next(...args)
            batches.push(batch.catch((error: unknown) => error))
            return batch
          },
        } satisfies Partial<Store['handouts']>),
      }),
      store,
    )
  }

  test.each([
    ['breaks', (client: RawClient) => client.socket.resetAndDestroy()],
    ['is closed', (client: RawClient) => client.socket.destroy()],
  ])('looks at no more cells once the connection %s', async (_, hangUp) => {
    await start()
    const client = await RawClient.open(server!.port)
    const id = i32Answer(await called(client, scannerOpenWithScan('t', 10)))
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const before = await blocksLookedFor()
    client.send(scannerGetList(id, 10))
    while (batches.length === 0) await turn()
    hangUp(client)
    const batch = batches[0]!
    while ((await Promise.race([batch, turn()])) === undefined) vi.advanceTimersByTime(UNHEARD_MS_MORE)
    expect(await batch).toMatchObject({ code: 'CALLER_GONE' })
    const until = await blocksLookedFor()
    for (let i = 0; i < 50; i++) await turn()
    expect(await blocksLookedFor()).toBe(until)

    const other = await RawClient.open(server!.port)
    expect(i32Answer(await called(other, scannerOpenWithScan('t', 10)))).toBe(id + 1)
    await called(other, scannerGetList(id + 1, 10))
    const whole = (await blocksLookedFor()) - until
    expect(until - before).toBeLessThan(whole / 2)
    other.socket.destroy()
  })
})
