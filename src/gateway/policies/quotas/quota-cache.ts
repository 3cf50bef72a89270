/** The limits in hbase:quota, in memory for requests. They are read again after each change. HBase: QuotaCache, UserQuotaState. */

import { isHBaseError } from '../../../model/errors.ts'
import { ColumnsBuilder } from '../../../model/query.ts'
import { namespaceOf, type TableName } from '../../../model/table-name.ts'
import { OWN_CALL } from '../../../store/call.ts'
import type { Switches } from '../../../store/upkeep.ts'
import type { Limits } from './operation-quota.ts'
import { QuotaLimiter } from './quota-limiter.ts'
import { EXCEEDING_ROW, INFO, SETTINGS } from './quota-rows.ts'
import { type QuotaTable, readQuotas } from './quota-table.ts'

const COLUMNS = new ColumnsBuilder().addFamily(INFO).build()
const ALL_SERVERS = 'r.all'
const SYSTEM_NAMESPACE = 'hbase'

/** The limiters by row and qualifier in hbase:quota, such as `u.bob` and `s.ns:`, with a NUL between. */
type Limiters = Map<string, QuotaLimiter>

export class QuotaCache {
  readonly #table: QuotaTable
  readonly #switches: Switches | undefined
  #limiters: Limiters = new Map()
  readonly #bypassing = new Set<string>()
  #mayExceed = false
  #hasSpaceQuotas = false
  #isOn = true
  #isCurrent = false
  #loading: Promise<void> | undefined

  /** `switches`: the store's; undefined: throttles cannot be turned off. */
  constructor(table: QuotaTable, switches: Switches | undefined) {
    this.#table = table
    this.#switches = switches
  }

  /** False after a change: call `load` before the next use. */
  get isCurrent(): boolean {
    return this.#isCurrent
  }

  /** True where a table or namespace has a limit of space. */
  get hasSpaceQuotas(): boolean {
    return this.#hasSpaceQuotas
  }

  /** Notes that a limit has changed, or that throttles were turned on or off. */
  changed(): void {
    this.#isCurrent = false
  }

  /** The limits of a request; undefined where there are none. */
  limitsOf(user: string | undefined, table: TableName): Limits | undefined {
    if (this.#limiters.size === 0 || !this.#isOn) return undefined
    const namespace = namespaceOf(table)
    if (namespace === SYSTEM_NAMESPACE) return undefined
    const ofUser = user === undefined ? undefined : this.#ofUser(user, table, namespace)
    const others = [`t.${table}`, `n.${namespace}`, ALL_SERVERS].map((row) => this.#limiters.get(row))
    const isBypassing = user !== undefined && this.#bypassing.has(user)
    const all = isBypassing ? [ofUser] : [ofUser, ...others]
    const limiters = all.filter((limiter) => limiter !== undefined)
    if (limiters.length === 0) return undefined
    return {
      limiters,
      exceeding: this.#mayExceed && !isBypassing ? this.#limiters.get(ALL_SERVERS) : undefined,
    }
  }

  /** The limits of a user: those in the table, else those in the namespace, else those everywhere. */
  #ofUser(user: string, table: TableName, namespace: string): QuotaLimiter | undefined {
    const row = `u.${user}`
    const [limiters, exact] = [this.#limiters, `${row}\0s.${table}`]
    return limiters.get(exact) ?? limiters.get(`${row}\0s.${namespace}:`) ?? limiters.get(row)
  }

  /** Reads hbase:quota. Where that fails, the limits stay as they were, and the next request reads again. */
  load(): Promise<void> {
    this.#loading ??= this.#load().finally(() => (this.#loading = undefined))
    return this.#loading
  }

  async #load(): Promise<void> {
    // Set first: a change during the read sets it to false again.
    this.#isCurrent = true
    try {
      this.#isOn = (await this.#switches?.isOn('rpcThrottle', OWN_CALL)) ?? true
      const cells = await this.#cells()
      const limiters: Limiters = new Map()
      this.#bypassing.clear()
      this.#mayExceed = false
      this.#hasSpaceQuotas = false
      for (const { row, qualifier, value } of cells) {
        if (row.equals(EXCEEDING_ROW)) this.#mayExceed = value.some((byte) => byte !== 0)
        else this.#take(limiters, row.toString(), qualifier, value)
      }
      this.#limiters = limiters
    } catch (error) {
      this.#isCurrent = false
      if (!isHBaseError(error)) throw error
    }
  }

  /** The cells; none where the table has been deleted. */
  async #cells(): ReturnType<QuotaTable['cells']> {
    try {
      return await this.#table.cells(COLUMNS, OWN_CALL)
    } catch (error) {
      if (isHBaseError(error) && error.code === 'TABLE_NOT_FOUND') return []
      throw error
    }
  }

  #take(limiters: Limiters, row: string, qualifier: Buffer, value: Buffer): void {
    const quotas = readQuotas(value)
    if (quotas === undefined) return
    this.#hasSpaceQuotas ||= quotas.space !== undefined
    const isOfRow = qualifier.equals(SETTINGS)
    if (quotas.bypassGlobals && isOfRow && row.startsWith('u.')) this.#bypassing.add(row.slice(2))
    const limiter = new QuotaLimiter(quotas.throttle)
    if (!limiter.isLimited) return
    const key = isOfRow ? row : `${row}\0${qualifier.toString()}`
    const before = this.#limiters.get(key)
    before?.update(limiter)
    limiters.set(key, before ?? limiter)
  }
}
