/** The settings that a server starts with: the stated values, checked against each other. */

import type { Command } from 'commander'
import type { TimelineSettings } from '../../doors/timeline/service/timeline-settings.ts'
import type { ShownSetting } from '../../doors/web/status/server-facts.ts'
import type { Limits } from '../../gateway/limits/limits.ts'
import { rethrownWithPlace, UsageError } from '../failures/usage-error.ts'
import { blockCacheMax } from '../machine/memory-shares.ts'
import { type AdvertiseValues, znodeParentOf } from './advertise-options.ts'
import { type ArchiveSettings, archiveSettings } from './archive-options.ts'
import { type BrowserSettings, browserSettings, CSRF_ENABLED } from './browser-settings.ts'
import { clusterOptions } from './cluster-options.ts'
import { userPassing } from './cluster-user-options.ts'
import { withDelegation } from './delegation-options.ts'
import type { DoorSettings } from './door-options.ts'
import { DOOR_NAMES, type Ports, portsOf } from './door-ports.ts'
import { type FollowSettings, followSettings } from './follow-options.ts'
import { type AccessSettings, accessSettings } from './guard-options.ts'
import { clusterKerberos } from './kerberos-cluster-options.ts'
import { limitsOf } from './limit-options.ts'
import type { LogSettings } from './log-options.ts'
import { nativeOptions } from './native-options.ts'
import { type ReplicationSettings, replicationSettings } from './replication-options.ts'
import { flagOf } from './setting.ts'
import { parseFlag } from './setting-flag.ts'
import { QUOTAS, REST_READ_ONLY, STORE_KEYS } from './setting-keys.ts'
import { statedTexts } from './setting-names.ts'
import { KEYED_SETTINGS, type SettingValues } from './settings-table.ts'
import { shownSettings } from './shown-settings.ts'
import { readValues, type StatedValues } from './stated-values.ts'
import { checkProcesses, checkThreads, type StoreSpec } from './store-options.ts'
import { type TestSettings, testSettings } from './test-options.ts'
import { timelineSettings } from './timeline-options.ts'
import { type TraceSettings, traceSettings } from './trace-options.ts'
import { type UnreadKeys, unreadKeys } from './unread-keys.ts'

type OtherSettings = DoorSettings &
  AdvertiseValues &
  LogSettings &
  AccessSettings &
  BrowserSettings &
  TestSettings &
  TraceSettings

export interface ServeSettings extends OtherSettings {
  readonly store: StoreSpec
  readonly host: string
  /** Processes that serve the same ports. */
  readonly processes: number
  /** Threads that serve connections beside the main thread; `auto`: as many as the machine and the other settings make useful. */
  readonly threads: number | 'auto'
  readonly ports: Ports
  readonly logLevel: string
  readonly limits: Limits
  /** True: an operator has stated `limits.connectionsMax`. The limit of open files may lower the default. */
  readonly areConnectionsStated: boolean
  /** Bytes of the whole process. */
  readonly memoryBytesMax: number
  /** Bytes of the native store's block cache. */
  readonly blockCacheBytes: number
  /** Bytes of closed logs that the native store keeps for readers of changes. */
  readonly changesKeepBytes: number
  /** Undefined: the log is not archived. */
  readonly archive: ArchiveSettings | undefined
  /** Undefined: Tidegate sends no changes to other clusters, as the store's own cluster may. */
  readonly replication: ReplicationSettings | undefined
  /** Undefined: this server can be no part of a pair of leader and standby. */
  readonly following: FollowSettings | undefined
  /** HBase's hbase.quota.enabled; false in front of a cluster, which has quotas itself. */
  readonly quotas: boolean
  readonly timeline: TimelineSettings
  readonly unread: UnreadKeys
  /** The values that an operator has stated, as text by option, for the log. */
  readonly stated: Readonly<Record<string, string>>
  /** All settings, for the console. */
  readonly shown: readonly ShownSetting[]
}

