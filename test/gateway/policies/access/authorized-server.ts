/** The native RPC door over the embedded engine whose users may do what they are granted. */

import { pino } from 'pino'
import { openNativeStore } from '../../../../adapters/native/open-native-store.ts'
import { startRpcDoor } from '../../../../src/doors/rpc/rpc-door.ts'
import { type AdvertisedStore, advertised } from '../../../../src/gateway/catalog/advertised.ts'
import { withSystemTables } from '../../../../src/gateway/catalog/system-tables/system-tables.ts'
import { DEFAULT_LIMITS } from '../../../../src/gateway/limits/limits.ts'
import { MemoryBudget } from '../../../../src/gateway/limits/memory-budget.ts'
import { Subjects } from '../../../../src/gateway/policies/access/permissions/subject.ts'
import {
  type AuthorizationConfig,
  withAuthorization,
} from '../../../../src/gateway/policies/access/with-authorization.ts'
import { withQuotas } from '../../../../src/gateway/policies/quotas/with-quotas.ts'
import type { Call } from '../../../../src/store/call.ts'
import { OWN_CALL } from '../../../../src/store/call.ts'
import type { Store } from '../../../../src/store/store.ts'
import { GROUP, MEMBER, SUPERUSER } from '../../../harness/access/people.ts'
import {
  type EngineOfThreads,
  openEngineOfThreads,
  storeOfThread,
} from '../../../harness/readers/reads-of-thread.ts'
import { openRpcStore } from '../../../harness/rpc-store.ts'
import { CrashableFileSystem } from '../../../harness/simulation/crashable-file-system.ts'

const SERVER = { host: '127.0.0.1', port: 0, startCode: 1 }

export function openNative(): Promise<Store> {
  const fileSystem = new CrashableFileSystem()
  return openNativeStore({ directory: '/store', fileSystem, clock: Date, random: Math.random, options: {} })
}

function subjectsOfServer(): Subjects {
  return new Subjects([SUPERUSER], new Map([[MEMBER, [GROUP]]]))
}

/** `own`: the store behind, which stays open. */
export async function authorizedStore(own: Store, config?: AuthorizationConfig): Promise<AdvertisedStore> {
  const limited = await withQuotas(withSystemTables(advertised(own, SERVER), SERVER), own)
  return withAuthorization(limited, own, subjectsOfServer(), config)
}

/** The same over an engine that a thread reads beside the main one. */
export async function authorizedStoreOfThread(engine: EngineOfThreads): Promise<AdvertisedStore> {
  const main = await authorizedStore(engine.own, { changes: engine.rights.grants })
  return storeOfThread(main, engine, { subjects: subjectsOfServer(), hasPermissions: true })
}

export function callOf(user: string | undefined): Call {
  return { ...OWN_CALL, isOwn: false, principal: user === undefined ? undefined : { user } }
}

export interface AuthorizedServer {
  readonly store: AdvertisedStore
  readonly port: number
  open(user: string): Promise<Store>
  close(): Promise<void>
}

export async function startAuthorizedServer(opened?: Store): Promise<AuthorizedServer> {
  const own = opened ?? (await openNative())
  return servedStore(await authorizedStore(own), () => own.close())
}

/** A server whose connections a thread serves, which reads rows itself. */
export async function startAuthorizedThread(): Promise<AuthorizedServer> {
  const engine = await openEngineOfThreads()
  return servedStore(await authorizedStoreOfThread(engine), () => engine.close())
}

async function servedStore(store: AdvertisedStore, close: () => Promise<void>): Promise<AuthorizedServer> {
  const memory = new MemoryBudget(Number.POSITIVE_INFINITY)
  const door = await startRpcDoor(
    { store, server: SERVER, limits: DEFAULT_LIMITS, memory, logger: pino({ level: 'silent' }) },
    { host: '127.0.0.1', port: 0 },
  )
  return {
    store,
    port: door.port,
    open: (user) => openRpcStore(door.port, { retriesMax: 0, pauseMs: 1 }, user),
    close: async () => {
      await door.close()
      await close()
    },
  }
}
