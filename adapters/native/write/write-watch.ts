import type { HeldMemory } from '../../../src/store/request-memory.ts'
import type { OpenSpan, SpanRecorder } from '../../../src/store/span-recorder.ts'

/** Accompanies a write. */
export interface WriteWatch {
  /** Called after each pause; throws if the write must not go on. */
  check(): void
  /** Aborted once the client has hung up. */
  readonly gone?: AbortSignal | undefined
  /** The memory, as in Call. */
  readonly memory?: HeldMemory | undefined
  /** The cells are in the memstores, and wait for the log. Undefined: the caller does not ask. */
  readonly stored?: () => void
}

/** Runs a write whose stages are spans of its trace: `memstore` until its cells are stored, then `log` until the log has them. */
export async function watchedWrite<T>(
  spans: SpanRecorder,
  trace: string,
  watch: Omit<WriteWatch, 'stored'>,
  write: (watch: WriteWatch) => Promise<T>,
): Promise<T> {
  let stage: OpenSpan | undefined = spans.begin('memstore', trace)
  const stored = (): void => {
    stage?.end()
    stage = spans.begin('log', trace)
  }
  try {
    const result = await write({ ...watch, stored })
    stage?.end()
    return result
  } catch (error) {
    stage?.end(error)
    throw error
  }
}
