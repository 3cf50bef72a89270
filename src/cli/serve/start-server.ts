/** The composition root: the only place that knows both doors and adapters. */

import type { Logger } from 'pino'
import { ownReports } from '../../doors/web/status/own-reports.ts'
import type { Reports, ServerFacts } from '../../doors/web/status/server-facts.ts'
import type { AdvertisedStore } from '../../gateway/catalog/advertised.ts'
import type { Door, ResetListener } from '../../gateway/door.ts'
import { loginMetrics } from '../../gateway/identity/guard/login-counts.ts'
import { certificateMetrics } from '../../gateway/identity/tls/certificate-metrics.ts'
import { MemoryBudget } from '../../gateway/limits/memory-budget.ts'
import { requestMemory } from '../../gateway/limits/store-memory.ts'
import type { RecentEvents } from '../../gateway/observing/logs/recent-events.ts'
import { RecentSlow } from '../../gateway/observing/slow/recent-slow.ts'
import type { Authorization } from '../../gateway/policies/authorization.ts'
import type { TestMode } from '../../gateway/policies/test-mode/test-mode.ts'
import { DecodeThreads } from '../../gateway/requests/decoding/decode-threads.ts'
import { ServerLife } from '../../gateway/server-life.ts'
import type { Siblings } from '../../gateway/siblings/siblings.ts'
import { servingCollection } from '../../model/collector.ts'
import { reasonOf } from '../../model/error-reason.ts'
import { mapBlocksFrom } from '../../model/mapped-memory.ts'
import type { RequestMemory } from '../../store/request-memory.ts'
import type { Store } from '../../store/store.ts'
import { areChecksumsNative } from '../../wire/checksums/checksums.ts'
import { openDoors, openWebDoor, sharesOf } from '../doors/open-doors.ts'
import { StartError } from '../failures/start-error.ts'
import {
  mappedFrom,
  type NativeMemory,
  nativeMemory,
  requestsMemoryOfThread,
  smallMemoryWarning,
} from '../machine/memory-shares.ts'
import { packageVersion } from '../machine/version.ts'
import { ownServer } from '../settings/advertise-options.ts'
import type { DoorName } from '../settings/door-ports.ts'
import type { ServeSettings } from '../settings/serve-options.ts'
import type { NameSetting } from '../settings/setting-names.ts'
import { logIdleSettings } from '../settings/unread-keys.ts'
import { checkArchiveFolder } from '../stores/archive-folder.ts'
import { lookFirst } from '../stores/first-look.ts'
import { ignoredRights, leftPermissions, withRightsWatched } from '../stores/rights-of-store.ts'
import { openServedStore } from '../stores/served-store.ts'
import { type SharedReads, sharedReads } from '../stores/shared-reads.ts'
import type { StandbyPart } from '../stores/standby-part.ts'
import { storeFailure } from '../stores/store-failure.ts'
import { advertisedNameWarning } from './advertised-certificate.ts'
import { consoleFacts } from './console-facts.ts'
import { type Access, openAccess } from './open-access.ts'
import { type LogPart, openLogs, openTraces } from './open-logs.ts'
import { autoThreads } from './threads/auto-threads.ts'
import type { DoorThreads, DoorThreadsParts } from './threads/door-threads.ts'
import { limitsOfThread, statedThreads, withSharedSecrets } from './threads/thread-settings.ts'

/** A server whose doors listen. */
export interface RunningServer {
  readonly store: Store
  readonly doors: ReadonlyMap<DoorName, Door>
  /** Threads that serve connections beside the main thread. */
  readonly threads: number
  /** As in ConnectionShares. */
  readonly lowered?: string | undefined
  /** Reports of this process. */
  readonly report: Reports
  /**
   * Reads users, groups, keys of tokens and certificates again. Files that cannot be used are logged, and change nothing. Resolves once all
   * threads have read them.
   */
  reload(): Promise<void>
  /**
   * Takes no more work, finishes what is in flight, closes doors and then the store: ports and folder are free. A second call waits for
   * the first.
   */
  stop(): Promise<void>
}

