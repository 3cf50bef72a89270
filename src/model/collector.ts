import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { sharedBytes } from './shared-memory.ts'

/** Less is not worth a collection of everything. */
const WORTH_BYTES = 32 * 1024 * 1024

type Collect = (options?: { readonly type: 'minor' }) => void

/** The flag is that of all threads, and stays set: another one may make its context at the same moment. */
function exposedCollect(): Collect {
  setFlagsFromString('--expose-gc')
  return runInNewContext('gc') as Collect
}

/** Makes the V8 of this thread free unused memory: some 20 to 50 ms for a usual heap. */
export function collector(): () => void {
  const collect = exposedCollect()
  return () => collect()
}

/**
 * A collector that a thread calls when it has done its work. V8 collects only when a thread allocates: without the call, an idle thread
 * would keep the memory of its last work.
 *
 * The collector takes young objects first. It collects everything only if much more memory is used than after the last collection. A
 * full collection discards compiled code whose classes have no objects, such as that of scans. The next calls then take half as long
 * again until V8 has compiled the code anew.
 */
export function idleCollector(): () => void {
  let collect: Collect | undefined
  let kept = usedBytes()
  return () => {
    kept = Math.min(kept, usedBytes())
    if (!isWorthIt(kept)) return
    collect ??= exposedCollect()
    collect({ type: 'minor' })
    // V8 frees buffers beside the thread, and the next collection waits for that.
    collect({ type: 'minor' })
    if (!isWorthIt(kept)) return
    collect()
    // Until then the buffers would count as kept, and the next call would leave them where they are.
    collect({ type: 'minor' })
    kept = usedBytes()
  }
}

/** Collections of a thread that serves clients meanwhile. */
export interface Collection {
  /** Collects at once, for one that waits for the memory. It keeps the thread for as long as that takes, which grows with what is in use. */
  readonly now: () => void
  /**
   * Begins to collect beside the thread, which V8 keeps for some milliseconds at a time, and calls `ended` once that has ended, as a rule. V8
   * may put the collection off.
   */
  readonly soon: (ended: () => void) => void
}

/** A collection beside the thread has ended by then, as a rule. */
const SOON_MS = 2000

/** Both collect where that is worth it: see idleCollector. */
export function servingCollection(): Collection {
  const now = idleCollector()
  let collect: Collect | undefined
  let kept = usedBytes()
  return {
    now,
    soon: (ended) => {
      kept = Math.min(kept, usedBytes())
      if (!isWorthIt(kept)) return ended()
      collect ??= exposedCollect()
      collect({ type: 'minor' })
      collect({ type: 'minor' })
      if (!isWorthIt(kept)) return ended()
      markBeside(collect)
      setTimeout(() => {
        kept = usedBytes()
        ended()
      }, SOON_MS).unref()
    },
  }
}

/** V8 begins to mark at the end of a young collection where the heap has grown by more than this percentage of what it may grow. */
const MARK_FROM_PERCENT = 1

/** V8 has no call to begin with a collection in steps: its limit is set so low for a moment that a young collection finds it reached. */
function markBeside(collect: Collect): void {
  setFlagsFromString(`--incremental-marking-hard-trigger=${MARK_FROM_PERCENT}`)
  collect({ type: 'minor' })
  setFlagsFromString('--incremental-marking-hard-trigger=0')
}

function isWorthIt(kept: number): boolean {
  return usedBytes() - kept >= WORTH_BYTES
}

function usedBytes(): number {
  const { used_heap_size: heap, external_memory: external } = getHeapStatistics()
  return heap + external + sharedBytes()
}
