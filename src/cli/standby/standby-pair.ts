/** The part of a server in a pair of leader and standby: see ServerRole. */

import { randomUUID } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import { isCode } from '../../backup/safe-file.ts'
import type { AdvertisedStore } from '../../gateway/catalog/advertised.ts'
import { WriteGate } from '../../gateway/policies/write-gate.ts'
import { reasonOf } from '../../model/error-reason.ts'
import { isHBaseError } from '../../model/errors.ts'
import { readMetrics } from '../../model/metric.ts'
import type { ServerName } from '../../model/server-name.ts'
import { OTHER_STORE } from '../../standby/follower.ts'
import { ServerRole } from '../../standby/server-role.ts'
import { newRecord, RecordFile, readRecord, type StandbyRecord } from '../../standby/standby-record.ts'
import { OWN_CALL } from '../../store/call.ts'
import { withFacets } from '../../store/decorate.ts'
import type { Standby } from '../../store/standby.ts'
import type { Store } from '../../store/store.ts'
import { StartError } from '../failures/start-error.ts'
import { UsageError } from '../failures/usage-error.ts'
import { type CommandLogin, readLogin } from '../remote/login-options.ts'
import { openServer } from '../remote/open-server.ts'
import { parseServerAddress } from '../remote/server-address.ts'
import type { FollowSettings } from '../settings/follow-options.ts'
import type { StandbyPart } from '../stores/standby-part.ts'
import { type FirstCopyJob, hasFirstCopy, makeFirstCopy } from './first-copy.ts'

/** A call at the other server is repeated by the pair itself, which knows what it waits for. */
const RETRIES_MAX = 1

/** `directory`: of the store. Makes the first copy of the leader, where there is none. Throws StartError, and what the leader answers. */
export async function openStandbyPair(
  settings: FollowSettings,
  directory: string,
  logger: Logger,
  onProgress: FirstCopyJob['onProgress'],
): Promise<StandbyPart> {
  const login = await loginOf(settings)
  const open = (address: string): Promise<Store> => opened(address, login, logger)
  const record = await recordOf(settings, { directory, open, logger, onProgress })
  return new Pair(new RecordFile(directory, record), settings, open, logger)
}

async function opened(address: string, login: CommandLogin, logger: Logger): Promise<Store> {
  const demands = {
    retriesMax: RETRIES_MAX,
    isImpatient: true,
    withTags: true,
    warn: (text: string) => logger.warn(text),
  }
  const { store } = await openServer(
    parseServerAddress(`rpc:${address}`),
    login,
    demands,
    (level, message) => {
      logger[level]({ server: address }, message)
    },
  )
  return store
}

/** The flags of a command, as this one names them. */
async function loginOf({ login }: FollowSettings): Promise<CommandLogin> {
  try {
    return await readLogin(login, [])
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    throw new UsageError(error.message.replaceAll(/--(?=user|password|tls)/g, '--follow-'))
  }
}

/** The record to begin with; it is on disk only where it says more than that the server leads. */
async function recordOf(
  { leader, leads, keepBytesMax }: FollowSettings,
  parts: Pick<FirstCopyJob, 'directory' | 'open' | 'logger' | 'onProgress'>,
): Promise<StandbyRecord> {
  const { directory, logger } = parts
  const known = await readRecord(directory)
  if (leads && known !== undefined && known.role !== 'leader') {
    const { leader: before, loss: _loss, supersedes: _old, ...rest } = known
    const file = new RecordFile(directory, known)
    const other = before !== undefined && { supersedes: before }
    const lead = { role: 'leader', epoch: known.epoch + 1, isPromoted: true, tables: {} } as const
    await file.replace({ ...rest, ...other, ...lead })
    logger.warn(`this server leads, in the epoch ${known.epoch + 1} (--lead)`)
    return file.record
  }
  if (leader === undefined) {
    if (known?.role === 'standby' || (await hasFirstCopy(directory)))
      throw new StartError(
        `${directory} is the store of a standby: start it with --follow rpc:HOST:PORT, or with --lead for a server that takes changes from now on`,
      )
    return known ?? newRecord(randomUUID())
  }
  if (known === undefined) {
    if (!(await hasFirstCopy(directory)) && !(await isEmpty(directory)))
      throw new StartError(
        `${directory} has files, and is no standby's store: --follow needs an empty folder, or a new one`,
      )
    try {
      return await makeFirstCopy({ ...parts, leader, keepBytesMax })
    } catch (error) {
      // The folder is not at fault.
      throw isHBaseError(error) ? new StartError(`--follow rpc:${leader}: ${reasonOf(error)}`) : error
    }
  }
  if (known.role === 'standby') {
    const { loss, ...rest } = known
    // A wrong address can be mended; a log that is gone cannot.
    const kept = loss !== undefined && !loss.includes(OTHER_STORE) && { loss }
    return { ...rest, ...kept, leader }
  }
  if (known.isPromoted !== true)
    throw new StartError(
      `${directory} is the store of a server that leads, or has led: --follow needs an empty folder, or a new one`,
    )
  logger.warn(`this server was promoted, and leads: --follow rpc:${leader} does nothing any more`)
  return known
}

