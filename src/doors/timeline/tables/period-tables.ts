/**
 * The tables of periods. An entity that is newer than all periods creates the tables of its period. An older entity goes to the last
 * period that began before it. An entity that is older than all periods has none.
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
  /** The oldest first; undefined before they are listed. */
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

  /** The period of an entity by its placeOf; undefined where it is older than all periods. */
  async at(place: number, call: Call): Promise<Period | undefined> {
    const known = await this.#upTo(place, call)
    return known.findLast(({ start }) => start <= Math.max(0, place))
  }

  /** The periods that began before this time or at it, the newest first. */
  async before(place: number, call: Call): Promise<Period[]> {
    const known = await this.#upTo(place, call)
    return known.filter(({ start }) => start <= Math.max(0, place)).reverse()
  }

  /** As `at`, but creates the tables where the time is after all periods. */
  async forWriting(place: number, call: Call): Promise<Period | undefined> {
    const known = await this.#upTo(place, call)
    const last = known.at(-1)
    if (last !== undefined && place < periodEnd(last.start, this.#period)) return this.at(place, call)
    return this.#changes.run(() => this.#make(Math.max(0, place), toTheEnd(call)))
  }

  /** The period of this name. Creates its tables where they are missing. */
  async named(name: string, start: number, call: Call): Promise<Period> {
    const period = periodOf(name, start)
    await this.#create(period, call)
    this.forget()
    return period
  }

  /** Drops the tables of a period. */
  async drop({ name, entity, indexes }: Period, call: Call): Promise<void> {
    // A period exists as long as its table of entities does, so that is dropped last.
    await this.#tables.drop(indexes, call)
    await this.#tables.drop(entity, call)
    this.#known = this.#known?.filter((period) => period.name !== name)
  }

  /** Forgets the list of periods: another process may have dropped or created some. */
  forget(): void {
    this.#known = undefined
  }

  /** The known periods. Lists them again for a time after the last one, since another process may have created periods. */
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
