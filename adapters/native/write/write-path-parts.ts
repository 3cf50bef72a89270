import type { LoopTurns } from '../../../src/model/loop-turns.ts'
import type { NonceMemory } from '../../../src/store/nonce-memory.ts'
import type { RequestMemory } from '../../../src/store/request-memory.ts'
import type { Retirements } from '../manifest/retirements.ts'
import type { Clock } from '../platform/file-system.ts'
import type { MemstoreLimits } from '../region/memstore-limits.ts'
import type { Mvcc } from '../region/mvcc.ts'
import type { WriteAheadLog } from '../wal/write-ahead-log.ts'

export interface WritePathParts {
  readonly retirements: Retirements
  readonly wal: WriteAheadLog
  readonly mvcc: Mvcc
  readonly limits: MemstoreLimits
  readonly clock: Clock
  readonly turns: LoopTurns
  /** Nonces of the changes so far. */
  readonly nonces: NonceMemory<number>
  readonly cellBytesMax: number
  /** See NativeOptions. */
  readonly wideCost: number
  /** See NativeOptions. */
  readonly memory: RequestMemory
  /** See timestampSlopMs. */
  readonly timestampSlopMs: number
}