/** Throws UsageError. */
export function readServeSettings(command: Command): ServeSettings {
  return serveSettings(readValues(command))
}

/** Throws UsageError for values that do not fit each other. */
export function serveSettings(stated: StatedValues): ServeSettings {
  const { values, sourceOf, ofFile, environment } = stated
  const { store, processes, threads, memoryMax, accessLog, accessLogRows, auditLog, slowLogMs } = values
  const defined = definitionsOf(values)
  const properties = new Map([...ofFile, ...defined])
  const definedBy = sourceOf('define') === 'env' ? 'TIDEGATE_DEFINE' : '-D'
  const withPlace = <T>(read: () => T): T =>
    rethrownWithPlace(read, (key) => (defined.has(key) ? definedBy : values.config))
  const isSet = (key: string): boolean => withPlace(() => parseFlag(key, properties.get(key)))
  const ports = portsOf(values, sourceOf('master'))
  checkProcesses(values)
  checkThreads(threads, processes, values.testMode)
  const logins = withPlace(() => accessSettings(values, sourceOf('superuser'), DOOR_NAMES, properties))
  const access = withDelegation(logins, values)
  const passing = userPassing(values, store.kind, access)
  const kerberos = withPlace(() => clusterKerberos(values, store.kind, properties))
  const blockCacheBytes = sourceOf('blockCache') === 'default' ? blockCacheMax(memoryMax) : values.blockCache
  const ofZnodes = store.kind === 'hbase' ? new Map<string, string>() : properties
  return {
    store: {
      ...withPlace(() => withProperties(store, properties)),
      ...(passing && { passing }),
      ...(kerberos && { kerberos }),
    },
    host: values.host,
    ...access,
    ...testSettings(values, store.kind),
    ...traceSettings(values, sourceOf('otlpEndpoint'), environment),
    accessLog,
    accessLogRows,
    auditLog,
    slowLogMs,
    processes,
    threads,
    ports,
    logLevel: values.logLevel,
    limits: limitsOf(values),
    areConnectionsStated: sourceOf('connectionsMax') !== 'default',
    memoryBytesMax: memoryMax,
    blockCacheBytes,
    changesKeepBytes: values.changesKeep,
    archive: archiveSettings(values, store, sourceOf),
    replication: withPlace(() => replicationSettings(values, store, properties)),
    following: followSettings(values, store, sourceOf),
    readOnly: values.readOnly,
    consoleWrites: values.consoleWrites,
    corsOrigins: values.corsOrigin,
    restReadOnly: isSet(REST_READ_ONLY),
    ...withPlace(() => browserSettings(properties, isSet(CSRF_ENABLED))),
    quotas: store.kind !== 'hbase' && isSet(QUOTAS),
    timeline: withPlace(() => timelineSettings(properties)),
    advertise: values.advertise,
    znodeParent: znodeParentOf(values, sourceOf('znodeParent'), ofZnodes),
    unread: unreadKeys(store.kind, [...defined.keys()], [...ofFile.keys()]),
    stated: statedTexts(stated, defined),
    shown: shownSettings(stated, defined, { ...ports, blockCache: blockCacheBytes }),
  }
}

/** Throws UsageError for a key that has a flag and is no setting of the store. */
function definitionsOf({ define, store }: SettingValues): ReadonlyMap<string, string> {
  if (define === undefined) return new Map()
  for (const { name, key } of KEYED_SETTINGS) {
    if (!define.has(key.name) || STORE_KEYS[store.kind].includes(key.name)) continue
    throw new UsageError(`-D ${key.name} is no setting of a store: use ${flagOf(name)}.`)
  }
  return define
}

function withProperties(store: StoreSpec, properties: ReadonlyMap<string, string>): StoreSpec {
  if (store.kind === 'hbase') return clusterOptions(store, properties)
  return store.kind === 'native' ? nativeOptions(store, properties) : store
}
