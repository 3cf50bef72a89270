/**
 * The tables of the periods. A period's tables are made when the first entity comes that is newer than all periods; an entity
 * that is older than the newest one goes to the period that began last before it. What is older than all of them has none.
 */

import { SerialQueue } from '../../../model/serial-queue.ts'
import type { TableName } from '../../../model/table-name.ts'
import { type Call, toTheEnd } from '../../../store/call.ts'
import { periodEnd, periodName, periodStart, type RollingPeriod, startOfName } from './periods.ts'
import { FAMILY, type TimelineTables, tableOf } from './timeline-tables.ts'

const ENTITY = 'entity.'
const INDEXES = 'indexes.'

export interface Period {
  readonly name: string
  /** Milliseconds since 1970. */
  readonly start: number
  readonly entity: TableName
  readonly indexes: TableName
}

export class PeriodTables {
  readonly #tables: TimelineTables
  readonly #period: RollingPeriod
  readonly #changes = new SerialQueue()
  /** The oldest first. */
  #known: readonly Period[] | undefined

  constructor(tables: TimelineTables, period: RollingPeriod) {
    this.#tables = tables
    this.#period = period
  }

  /** The periods that hold entities, the oldest first. */
  async all(call: Call): Promise<readonly Period[]> {
    this.#known ??= await this.#listed(call)
    return this.#known
  }

  /** The period of an entity's place in time; undefined where it is older than all. */
  async at(place: number, call: Call): Promise<Period | undefined> {
    const known = await this.#upTo(place, call)
    return known.findLast(({ start }) => start <= Math.max(0, place))
  }

  /** The periods of places up to this one, the newest first. */
  async before(place: number, call: Call): Promise<Period[]> {
    const known = await this.#upTo(place, call)
    return known.filter(({ start }) => start <= Math.max(0, place)).reverse()
  }

  /** As `at`, but makes the tables where the place is newer than all periods. */
  async forWriting(place: number, call: Call): Promise<Period | undefined> {
    const known = await this.#upTo(place, call)
    const last = known.at(-1)
    if (last !== undefined && place < periodEnd(last.start, this.#period)) return this.at(place, call)
    return this.#changes.run(() => this.#make(Math.max(0, place), toTheEnd(call)))
  }

  /** The period of this name, whose tables are made where they are missing. */
  async named(name: string, start: number, call: Call): Promise<Period> {
    const period = periodOf(name, start)
    await this.#create(period, call)
    this.forget()
    return period
  }

  /** Drops the tables of a period. */
  async drop({ name, entity, indexes }: Period, call: Call): Promise<void> {
    // The table of entities says that there is the period: it goes last.
    await this.#tables.drop(indexes, call)
    await this.#tables.drop(entity, call)
    this.#known = this.#known?.filter((period) => period.name !== name)
  }

  /** Forgets which periods there are: another process may have dropped or made some. */
  forget(): void {
    this.#known = undefined
  }

  /** Another process may have made periods since the last look: one that seems to be missing is looked for. */
  async #upTo(place: number, call: Call): Promise<readonly Period[]> {
    const known = await this.all(call)
    const last = known.at(-1)
    if (last !== undefined && place < periodEnd(last.start, this.#period)) return known
    this.#known = await this.#listed(call)
    return this.#known
  }

  async #make(place: number, call: Call): Promise<Period> {
    const known = await this.#upTo(place, call)
    const last = known.at(-1)
    const start = periodStart(place, this.#period)
    const isThere = last !== undefined && place < periodEnd(last.start, this.#period)
    const found = isThere ? known.findLast((period) => period.start <= place) : undefined
    if (found !== undefined) return found
    const made = periodOf(periodName(start, this.#period), start)
    await this.#create(made, call)
    this.#known = [...known, made]
    return made
  }

  async #create({ entity, indexes }: Period, call: Call): Promise<void> {
    await this.#tables.create(indexes, [FAMILY], call)
    await this.#tables.create(entity, [FAMILY], call)
  }

  async #listed(call: Call): Promise<Period[]> {
    const names = await this.#tables.namesAfter(ENTITY, call)
    const periods = names.flatMap((name) => {
      const start = startOfName(name)
      return start === undefined ? [] : [periodOf(name, start)]
    })
    return periods.sort((a, b) => a.start - b.start)
  }
}

function periodOf(name: string, start: number): Period {
  return { name, start, entity: tableOf(`${ENTITY}${name}`), indexes: tableOf(`${INDEXES}${name}`) }
}
