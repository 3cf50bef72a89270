/** Imports a folder of Hadoop's RollingLevelDBTimelineStore into the timeline's tables. */

import { EMPTY } from '../../../model/bytes.ts'
import { HBaseError, isHBaseError } from '../../../model/errors.ts'
import { MutationBatch } from '../../../model/mutation.ts'
import type { TableName } from '../../../model/table-name.ts'
import { OWN_CALL } from '../../../store/call.ts'
import { Column, filterKey, indexPrefix, startTimeKey } from '../keys/entity-keys.ts'
import { KeyParser } from '../keys/key-bytes.ts'
import type { TimelineService } from '../service/timeline-service.ts'
import type { Period } from '../tables/period-tables.ts'
import { startOfName } from '../tables/periods.ts'
import { startTimeOf } from '../tables/start-times.ts'
import { VERSION_KEY } from '../tables/store-version.ts'
import { DOMAIN, FAMILY, OWNER, STARTTIME } from '../tables/timeline-tables.ts'
import { encodeValue } from '../values/stored-value.ts'
import { decodeFst } from './fst-decoder.ts'
import { databasesIn, type LevelRow, levelRows } from './level-files.ts'

export interface Imported {
  readonly periods: number
  readonly entities: number
  readonly domains: number
  /** The number of values that were left out, because their types are unknown. */
  readonly leftOut: number
}

/** Databases beside those of the periods. */
const DATABASES = ['domain-ldb', 'owner-ldb', 'starttime-ldb']

/** How far an import is. */
export interface ImportState {
  readonly entities: number
  readonly databases: number
  readonly databasesDone: number
}

export class TimelineImport {
  readonly #service: TimelineService
  readonly #folder: string
  readonly #say: (line: string) => void
  /** Times at which entities were stored that are not in the period of their start time, by the keys of their start times. */
  readonly #storedAt = new Map<string, number>()
  #entities = 0
  #leftOut = 0
  #databases = 0
  #databasesDone = 0
  #isStopped = false

  /** `say`: receives lines about omissions. */
  constructor(service: TimelineService, folder: string, say: (line: string) => void) {
    this.#service = service
    this.#folder = folder
    this.#say = say
  }

