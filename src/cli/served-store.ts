import type { Logger } from 'pino'
import type { NativeOptions } from '../../adapters/native/native-options.ts'
import { type AdvertisedStore, advertised } from '../gateway/advertised.ts'
import { withQuotas } from '../gateway/quotas/with-quotas.ts'
import { readOnly } from '../gateway/read-only.ts'
import type { RecentSlow } from '../gateway/recent-slow.ts'
import { withSlowLog } from '../gateway/slow-log.ts'
import { withSystemTables } from '../gateway/system-tables/system-tables.ts'
import type { ServerName } from '../model/server-name.ts'
import { ownServer } from './advertise-options.ts'
import { openStore } from './open-store.ts'
import type { ServeSettings } from './serve-options.ts'

/** The store that doors get: behind the gateway's decorators. `options`: as openStore; `server`: what clients are told. */
export async function openServedStore(
  settings: Pick<ServeSettings, 'store' | 'ports'> &
    Partial<Pick<ServeSettings, 'readOnly' | 'slowLogMs' | 'quotas'>>,
  logger: Logger,
  options?: Partial<NativeOptions>,
  server: ServerName = ownServer(settings.ports.rpc),
  recentSlow?: RecentSlow,
): Promise<AdvertisedStore> {
  const opened = await openStore(settings.store, logger, options)
  const { slowLogMs } = settings
  const timed =
    slowLogMs === undefined ? opened : withSlowLog(opened, slowLogMs, logger, undefined, recentSlow)
  const store = settings.readOnly === true ? readOnly(timed) : timed
  const shown = withSystemTables(advertised(store, server), server)
  return settings.quotas === true ? withQuotas(shown, opened) : shown
}