/** The parts of a server that several processes serve. */
export interface Together {
  readonly siblings: Siblings
  /** The reports of all processes. */
  readonly reports: Reports
  /** The number of this one, which the lines of its logs have. */
  readonly process: number
}

export interface ServerParts {
  /** Undefined: one process serves. */
  readonly together?: Together | undefined
  /** The latest lines of the log; undefined: none are kept. */
  readonly events?: RecentEvents | undefined
}

/** The time that the web door's last clients have to read that the server stops. */
const LAST_WORDS_MS = 1000

/** Throws a StartError where the store or a door cannot be opened, and leaves nothing open. */
export async function startServer(
  stated: ServeSettings,
  nameOf: NameSetting,
  logger: Logger,
  { together, events }: ServerParts = {},
): Promise<RunningServer> {
  const testMode = await openTestMode(stated, nameOf)
  logIdleSettings(stated, logger)
  const { count, limits, memory, native, reads } = partOfMain(stated, logger)
  const settings = count === 0 ? stated : withSharedSecrets(stated)
  const { access, audit } = await openLogs(settings, nameOf, logger, partOf(together, count))
  const opened = await openAccess(settings, logger, { audit, store: settings.store })
  const { authorization, kerberos, troubles, reload, ...entrance } = opened
  const threads = await doorThreads({ count, settings, requestsBytes: memory.bytesMax, logger })
  const siblings = together?.siblings ?? threads?.siblings
  const server = ownServer(settings.ports.rpc, settings, siblings?.startedAt)
  await reportNames(settings, server.host, entrance.certificates, logger)
  const tracing = await openTraces(settings, logger)
  const life = new ServerLife(settings.open, troubles)
  const doors = new Map<DoorName, Door>()
  let store: AdvertisedStore | undefined
  let decoding: DecodeThreads | undefined
  const closeAll = onlyOnce(async () => {
    life.stops()
    await closeForRows(doors, threads)
    await decoding?.close()
    await store?.close()
    await Promise.race([doors.get('web')?.close(), timePasses(LAST_WORDS_MS)])
    for (const part of [entrance.certificates, entrance.guard, testMode, authorization]) part?.close()
    for (const part of [access, audit, tracing, kerberos]) await part?.close()
  })
  try {
    const shares = sharesOf(settings, logger)
    const shared = { ...settings, shares }
    const slow = settings.slowLogMs === undefined ? undefined : new RecentSlow(settings.slowLogMs)
    const console = consoleFacts(settings, { slow, events })
    const watched = { ...serverFacts(settings, opened), testMode, console, traces: tracing?.metrics() }
    const alone = { doors, life, version: packageVersion(), ...watched }
    const report = ownReports(alone, memory)
    const facts = { ...alone, reports: together?.reports ?? threads?.reports(report) }
    const outer = { server, limits, memory, ...entrance, logger, audit }
    await openWebDoor({ ...outer, access }, shared, facts, nameOf)
    const pair = await openPair(settings, nameOf, logger, life)
    const onOpening = life.opens.bind(life)
    const parts = { testMode, authorization, recentSlow: slow, tracing, onOpening, reads, pair, kerberos }
    const open = () => describedFailure(openServedStore(settings, logger, native, server, parts), nameOf)
    store = await withOtherServers(open, settings, nameOf, logger, pair)
    store = await reportIgnoredRights(store, authorization, life, logger)
    decoding = new DecodeThreads({ logger, memoryBytes: memory.bytesMax })
    const onReset = testMode && ((listener: ResetListener): void => testMode.onReset(listener))
    const given = { access: tracing?.requests(access) ?? access, siblings, handover: threads?.handover }
    const context = { ...outer, store, decoding, onReset, ...given }
    await openDoors(context, shared, nameOf, doors)
    await threads?.start({ store, server, doors, reads, slow, events })
    life.serves(store)
    lookFirst(store, logger)
    return {
      store,
      doors,
      threads: count,
      lowered: shares.lowered,
      report,
      reload: () => reloadAll(reload, threads),
      stop: closeAll,
    }
  } catch (error) {
    await closeAll()
    throw error
  }
}

