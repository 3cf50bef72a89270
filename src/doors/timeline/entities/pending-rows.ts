/** Collects rows for the tables of their periods, and writes them in parts, so that a large request takes little memory. */

import { EMPTY } from '../../../model/bytes.ts'
import { HBaseError, isHBaseError } from '../../../model/errors.ts'
import { MutationBatch } from '../../../model/mutation.ts'
import { type Call, toTheEnd } from '../../../store/call.ts'
import type { DomainUse } from '../domains/domain-use.ts'
import type { Period, PeriodTables } from '../tables/period-tables.ts'
import { FAMILY, type TimelineTables } from '../tables/timeline-tables.ts'
import type { Row } from './entity-rows.ts'

const PART_BYTES = 4 * 1024 * 1024

interface PendingPeriod {
  readonly period: Period
  entity: MutationBatch
  indexes: MutationBatch
  readonly domains: Set<string>
}

export interface PendingParts {
  readonly tables: TimelineTables
  readonly periods: PeriodTables
  readonly domainUse: DomainUse
}

export class PendingRows {
  readonly #parts: PendingParts
  readonly #call: Call
  readonly #valueBytesMax: number
  readonly #pending = new Map<string, PendingPeriod>()
  #bytes = 0

  /** `valueBytesMax`: the limit of a value. */
  constructor(parts: PendingParts, valueBytesMax: number, call: Call) {
    this.#parts = parts
    this.#valueBytesMax = valueBytesMax
    this.#call = call
  }

  /** `domain`: the domain of the rows' entity. Throws ILLEGAL_ARGUMENT for too long a key, TOO_LARGE for too long a value. */
  async add(period: Period, table: 'entity' | 'indexes', domain: string, rows: Iterable<Row>): Promise<void> {
    const pending = this.#of(period)
    pending.domains.add(domain)
    for (const { key, value } of rows) {
      if (value.length > this.#valueBytesMax)
        throw new HBaseError('TOO_LARGE', `a value exceeds ${this.#valueBytesMax} bytes`)
      const batch = pending[table]
      batch.put(key, FAMILY, EMPTY, value)
      batch.endMutation()
      this.#bytes += key.length + value.length
      if (this.#bytes > PART_BYTES) await this.flush()
    }
  }

  /** Resolves once all rows are stored. */
  async flush(): Promise<void> {
    this.#bytes = 0
    const { tables, domainUse, periods } = this.#parts
    try {
      for (const pending of this.#pending.values()) {
        for (const domain of pending.domains) await domainUse.note(domain, pending.period.name, this.#call)
      }
      for (const table of ['entity', 'indexes'] as const) {
        for (const pending of this.#pending.values()) {
          const batch = pending[table]
          if (batch.length === 0) continue
          pending[table] = new MutationBatch()
          await tables.mutate(pending.period[table], batch, toTheEnd(this.#call))
        }
      }
    } catch (error) {
      if (!isHBaseError(error) || error.code !== 'TABLE_NOT_FOUND') throw error
      periods.forget()
      throw new HBaseError('UNAVAILABLE', 'a period was dropped during the request: retry', { cause: error })
    }
  }

  #of(period: Period): PendingPeriod {
    let pending = this.#pending.get(period.name)
    if (pending === undefined) {
      pending = { period, entity: new MutationBatch(), indexes: new MutationBatch(), domains: new Set() }
      this.#pending.set(period.name, pending)
    }
    return pending
  }
}
