import { NonceMemory } from '../../../src/store/nonce-memory.ts'
import type { Engine } from '../engine/engine.ts'
import { monotonicMs } from '../platform/file-system.ts'
import { WritePath } from '../write/write-path.ts'

export function newWritePath(engine: Engine): WritePath {
  const { wal, mvcc, limits, catalogLog, clock, turns, options } = engine
  const { cellBytesMax, timestampSlopMs, wideCost, memory } = options
  const nonces = new NonceMemory<number>(() => monotonicMs(clock))
  return new WritePath({
    wal,
    mvcc,
    limits,
    retirements: catalogLog,
    clock,
    nonces,
    turns,
    cellBytesMax,
    timestampSlopMs,
    wideCost,
    memory,
  })
}
