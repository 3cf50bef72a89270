import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Less is not worth a collection. */
const WORTH_BYTES = 16 * 1024 * 1024

/** Makes the V8 of this thread let go of what nobody uses: some 20 to 50 ms for a usual heap. */
export function collector(): () => void {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  setFlagsFromString('--no-expose-gc')
  return collect
}

/**
 * For a thread to call when it has done its work: V8 collects when a thread allocates, so that a thread without work would keep
 * what the last work took.
 */
export function idleCollector(): () => void {
  let collect: (() => void) | undefined
  return () => {
    if (process.memoryUsage().arrayBuffers < WORTH_BYTES) return
    collect ??= collector()
    collect()
  }
}
