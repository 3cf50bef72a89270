/** The native RPC door over a store whose cells may have labels. */

import { pino } from 'pino'
import { openMemoryStore } from '../../../../adapters/memory/memory-store.ts'
import { openNativeStore } from '../../../../adapters/native/open-native-store.ts'
import { startRpcDoor } from '../../../../src/doors/rpc/rpc-door.ts'
import { type AdvertisedStore, advertised } from '../../../../src/gateway/catalog/advertised.ts'
import { withSystemTables } from '../../../../src/gateway/catalog/system-tables/system-tables.ts'
import { DEFAULT_LIMITS } from '../../../../src/gateway/limits/limits.ts'
import { MemoryBudget } from '../../../../src/gateway/limits/memory-budget.ts'
import { Subjects } from '../../../../src/gateway/policies/access/permissions/subject.ts'
import {
  DEFAULT_LABEL_SETTINGS,
  type LabelSettings,
} from '../../../../src/gateway/policies/labels/label-settings.ts'
import { withVisibilityLabels } from '../../../../src/gateway/policies/labels/with-visibility-labels.ts'
import type { ChangeCount } from '../../../../src/gateway/policies/own-tables/current-content.ts'
import type { ServerName } from '../../../../src/model/server-name.ts'
import type { Store } from '../../../../src/store/store.ts'
import { GROUP, MEMBER, SUPERUSER } from '../../../harness/labels/people.ts'
import {
  type EngineOfThreads,
  openEngineOfThreads,
  storeOfThread,
} from '../../../harness/readers/reads-of-thread.ts'
import { openRpcStore } from '../../../harness/rpc-store.ts'
import { CrashableFileSystem } from '../../../harness/simulation/crashable-file-system.ts'

/** A door fills its port in: each server has an address of its own. */
function newAddress(): ServerName {
  return { host: '127.0.0.1', port: 0, startCode: 1 }
}

export function openLabelled(kind: 'native' | 'memory'): Promise<Store> {
  if (kind === 'memory') return Promise.resolve(openMemoryStore({ clock: Date, visibilityLabels: true }))
  const fileSystem = new CrashableFileSystem()
  const options = { visibilityLabels: true }
  return openNativeStore({ directory: '/store', fileSystem, clock: Date, random: Math.random, options })
}

/** `own`: the store behind, which stays open. */
export function labelledStore(
  own: Store,
  settings?: Partial<LabelSettings>,
  server: ServerName = newAddress(),
  changes?: ChangeCount,
): Promise<AdvertisedStore> {
  return withVisibilityLabels(withSystemTables(advertised(own, server), server), own, {
    subjects: subjectsOfServer(),
    settings: { ...DEFAULT_LABEL_SETTINGS, ...settings },
    changes,
  })
}

function subjectsOfServer(): Subjects {
  return new Subjects([SUPERUSER], new Map([[MEMBER, [GROUP]]]))
}

/** The same over an engine that a thread reads beside the main one. */
export async function labelledStoreOfThread(
  engine: EngineOfThreads,
  settings?: Partial<LabelSettings>,
  server?: ServerName,
): Promise<AdvertisedStore> {
  const main = await labelledStore(engine.own, settings, server, engine.rights.labels)
  const labels = { ...DEFAULT_LABEL_SETTINGS, ...settings }
  return storeOfThread(main, engine, { subjects: subjectsOfServer(), labels, hasPermissions: false })
}

interface Opened {
  readonly own: Store
  readonly store: AdvertisedStore
  readonly close: () => Promise<void>
}

async function openedStore(
  kind: StoreOfServer,
  settings: Partial<LabelSettings> | undefined,
  server: ServerName,
): Promise<Opened> {
  if (kind === 'thread') {
    const engine = await openEngineOfThreads({ visibilityLabels: true })
    const store = await labelledStoreOfThread(engine, settings, server)
    return { own: engine.own, store, close: () => engine.close() }
  }
  const own = await openLabelled(kind)
  return { own, store: await labelledStore(own, settings, server), close: () => own.close() }
}

/** `thread`: the embedded engine, which a thread reads beside the main one. */
export type StoreOfServer = 'native' | 'memory' | 'thread'

export interface LabelledServer {
  readonly store: AdvertisedStore
  readonly own: Store
  open(user: string): Promise<Store>
  /** As the command `copy` opens it. */
  openCopier(user: string): Promise<Store>
  close(): Promise<void>
}

export async function startLabelledServer(
  kind: StoreOfServer,
  settings?: Partial<LabelSettings>,
): Promise<LabelledServer> {
  const server = newAddress()
  const { own, store, close } = await openedStore(kind, settings, server)
  const memory = new MemoryBudget(Number.POSITIVE_INFINITY)
  const door = await startRpcDoor(
    { store, server, limits: DEFAULT_LIMITS, memory, logger: pino({ level: 'silent' }) },
    { host: '127.0.0.1', port: 0 },
  )
  return {
    store,
    own,
    open: (user) => openRpcStore(door.port, { retriesMax: 0, pauseMs: 1 }, user),
    openCopier: (user) => openRpcStore(door.port, { retriesMax: 0, pauseMs: 1 }, user, '127.0.0.1', true),
    close: async () => {
      await door.close()
      await close()
    },
  }
}
