import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Less is not worth a collection of everything. */
const WORTH_BYTES = 32 * 1024 * 1024

type Collect = (options?: { readonly type: 'minor' }) => void

function exposedCollect(): Collect {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as Collect
  setFlagsFromString('--no-expose-gc')
  return collect
}

/** Makes the V8 of this thread let go of what nobody uses: some 20 to 50 ms for a usual heap. */
export function collector(): () => void {
  const collect = exposedCollect()
  return () => collect()
}

/**
 * For a thread to call when it has done its work: V8 collects when a thread allocates, so that a thread without work would keep
 * what the last work took.
 *
 * First it collects young objects alone, and the rest only where much more is used than after the last collection: a collection
 * of everything ends compiled code whose classes have no objects just then, such as those of scans in a quiet while, and the
 * next calls take half as long again until V8 has compiled it anew.
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

function isWorthIt(kept: number): boolean {
  return usedBytes() - kept >= WORTH_BYTES
}

function usedBytes(): number {
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}