/** Later calls wait for the first. */
function onlyOnce(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined
  return () => (done ??= work())
}

/** Opens the store, whose log is archived where that is asked for. */
async function withArchive(
  open: () => Promise<AdvertisedStore>,
  { archive, store: spec }: Pick<ServeSettings, 'archive' | 'store'>,
  nameOf: NameSetting,
  logger: Logger,
): Promise<AdvertisedStore> {
  await checkArchiveFolder(archive?.folder, nameOf)
  const store = await open()
  if (archive === undefined || spec.kind !== 'native') return store
  const { archivedStore } = await import('../stores/archived-store.ts')
  return archivedStore(store, archive, spec.directory, logger)
}

/** Opens the store, whose log is archived, whose changes are sent to its peers, and which leads a standby or is one. */
async function withOtherServers(
  open: () => Promise<AdvertisedStore>,
  settings: Pick<ServeSettings, 'archive' | 'store' | 'replication'>,
  nameOf: NameSetting,
  logger: Logger,
  pair: StandbyPart | undefined,
): Promise<AdvertisedStore> {
  const { replication } = settings
  const store = await withArchive(open, settings, nameOf, logger)
  const replicated = await withReplication(store, replication, logger, pair)
  return pair === undefined ? replicated : pair.started(replicated)
}

async function withReplication(
  store: AdvertisedStore,
  replication: ServeSettings['replication'],
  logger: Logger,
  pair: StandbyPart | undefined,
): Promise<AdvertisedStore> {
  if (replication === undefined || store.upkeep.peers === undefined) return store
  const { replicatedStore } = await import('../stores/replicated-store.ts')
  return replicatedStore(store, replication, logger, pair)
}

/** The part of this server in a pair of leader and standby: a first copy of the leader comes before it. */
async function openPair(
  { store, following }: Pick<ServeSettings, 'store' | 'following'>,
  nameOf: NameSetting,
  logger: Logger,
  life: ServerLife,
): Promise<StandbyPart | undefined> {
  if (following === undefined || store.kind !== 'native') return undefined
  const { openStandbyPair } = await import('../standby/standby-pair.ts')
  const pair = await describedFailure(
    openStandbyPair(following, store.directory, logger, life.opens.bind(life)),
    nameOf,
  )
  life.describes(() => pair.health())
  return pair
}

function warnOf(sentence: string | undefined, logger: Logger): void {
  if (sentence !== undefined) logger.warn(sentence)
}

/** Logs the names by which clients find the server, and warns of those that its certificates and keytabs do not have. */
async function reportNames(
  settings: ServeSettings,
  advertised: string,
  certificates: Access['certificates'],
  logger: Logger,
): Promise<void> {
  warnOf(advertisedNameWarning(settings, advertised, certificates), logger)
  const services = settings.guard?.kerberos?.services
  if (services === undefined) return
  const { logDoorPrincipals } = await import('../kerberos/door-principals.ts')
  await logDoorPrincipals(settings, services, advertised, logger)
}

/** Undefined where the sums of store files and of the log are native code's, or no such files are written. */
function slowChecksums({ store }: ServeSettings): string | undefined {
  if (areChecksumsNative || store.kind !== 'native') return undefined
  return 'the checksums of store files and of the log are slow, at a third of the usual speed: plain JavaScript sums them, since @node-rs/crc32 has no build here: run `npm install --include=optional` where Tidegate is installed'
}

interface MainPart extends Pick<ServeSettings, 'limits'> {
  /** Threads beside the main one. */
  readonly count: number
  readonly memory: MemoryBudget
  readonly reads: SharedReads | undefined
  readonly native: Partial<NativeMemory> & { readonly memory: RequestMemory }
}

