/** The composition root: the only place that knows both doors and adapters. */

import type { Logger } from 'pino'
import { DecodeThreads } from '../gateway/decoding/decode-threads.ts'
import type { Door } from '../gateway/door.ts'
import { MemoryBudget } from '../gateway/memory-budget.ts'
import type { Store } from '../store/store.ts'
import { ownServer } from './advertise-options.ts'
import { collector, type NativeMemory, nativeMemory, requestsMemory } from './memory-options.ts'
import { openDoors } from './open-doors.ts'
import type { DoorName, ServeSettings } from './serve-options.ts'
import { openServedStore } from './served-store.ts'
import type { NameSetting } from './setting-names.ts'
import { storeFailure } from './start-failures.ts'
import { tellUnread } from './unread-keys.ts'

/** A server whose doors listen. */
export interface RunningServer {
  readonly store: Store
  readonly doors: ReadonlyMap<DoorName, Door>
  /** Takes no more work, finishes what is in flight, closes doors and then the store: ports and folder are free. */
  stop(): Promise<void>
}

/** Throws a StartError where the store or a door cannot be opened, and leaves nothing open. */
export async function startServer(
  settings: ServeSettings,
  nameOf: NameSetting,
  logger: Logger,
): Promise<RunningServer> {
  tellUnread(settings.unread, settings.store.kind, logger)
  const native = memoryOfStore(settings)
  const memory = new MemoryBudget(requestsMemory(settings.memoryBytesMax, native), collector())
  const server = ownServer(settings.ports.rpc, settings)
  const store = await openServedStore(settings, logger, native, server).catch((error: unknown) => {
    throw storeFailure(error, nameOf)
  })
  const decoding = new DecodeThreads({ logger })
  try {
    const context = { store, server, limits: settings.limits, memory, decoding, logger }
    const doors = await openDoors(context, settings, nameOf)
    // A cluster that is not there is to be known, in the log and to /health, before the first client asks.
    await store.outage()
    return {
      store,
      doors,
      stop: async () => {
        await Promise.all([...doors.values()].map((door) => door.close()))
        await decoding.close()
        await store.close()
      },
    }
  } catch (error) {
    await decoding.close()
    await store.close()
    throw error
  }
}

/** Undefined for other stores than the embedded engine. */
function memoryOfStore({ store, memoryBytesMax, blockCacheBytes }: ServeSettings): NativeMemory | undefined {
  return store.kind === 'native'
    ? nativeMemory(memoryBytesMax, { ...store.options, blockCacheBytes })
    : undefined
}
