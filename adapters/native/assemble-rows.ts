/** Puts together what reads and writes rows. */

import { LoopTurns } from '../../src/model/loop-turns.ts'
import { NonceMemory } from '../../src/store/nonce-memory.ts'
import { NativeRows, type NativeRowsParts } from './facets/native-rows.ts'
import type { Retirements } from './manifest/retirements.ts'
import type { NativeStoreConfig } from './native-store-config.ts'
import type { NativeOptions } from './options/native-options.ts'
import { monotonicMs } from './platform/file-system.ts'
import type { MemstoreLimits } from './region/memstore-limits.ts'
import type { WriteAheadLog } from './wal/write-ahead-log.ts'
import { WritePath } from './write/write-path.ts'

export interface RowsParts
  extends Pick<NativeRowsParts, 'calls' | 'tables' | 'handouts' | 'mvcc' | 'blocks'> {
  readonly wal: WriteAheadLog
  readonly limits: MemstoreLimits
  readonly retirements: Retirements
}

export function assembleRows(
  config: NativeStoreConfig,
  options: NativeOptions,
  parts: RowsParts,
): NativeRows {
  const { clock, random, spans } = config
  const { calls, tables, handouts, mvcc, blocks, wal, limits, retirements } = parts
  const { cellBytesMax, timestampSlopMs, scanSliceCells, wideCost, memory } = options
  const turns = config.turns ?? new LoopTurns(() => monotonicMs(clock))
  const nonces = new NonceMemory<number>(() => monotonicMs(clock))
  const ofWrites = { clock, nonces, cellBytesMax, timestampSlopMs, wideCost, turns, memory }
  tables.onGone = () => handouts.letGoOfGone()
  const writes = new WritePath({ wal, mvcc, limits, retirements, ...ofWrites })
  return new NativeRows({
    calls,
    tables,
    handouts,
    writes,
    mvcc,
    clock,
    random,
    scanSliceCells,
    turns,
    spans,
    blocks,
  })
}
