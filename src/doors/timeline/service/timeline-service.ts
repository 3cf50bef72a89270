/** The timeline in a store, for the door's resources. */

import { userInfo } from 'node:os'
import type { Logger } from 'pino'
import type { Limits } from '../../../gateway/limits/limits.ts'
import { reasonOf } from '../../../model/error-reason.ts'
import { ERROR_TRAITS, HBaseError, isHBaseError } from '../../../model/errors.ts'
import { type Call, OWN_CALL } from '../../../store/call.ts'
import type { Store } from '../../../store/store.ts'
import { Acls } from '../domains/acls.ts'
import { DomainTables } from '../domains/domain-tables.ts'
import { DomainUse, USE_FAMILY } from '../domains/domain-use.ts'
import { EntityReader } from '../entities/entity-reader.ts'
import { EntityWriter } from '../entities/entity-writer.ts'
import { DEFAULT_DOMAIN } from '../entities/stored-entity.ts'
import { PeriodTables } from '../tables/period-tables.ts'
import { StartTimes } from '../tables/start-times.ts'
import { checkVersion } from '../tables/store-version.ts'
import { DOMAIN, FAMILY, OWNER, STARTTIME, TimelineTables } from '../tables/timeline-tables.ts'
import { Retention } from './retention.ts'
import type { TimelineSettings } from './timeline-settings.ts'

export interface TimelineServiceParts {
  readonly store: Pick<Store, 'rows' | 'handouts' | 'catalog'>
  readonly limits: Limits
  readonly settings: TimelineSettings
  readonly logger: Logger
  /** Milliseconds since 1970. */
  readonly now: () => number
}

export class TimelineService {
  readonly limits: Limits
  readonly tables: TimelineTables
  readonly periods: PeriodTables
  readonly startTimes: StartTimes
  readonly domains: DomainTables
  readonly domainUse: DomainUse
  readonly acls: Acls
  readonly reader: EntityReader
  readonly writer: EntityWriter
  readonly now: () => number
  /** Undefined: data never expires. */
  readonly retention: Retention | undefined
  readonly #logger: Logger
  #ready: Promise<void> | undefined

  constructor({ store, limits, settings, logger, now }: TimelineServiceParts) {
    const { period, ttlMs, sweepMs: intervalMs, deleteBatch: batch } = settings
    this.limits = limits
    this.now = now
    this.#logger = logger
    this.tables = new TimelineTables(store)
    this.periods = new PeriodTables(this.tables, period)
    this.startTimes = new StartTimes(this.tables, now)
    this.domains = new DomainTables(this.tables, now)
    this.domainUse = new DomainUse(this.tables, this.domains)
    this.acls = new Acls(settings.acls, this.domains)
    const { tables, periods, startTimes, domainUse, acls } = this
    this.reader = new EntityReader({ tables, periods, startTimes, now })
    const { reader } = this
    const valueBytesMax = limits.cellBytesMax
    this.writer = new EntityWriter({ tables, periods, startTimes, domainUse, acls, reader, valueBytesMax })
    const parts = { tables, periods, startTimes, domainUse, defaultDomain: DEFAULT_DOMAIN, now, logger }
    this.retention =
      ttlMs === undefined ? undefined : new Retention({ ttlMs, intervalMs, period, batch }, parts)
  }

  /**
   * Creates missing tables. Throws UNSUPPORTED for tables of another version. Where the store does not serve yet, the first requests try
   * again.
   */
  async start(): Promise<void> {
    try {
      await this.ready()
    } catch (error) {
      if (!isHBaseError(error) || !(ERROR_TRAITS[error.code].mayRetry || error.code === 'READ_ONLY'))
        throw error
      this.#logger.warn({ err: error }, `timeline: cannot create its tables yet: ${reasonOf(error)}`)
    }
  }

  /** Resolves once the tables exist, or at once where the store is read-only. */
  async ready(): Promise<void> {
    this.#ready ??= this.#prepare()
    try {
      await this.#ready
    } catch (error) {
      this.#ready = undefined
      throw error
    }
  }

  /** Clears the caches, and creates the tables again, after the store was emptied. */
  async restart(): Promise<void> {
    this.periods.forget()
    this.startTimes.forget()
    this.domainUse.forget()
    this.#ready = undefined
    await this.ready()
  }

  async close(): Promise<void> {
    await this.retention?.close()
  }

  async #prepare(): Promise<void> {
    const call = OWN_CALL
    try {
      await this.tables.create(STARTTIME, [FAMILY], call)
      await checkVersion(this.tables, call)
      await this.tables.create(DOMAIN, [FAMILY, USE_FAMILY], call)
      await this.tables.create(OWNER, [FAMILY], call)
      await this.#makeDefaultDomain(call)
      this.retention?.start()
    } catch (error) {
      // Stored entities can still be read.
      if (!(error instanceof HBaseError) || error.code !== 'READ_ONLY') throw error
    }
  }

  async #makeDefaultDomain(call: Call): Promise<void> {
    if ((await this.domains.get(DEFAULT_DOMAIN, call)) !== undefined) return
    const domain = {
      id: DEFAULT_DOMAIN,
      description: 'System Default Domain',
      owner: ownUser(),
      readers: '*',
      writers: '*',
    }
    await this.domains.put(domain, call)
  }
}

/** The operating system's user that runs the server. */
function ownUser(): string {
  try {
    return userInfo().username
  } catch {
    // A container's user may have no name.
    return 'tidegate'
  }
}
