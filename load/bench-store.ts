/** An embedded engine in a temporary folder with a table of one family, and rows in random order for it. */

import { availableParallelism } from 'node:os'
import { openNativeStore } from '../adapters/native/open-native-store.ts'
import type { NativeOptions } from '../adapters/native/options/native-options.ts'
import { NODE_CLOCK } from '../adapters/native/platform/node-clock.ts'
import { NODE_FILE_SYSTEM } from '../adapters/native/platform/node-file-system.ts'
import { nodeWakeUps } from '../adapters/native/platform/node-wake-ups.ts'
import { familyDescriptor, tableDescriptor } from '../src/model/descriptor.ts'
import { isHBaseError } from '../src/model/errors.ts'
import { MutationBatch } from '../src/model/mutation.ts'
import { parseTableName, type TableName } from '../src/model/table-name.ts'
import { OWN_CALL } from '../src/store/call.ts'
import type { Store } from '../src/store/store.ts'

export const TABLE: TableName = parseTableName('bench')
export const VALUE: Buffer = Buffer.alloc(100, 0x76)
const [FAMILY, QUALIFIER] = [Buffer.from('f'), Buffer.from('q')]

export async function openBenchStore(directory: string, options: Partial<NativeOptions>): Promise<Store> {
  const store = await openNativeStore({
    directory,
    fileSystem: NODE_FILE_SYSTEM,
    clock: NODE_CLOCK,
    random: Math.random,
    options,
    threadsMax: Math.max(1, availableParallelism() - 1),
    wakeUps: nodeWakeUps,
  })
  await store.catalog.createTable(tableDescriptor(TABLE, [familyDescriptor('f')]), [], OWN_CALL)
  return store
}

/** Row number i of a walk through all numbers below 2^32, in random order. */
export function rowAt(i: number): Buffer {
  const row = Math.imul(i, 0x9e3779b1) >>> 0
  return Buffer.from(`row${String(row).padStart(10, '0')}`)
}

/** Rows number * size to (number + 1) * size of the walk. */
export function batchOf(number: number, size: number): MutationBatch {
  const batch = new MutationBatch()
  for (let i = 0; i < size; i++) batch.put(rowAt(number * size + i), FAMILY, QUALIFIER, VALUE).endMutation()
  return batch
}

/** A client that is refused for the moment comes again: HBase's do so. */
export async function write(store: Store, batch: MutationBatch): Promise<number> {
  for (let refused = 0; ; refused++) {
    const [failure] = await store.rows.mutate(TABLE, batch, OWN_CALL)
    if (failure === undefined) return refused
    if (!isHBaseError(failure.error) || failure.error.code !== 'REGION_TOO_BUSY') throw failure.error
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

export async function metric(store: Store, name: string): Promise<number> {
  const readings = await store.metrics()
  return readings.find((reading) => reading.name === `tidegate_native_${name}`)?.samples[0]?.value ?? 0
}
