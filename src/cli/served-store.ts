import { hostname } from 'node:os'
import type { Logger } from 'pino'
import type { NativeOptions } from '../../adapters/native/native-options.ts'
import { type AdvertisedStore, advertised } from '../gateway/advertised.ts'
import type { OwnServer } from '../gateway/door.ts'
import { readOnly } from '../gateway/read-only.ts'
import { withSlowLog } from '../gateway/slow-log.ts'
import { withSystemTables } from '../gateway/system-tables/system-tables.ts'
import type { ServerName } from '../model/server-name.ts'
import { openStore } from './open-store.ts'
import { DEFAULT_RPC_PORT, type PortSetting, type ServeSettings } from './serve-options.ts'

/** The store that doors get: behind the gateway's decorators. `options`: as openStore; `server`: what clients are told. */
export async function openServedStore(
  settings: Pick<ServeSettings, 'store' | 'ports'> & Partial<Pick<ServeSettings, 'readOnly' | 'slowLogMs'>>,
  logger: Logger,
  options?: Partial<NativeOptions>,
  server: ServerName = ownServer(settings.ports.rpc),
): Promise<AdvertisedStore> {
  const opened = await openStore(settings.store, logger, options)
  const { slowLogMs } = settings
  const timed = slowLogMs === undefined ? opened : withSlowLog(opened, slowLogMs, logger)
  const store = settings.readOnly === true ? readOnly(timed) : timed
  return withSystemTables(advertised(store, server), server)
}

/**
 * The region server that clients are told, until the native RPC door says which port it has. Without that door its port is the
 * one that the door would have.
 */
export function ownServer(rpc: PortSetting): OwnServer {
  const port = rpc === 'off' || rpc === 0 ? DEFAULT_RPC_PORT : rpc
  return { host: hostname(), port, startCode: Date.now() }
}