async function isEmpty(directory: string): Promise<boolean> {
  try {
    return (await readdir(directory)).length === 0
  } catch (error) {
    if (isCode(error, 'ENOENT')) return true
    throw error
  }
}

class Pair implements StandbyPart {
  readonly #file: RecordFile
  readonly #settings: FollowSettings
  readonly #open: (address: string) => Promise<Store>
  readonly #logger: Logger
  readonly #gate = new WriteGate()
  readonly #listeners: (() => Promise<void>)[] = []
  #local: Store | undefined
  #role: ServerRole | undefined

  constructor(
    file: RecordFile,
    settings: FollowSettings,
    open: (address: string) => Promise<Store>,
    logger: Logger,
  ) {
    this.#file = file
    this.#settings = settings
    this.#open = open
    this.#logger = logger
  }

  get isFollowing(): boolean {
    return this.#file.record.role === 'standby'
  }

  within(store: Store): Store {
    this.#local = store
    // The role needs the policies, which are made of this store.
    const standby: Standby = {
      standbyState: (call) => this.#role!.standbyState(call),
      followedBy: (known, call) => this.#role!.followedBy(known, call),
      stepDown: (epoch, leader, call) => this.#role!.stepDown(epoch, leader, call),
      takeBack: (epoch, call) => this.#role!.takeBack(epoch, call),
      promote: (options, call) => this.#role!.promote(options, call),
    }
    return withFacets(store, { catalog: store.catalog, upkeep: { ...store.upkeep, standby } })
  }

  over(policed: AdvertisedStore, { host, port }: ServerName): AdvertisedStore {
    const local = this.#local!
    const { keepBytesMax, leads } = this.#settings
    this.#role = new ServerRole({
      local,
      policed,
      file: this.#file,
      address: `${host.includes(':') ? `[${host}]` : host}:${port}`,
      keepBytesMax,
      insists: leads,
      gate: this.#gate,
      openServer: this.#open,
      adoptClusterId: (id) => local.upkeep.identity!.adoptClusterId(id, OWN_CALL),
      onPromoted: async () => {
        for (const listener of this.#listeners) await listener()
      },
      now: () => Date.now(),
      pause: pauseUntil,
      log: (level, message) => this.#logger[level](message),
    })
    return this.#gate.over(policed)
  }

  onPromoted(listener: () => Promise<void>): void {
    this.#listeners.push(listener)
  }

  async started(store: AdvertisedStore): Promise<AdvertisedStore> {
    const role = this.#role!
    const metrics = role.metrics()
    await role.start()
    return {
      ...withFacets(store, { catalog: store.catalog }),
      metrics: async () => [...(await store.metrics()), ...readMetrics(metrics)],
      troubles: async () => [...(await store.troubles()), ...role.troubles()],
      close: async () => {
        await role.stop()
        await store.close()
      },
    }
  }

  health(): Readonly<Record<string, string | number>> | undefined {
    return this.#role?.health()
  }
}

async function pauseUntil(ms: number, signal?: AbortSignal): Promise<void> {
  try {
    await pause(ms, undefined, signal && { signal })
  } catch {
    // The server stops.
  }
}