  get state(): ImportState {
    return { entities: this.#entities, databases: this.#databases, databasesDone: this.#databasesDone }
  }

  /** The run throws, and leaves no temporary files. */
  stop(): void {
    this.#isStopped = true
  }

  /** The rows of a database, in batches. */
  async *#rows(name: string): AsyncGenerator<LevelRow[]> {
    for await (const rows of levelRows(this.#folder, name)) {
      if (this.#isStopped) throw new HBaseError('CALLER_GONE', 'the import was stopped')
      yield rows
    }
    this.#databasesDone++
  }

  /** Imports the folder. Existing rows stay, except that imported rows replace rows of the same key. */
  async run(): Promise<Imported> {
    await this.#service.ready()
    const names = databasesIn(this.#folder)
    if (!names.includes('starttime-ldb'))
      throw new HBaseError(
        'ILLEGAL_ARGUMENT',
        `${this.#folder} has no starttime-ldb: it is no store of a timeline server`,
      )
    const starts = names.flatMap((name) => {
      const [kind, period = ''] = name.split('-ldb.')
      const start = startOfName(period)
      return kind === 'entity' && start !== undefined ? [start] : []
    })
    starts.sort((a, b) => a - b)
    this.#databases = starts.length + DATABASES.filter((name) => names.includes(name)).length
    for (const [index, start] of starts.entries()) await this.#importPeriod(start, starts[index + 1], names)
    const domains = names.includes('domain-ldb') ? await this.#copy('domain-ldb', DOMAIN) : 0
    if (names.includes('owner-ldb')) await this.#copy('owner-ldb', OWNER)
    await this.#importStartTimes()
    return { periods: starts.length, entities: this.#entities, domains, leftOut: this.#leftOut }
  }

  async #importPeriod(start: number, next: number | undefined, names: readonly string[]): Promise<void> {
    const name = names.find(
      (each) => each.startsWith('entity-ldb.') && startOfName(each.slice(11)) === start,
    )!
    const period = await this.#service.periods.named(name.slice('entity-ldb.'.length), start, OWN_CALL)
    const domains = new Set<string>()
    for await (const rows of this.#rows(name)) {
      const [entity, indexes] = [new MutationBatch(), new MutationBatch()]
      for (const row of rows) this.#importRow(row, { entity, indexes, domains, start, next })
      for (const domain of domains) await this.#service.domainUse.note(domain, period.name, OWN_CALL)
      await this.#write(period, entity, indexes)
    }
  }

  async #write(period: Period, entity: MutationBatch, indexes: MutationBatch): Promise<void> {
    await this.#service.tables.mutate(period.entity, entity, OWN_CALL)
    await this.#service.tables.mutate(period.indexes, indexes, OWN_CALL)
  }

  #importRow(row: LevelRow, to: RowTarget): void {
    try {
      const parser = new KeyParser(row.key)
      const type = parser.text()
      const startTime = parser.time()
      const id = parser.text()
      const key = row.key.subarray(0, parser.offset)
      if (row.key.length === key.length) {
        this.#entities++
        if (startTime < BigInt(to.start) || startTime >= BigInt(to.next ?? this.#service.now()))
          this.#storedAt.set(startTimeKey({ type, id }).toString('latin1'), to.start)
        put(to.entity, row.key, EMPTY)
        return
      }
      this.#importColumn(row, key, to)
    } catch (error) {
      if (!isHBaseError(error) && !(error instanceof RangeError)) throw error
      this.#leftOut++
      this.#say(`left out: ${error.message} (${row.key.toString('latin1').replace(/[^ -~]/g, '.')})`)
    }
  }

  #importColumn({ key, value }: LevelRow, entity: Buffer, to: RowTarget): void {
    const column = key[entity.length]
    if (column === Column.domain) to.domains.add(value.toString())
    if (column === Column.event || column === Column.info) {
      put(to.entity, key, encodeValue(decodeFst(value)))
    } else if (column === Column.filter) {
      const parser = new KeyParser(key, entity.length + 1)
      const name = parser.text()
      const filter = encodeValue(decodeFst(parser.rest()))
      put(to.entity, filterKey(entity, name, filter), EMPTY)
      put(to.indexes, Buffer.concat([indexPrefix(name, filter), entity]), EMPTY)
    } else put(to.entity, key, value)
  }

  /** Returns the number of domains, counted by their rows of times. */
  async #copy(name: string, table: TableName): Promise<number> {
    let times = 0
    for await (const rows of this.#rows(name)) {
      const batch = new MutationBatch()
      for (const { key, value } of rows) {
        put(batch, key, value)
        if (key.at(-1) === 't'.charCodeAt(0) && key.at(-2) === 0) times++
      }
      await this.#service.tables.mutate(table, batch, OWN_CALL)
    }
    return times
  }

  async #importStartTimes(): Promise<void> {
    const now = this.#service.now()
    for await (const rows of this.#rows('starttime-ldb')) {
      const batch = new MutationBatch()
      for (const { key, value } of rows) {
        if (key.equals(VERSION_KEY)) continue
        const { startTime } = startTimeOf({ key, value, qualifier: EMPTY, timestamp: 0n })
        const inPast = startTime > 0n && startTime < BigInt(now) ? startTime : BigInt(now)
        const storedAt = this.#storedAt.get(key.toString('latin1'))
        put(batch, key, value, storedAt === undefined ? inPast : BigInt(storedAt))
      }
      await this.#service.tables.mutate(STARTTIME, batch, OWN_CALL)
    }
  }
}

interface RowTarget {
  readonly entity: MutationBatch
  readonly indexes: MutationBatch
  readonly domains: Set<string>
  /** The period and the next one. */
  readonly start: number
  readonly next: number | undefined
}

function put(batch: MutationBatch, key: Buffer, value: Buffer, timestamp?: bigint): void {
  batch.put(key, FAMILY, EMPTY, value, timestamp)
  batch.endMutation()
}
