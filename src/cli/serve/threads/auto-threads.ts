import { movesConnections } from '../../../gateway/connections/moving-sockets.ts'
import { type NativeMemory, threadsThatFit } from '../../machine/memory-shares.ts'
import { usableCores } from '../../machine/usable-cores.ts'
import type { ServeSettings } from '../../settings/serve-options.ts'
import { sharedReads } from '../../stores/shared-reads.ts'

/** For the main thread, and for those that write store files. */
const OTHER_CORES = 2
/** With more, the one writer is the limit of most work. */
const THREADS_MAX = 16

/** The limits of the machine and of this Node. */
export interface ThreadsMachine {
  readonly canMove: boolean
  readonly cores: number
}

/**
 * The number of `--threads auto`: two fewer than the process may use cores, and none where threads would ask the main thread for each read. `ofStore`:
 * undefined for another store than the embedded engine.
 */
export function autoThreads(
  settings: ServeSettings,
  ofStore: NativeMemory | undefined,
  { canMove, cores }: ThreadsMachine = { canMove: movesConnections(), cores: usableCores() },
): number {
  const { processes, limits, memoryBytesMax } = settings
  if (!canMove || processes > 1 || sharedReads(settings, 1, ofStore) === undefined) return 0
  const byLimits = Math.min(limits.scannersMax, limits.clientScannersMax, limits.changeFeedsMax) - 1
  const byMachine = Math.min(Math.floor(cores) - OTHER_CORES, threadsThatFit(memoryBytesMax, ofStore))
  return Math.max(0, Math.min(byMachine, byLimits, THREADS_MAX))
}
