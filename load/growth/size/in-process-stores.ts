/** The two sides that are compared in one process: the engine, with the limits of `--memory-max 4g`, and LevelDB. */

import { availableParallelism } from 'node:os'
import { ClassicLevel } from 'classic-level'
import { openNativeStore } from '../../../adapters/native/open-native-store.ts'
import { NODE_CLOCK } from '../../../adapters/native/platform/node-clock.ts'
import { NODE_FILE_SYSTEM } from '../../../adapters/native/platform/node-file-system.ts'
import { nodeWakeUps } from '../../../adapters/native/platform/node-wake-ups.ts'
import { nativeMemory } from '../../../src/cli/machine/memory-shares.ts'
import { familyDescriptor, tableDescriptor } from '../../../src/model/descriptor.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import type { Store } from '../../../src/store/store.ts'
import { TABLE } from './sized-rows.ts'

/** A server's, too. */
export const MEMORY_MAX = '4g'
const MEMORY = nativeMemory(4 * 2 ** 30, {})
const MIB = 1024 * 1024

export async function openEngine(directory: string): Promise<Store> {
  const store = await openNativeStore({
    directory,
    fileSystem: NODE_FILE_SYSTEM,
    clock: NODE_CLOCK,
    random: Math.random,
    options: MEMORY,
    threadsMax: Math.max(1, availableParallelism() - 1),
    wakeUps: nodeWakeUps,
  })
  const tables = await store.catalog.listTables(OWN_CALL)
  if (tables.length === 0) {
    await store.catalog.createTable(tableDescriptor(TABLE, [familyDescriptor('f')]), [], OWN_CALL)
  }
  return store
}

export type Level = ClassicLevel<Buffer, Buffer>

export async function openLevel(directory: string): Promise<Level> {
  const level = new ClassicLevel<Buffer, Buffer>(directory, {
    keyEncoding: 'buffer',
    valueEncoding: 'buffer',
    compression: false,
    cacheSize: MEMORY.blockCacheBytes,
    blockSize: 64 * 1024,
    writeBufferSize: MEMORY.flushBytes,
    // The default of 2 MiB would make ten thousand files of 20 GB.
    maxFileSize: 32 * MIB,
  })
  await level.open()
  return level
}
