import { SerialQueue } from '../../../src/model/serial-queue.ts'
import type { Call } from '../../../src/store/call.ts'
import type { CatalogEvent } from '../../../src/store/catalog.ts'
import type { CatalogEventLog } from '../../../src/store/catalog-events.ts'
import type { EngineCalls } from './engine-calls.ts'

/** Runs changes of the catalog one at a time, then adds their events for the watchers. */
export class CatalogChanges {
  readonly #calls: EngineCalls
  readonly #events: CatalogEventLog
  readonly #queue = new SerialQueue()

  constructor(calls: EngineCalls, events: CatalogEventLog) {
    this.#calls = calls
    this.#events = events
  }

  /** A change that a client asks for. Throws UNAVAILABLE, CALLER_GONE, TIMEOUT. */
  run<T>(call: Call, events: readonly CatalogEvent[], change: () => Promise<T>): Promise<T> {
    return this.#calls.change(call, () =>
      this.runOwn(events, () => {
        this.#calls.checkIsAwaited(call)
        return change()
      }),
    )
  }

  /** A change that the engine itself makes. It must not run within a flush: changes wait for flushes. */
  runOwn<T>(events: readonly CatalogEvent[], change: () => Promise<T>): Promise<T> {
    return this.#queue.run(async () => {
      const result = await change()
      for (const event of events) this.#events.add(event)
      return result
    })
  }
}
