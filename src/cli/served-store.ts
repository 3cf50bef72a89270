import { hostname } from 'node:os'
import type { Logger } from 'pino'
import { type AdvertisedStore, advertised } from '../gateway/advertised.ts'
import type { ServerName } from '../model/server-name.ts'
import { openStore } from './open-store.ts'
import { DEFAULT_RPC_PORT, type PortSetting, type ServeSettings } from './serve-options.ts'

/** The store as doors are given it, with what the gateway puts before it. */
export async function openServedStore(
  settings: Pick<ServeSettings, 'store' | 'ports'>,
  logger: Logger,
): Promise<AdvertisedStore> {
  const store = await openStore(settings.store, logger)
  return advertised(store, ownServer(settings.ports.rpc))
}

/** The region server that clients are told of. Without a native RPC door they are told the port that it would have. */
function ownServer(rpc: PortSetting): ServerName {
  const port = rpc === 'off' || rpc === 0 ? DEFAULT_RPC_PORT : rpc
  return { host: hostname(), port, startCode: Date.now() }
}
