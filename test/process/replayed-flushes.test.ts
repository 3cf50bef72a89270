/** A start whose log has more than the memstores may take: its replay begins flushes, and reads on beside them. */

import { randomFillSync } from 'node:crypto'
import { expect, test } from 'vitest'
import { openScanner } from '../../src/gateway/reads/scanner.ts'
import { cellsOf } from '../../src/model/cell-block.ts'
import { familyDescriptor, tableDescriptor } from '../../src/model/descriptor.ts'
import { MutationBatch } from '../../src/model/mutation.ts'
import { scan } from '../../src/model/query.ts'
import { gathered } from '../../src/model/results.ts'
import { parseTableName } from '../../src/model/table-name.ts'
import { OWN_CALL } from '../../src/store/call.ts'
import type { Store } from '../../src/store/store.ts'
import { openRpcStore } from '../harness/rpc-store.ts'
import { inTemporaryFolder, startTidegate } from '../harness/tidegate-process.ts'
import { watchedStart } from '../harness/watched-start.ts'

const TABLE = parseTableName('replayed')
const FAMILY = Buffer.from('f')
const VALUE_BYTES = 50_000
/** Some 160 MB: three files of the log. They are random bytes, so that a flush lasts while the next file is read. */
const ROWS = 3200
const BATCH_ROWS = 40
const REGIONS = 8
/** The second life flushes each region after each file of the log: more at once than may run, so that some wait while it reads on. */
const SMALL = ['-D', 'hbase.hregion.memstore.flush.size=4194304']

function rowKey(row: number): Buffer {
  return Buffer.from(String(row % REGIONS) + String(row).padStart(6, '0'))
}

async function withStore<T>(port: number, work: (store: Store) => Promise<T>): Promise<T> {
  const store = await openRpcStore(port)
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}

async function putRows({ catalog, rows }: Store): Promise<void> {
  const splits = Array.from({ length: REGIONS - 1 }, (_, i) => Buffer.from(String(i + 1)))
  await catalog.createTable(
    tableDescriptor(TABLE, [familyDescriptor('f', [['COMPRESSION', 'GZ']])]),
    splits,
    OWN_CALL,
  )
  const value = Buffer.alloc(VALUE_BYTES)
  for (let first = 0; first < ROWS; first += BATCH_ROWS) {
    const batch = new MutationBatch()
    for (let row = first; row < first + BATCH_ROWS; row++) {
      randomFillSync(value)
      value.writeUInt32BE(row)
      batch.put(rowKey(row), FAMILY, Buffer.alloc(0), Buffer.from(value))
      batch.endMutation()
    }
    expect(await rows.mutate(TABLE, batch, OWN_CALL)).toEqual([])
  }
}

/** The numbers that the values of all rows begin with, in order. */
async function numbersOf(store: Store): Promise<number[]> {
  const scanner = await openScanner(store, TABLE, scan({}), OWN_CALL)
  const limits = { rows: 100, bytes: 1 << 23, allowPartial: false }
  const numbers: number[] = []
  for (;;) {
    const { results, ended } = await scanner.next(limits, OWN_CALL)
    for (const { value } of cellsOf(gathered(results).cells)) numbers.push(value.readUInt32BE())
    if (ended === 'scan') break
  }
  await scanner.close()
  return numbers.toSorted((a, b) => a - b)
}

async function metric(port: number, name: string): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)![1])
}

/** Resolves once each region was flushed. No client writes: the replay has begun all flushes. */
async function untilFlushed(port: number): Promise<void> {
  while ((await metric(port, 'tidegate_native_flushes_total')) < REGIONS);
}

const ALL = Array.from({ length: ROWS }, (_, row) => row)

test(
  'a start that flushes while it replays says how far it is, and a kill behind it loses no row',
  {
    timeout: 300_000,
  },
  () =>
    inTemporaryFolder(async (folder) => {
      const store = `native:${folder}`
      const first = await startTidegate(store)
      await withStore(first.port('rpc'), putRows)
      await first.stop('SIGKILL')

      const { server, starting, live } = await watchedStart(store, ...SMALL)
      expect([...live]).toEqual([200])
      const bytes = starting.flatMap(({ progress }) => (progress === undefined ? [] : [progress.bytes]))
      expect(bytes.length).toBeGreaterThan(1)
      expect(bytes).toEqual(bytes.toSorted((a, b) => a - b))
      const web = server.port('web')
      expect(await metric(web, 'tidegate_native_recovery_bytes')).toBeGreaterThan(ROWS * VALUE_BYTES)
      expect(await withStore(server.port('rpc'), numbersOf)).toEqual(ALL)
      await untilFlushed(web)
      await server.stop('SIGKILL')

      const third = await startTidegate(store)
      expect(await withStore(third.port('rpc'), numbersOf)).toEqual(ALL)
      await third.stop()
    }),
)