/** The main thread's part of limits and memory. */
function partOfMain(settings: ServeSettings, logger: Logger): MainPart {
  warnOf(slowChecksums(settings), logger)
  const ofStore = memoryOfStore(settings)
  const { threads } = settings
  const count = threads === 'auto' ? autoThreads(settings, ofStore) : statedThreads(threads, logger)
  const memory = requestsBudget(settings, ofStore, count, logger)
  const limits = count === 0 ? settings.limits : limitsOfThread(settings.limits, count, 0)
  const reads = sharedReads(settings, count, ofStore)
  const native = { ...ofStore, ...reads?.sizes, memory: requestMemory(memory) }
  return { count, limits, memory, reads, native }
}

/** Undefined without threads: their code is not loaded then. */
async function doorThreads(parts: DoorThreadsParts): Promise<DoorThreads | undefined> {
  if (parts.count === 0) return undefined
  const { DoorThreads } = await import('./threads/door-threads.ts')
  return new DoorThreads(parts)
}

function partOf(together: Together | undefined, threads: number): LogPart {
  return together === undefined ? { isShared: threads > 0 } : { process: together.process }
}

/** Closes all doors but that of the web pages, which show the stop. */
async function closeForRows(doors: ReadonlyMap<DoorName, Door>, threads?: DoorThreads): Promise<void> {
  const others = [...doors].filter(([name]) => name !== 'web')
  await Promise.all([...others.map(([, door]) => door.close()), threads?.stop()])
}

async function reloadAll(reload: () => void, threads: DoorThreads | undefined): Promise<void> {
  reload()
  await threads?.reload()
}

async function describedFailure<Opened>(opening: Promise<Opened>, nameOf: NameSetting): Promise<Opened> {
  try {
    return await opening
  } catch (error) {
    throw storeFailure(error, nameOf)
  }
}

function serverFacts(
  { readOnly }: ServeSettings,
  { certificates, guard, kerberos }: Pick<Access, 'certificates' | 'guard' | 'kerberos'>,
): Pick<ServerFacts, 'readOnly' | 'logins'> {
  return {
    readOnly,
    logins: [...certificateMetrics(certificates), ...loginMetrics(guard), ...(kerberos?.metrics ?? [])],
  }
}

/** The same store. It reports to `life` when tables of rights that the server ignores are deleted. */
async function reportIgnoredRights(
  store: AdvertisedStore,
  authorization: Authorization | undefined,
  life: ServerLife,
  logger: Logger,
): Promise<AdvertisedStore> {
  const ignored = await ignoredRights(store, authorization)
  for (const sentence of ignored) logger.warn(`insecure: ${sentence}`)
  life.leavesOpen(ignored)
  for (const sentence of await leftPermissions(store, authorization)) logger.warn(sentence)
  if (ignored.length === 0) return store
  return withRightsWatched(store, async () => life.leavesOpen(await ignoredRights(store, authorization)))
}

/** Loaded where it is asked for. */
async function openTestMode({ testMode }: ServeSettings, nameOf: NameSetting): Promise<TestMode | undefined> {
  if (testMode === undefined) return undefined
  const { TestMode } = await import('../../gateway/policies/test-mode/test-mode.ts')
  try {
    return new TestMode(testMode.seed)
  } catch (error) {
    throw new StartError(`${nameOf('seed')}: ${reasonOf(error)}`, { cause: error })
  }
}

function timePasses(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref())
}

/** Throws StartError where too little memory is left for requests; warns where large values may take more than is stated. */
function requestsBudget(
  { memoryBytesMax }: ServeSettings,
  ofStore: NativeMemory | undefined,
  threads: number,
  logger: Logger,
): MemoryBudget {
  mapBlocksFrom(mappedFrom(memoryBytesMax))
  const budget = new MemoryBudget(
    requestsMemoryOfThread(memoryBytesMax, ofStore, threads),
    servingCollection(),
  )
  const warning = ofStore && smallMemoryWarning(memoryBytesMax)
  if (warning !== undefined) logger.warn(warning)
  return budget
}

/** Undefined for other stores than the embedded engine. */
function memoryOfStore({ store, memoryBytesMax, blockCacheBytes }: ServeSettings): NativeMemory | undefined {
  if (store.kind !== 'native') return undefined
  return nativeMemory(memoryBytesMax, { ...store.options, blockCacheBytes })
}
