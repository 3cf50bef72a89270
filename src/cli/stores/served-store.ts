import type { Logger } from 'pino'
import type { ClusterKerberos } from '../../../adapters/hbase/config/cluster-kerberos.ts'
import type { NativeOptions } from '../../../adapters/native/options/native-options.ts'
import { type AdvertisedStore, advertised } from '../../gateway/catalog/advertised.ts'
import { withSystemTables } from '../../gateway/catalog/system-tables/system-tables.ts'
import type { RecentSlow } from '../../gateway/observing/slow/recent-slow.ts'
import { withSlowLog } from '../../gateway/observing/slow/slow-log.ts'
import type { Tracing } from '../../gateway/observing/tracing/open-tracing.ts'
import { ACL_TABLE } from '../../gateway/policies/access/permissions/acl-rows.ts'
import type { Authorization } from '../../gateway/policies/authorization.ts'
import { readOnly } from '../../gateway/policies/read-only.ts'
import type { TestMode } from '../../gateway/policies/test-mode/test-mode.ts'
import { LABELS_TABLE } from '../../model/label-rows.ts'
import type { ServerName } from '../../model/server-name.ts'
import type { Store } from '../../store/store.ts'
import { ownServer } from '../settings/advertise-options.ts'
import type { ReplicationSettings } from '../settings/replication-options.ts'
import type { ServeSettings } from '../settings/serve-options.ts'
import { openStore, type StoreOpening } from './open-store.ts'
import type { RightsChanges } from './rights-changes.ts'
import { requireEnabled } from './rights-of-store.ts'
import type { SharedReads } from './shared-reads.ts'
import type { StandbyPart } from './standby-part.ts'

/** The parts that settings may put around the store. */
export interface StoreParts {
  readonly testMode?: TestMode | undefined
  readonly authorization?: Authorization | undefined
  /** Gets the operations of the slow log. */
  readonly recentSlow?: RecentSlow | undefined
  /** Undefined: there are no traces. */
  readonly tracing?: Tracing | undefined
  /** Hears how far the embedded engine's opening has come. */
  readonly onOpening?: StoreOpening['onOpening']
  /** Gets the embedded engine, where threads read it. */
  readonly reads?: SharedReads | undefined
  /** The server's part in a pair of leader and standby. */
  readonly pair?: StandbyPart | undefined
  /** The login to a cluster whose settings ask for Kerberos. */
  readonly kerberos?: { readonly cluster: ClusterKerberos | undefined } | undefined
}

/** The store that doors get: behind the gateway's decorators. `options`: as openStore; `server`: the name that clients get. */
export async function openServedStore(
  settings: Pick<ServeSettings, 'store' | 'ports'> &
    Partial<Pick<ServeSettings, 'readOnly' | 'slowLogMs' | 'quotas' | 'replication' | 'changesKeepBytes'>>,
  logger: Logger,
  options?: Partial<NativeOptions>,
  server: ServerName = ownServer(settings.ports.rpc),
  { testMode, authorization, recentSlow, tracing, onOpening, reads, pair, kerberos }: StoreParts = {},
): Promise<AdvertisedStore> {
  const labels = authorization?.labels
  const { changesKeepBytes } = settings
  const native = {
    ...(changesKeepBytes !== undefined && { changesKeepBytes }),
    ...options,
    ...(labels !== undefined && { visibilityLabels: true }),
  }
  const around = { spans: tracing?.tracer, onOpening, reads, kerberos: kerberos?.cluster }
  const engine = await openStore(settings.store, logger, native, around)
  const opened = pair === undefined ? engine : pair.within(engine)
  const { slowLogMs } = settings
  const tested = testMode === undefined ? opened : await testMode.over(opened)
  const traced = tracing === undefined ? tested : tracing.over(tested)
  const timed =
    slowLogMs === undefined ? traced : withSlowLog(traced, slowLogMs, logger, undefined, recentSlow)
  const shown = withSystemTables(advertised(timed, server), server)
  const peered =
    settings.replication === undefined ? shown : await peersOver(shown, opened, settings.replication)
  const limited = settings.quotas === true ? await quotasOver(peered, opened) : peered
  const { store: spec } = settings
  const areOwnersKnown = spec.kind !== 'hbase' || spec.passing !== undefined
  const store =
    authorization === undefined
      ? limited
      : await guarded(limited, opened, authorization, { areOwnersKnown, rights: reads?.rights })
  // Around all the others: they change their tables on clients' behalf, too.
  if (pair !== undefined && settings.readOnly !== true) return pair.over(store, server)
  pair?.over(store, server)
  return settings.readOnly === true ? readOnly(store) : store
}

async function quotasOver(shown: AdvertisedStore, opened: Store): Promise<AdvertisedStore> {
  const { withQuotas } = await import('../../gateway/policies/quotas/with-quotas.ts')
  return await withQuotas(shown, opened)
}

async function peersOver(
  shown: AdvertisedStore,
  opened: Store,
  { keepBytesMax }: ReplicationSettings,
): Promise<AdvertisedStore> {
  const { withPeers } = await import('../../gateway/policies/peers/with-peers.ts')
  const { peerClusterId } = await import('./replicated-store.ts')
  return withPeers(shown, opened, { peerClusterId, keepBytesMax })
}

async function guarded(
  store: AdvertisedStore,
  opened: Store,
  { subjects, labels, hasPermissions }: Authorization,
  {
    areOwnersKnown,
    rights,
  }: { readonly areOwnersKnown: boolean; readonly rights: RightsChanges | undefined },
): Promise<AdvertisedStore> {
  let labelled = store
  if (labels !== undefined) {
    await requireEnabled(opened, LABELS_TABLE, '--visibility-labels')
    const { withVisibilityLabels } = await import('../../gateway/policies/labels/with-visibility-labels.ts')
    const changes = rights?.labels
    labelled = await withVisibilityLabels(store, opened, {
      subjects,
      settings: labels,
      hasPermissions,
      changes,
    })
  }
  if (!hasPermissions) return labelled
  await requireEnabled(opened, ACL_TABLE, '--authorization')
  const { withAuthorization } = await import('../../gateway/policies/access/with-authorization.ts')
  return withAuthorization(labelled, opened, subjects, { areOwnersKnown, changes: rights?.grants })
}
