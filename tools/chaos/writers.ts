/** Writers: each has rows of its own, and shares counters, logs and chains with the others. */

import { type Calls, Retryable } from './calls.ts'
import { headOf, versionOf, type WriteDoor } from './door-client.ts'
import type { Findings } from './findings.ts'
import type { Ledger } from './ledger.ts'
import { DATA_QUALIFIERS, Family, ROWS, rowName, SHARED_ROWS } from './settings.ts'
import { randomBelow, randomOf, type StopSignal } from './stop-signal.ts'

const BATCH_ROWS = 20

export interface WriterContext {
  readonly calls: Calls
  readonly findings: Findings
  readonly ledger: Ledger
  readonly stop: StopSignal
  /** Between two requests of a writer. Left out: none. */
  readonly pauseMs?: number
}

export class Writer {
  readonly #context: WriterContext
  readonly #door: WriteDoor
  readonly #id: number
  readonly #rows: string[]
  readonly #hasChains: boolean
  #tokens = 0
  #inserted = 0

  /** `id`: the writer's number among `writers`. */
  constructor(context: WriterContext, door: WriteDoor, id: number, writers: number, hasChains: boolean) {
    this.#context = context
    this.#door = door
    this.#id = id
    this.#hasChains = hasChains
    this.#rows = Array.from({ length: ROWS }, (_, index) => index)
      .filter((index) => index % writers === id)
      .map(rowName)
  }

  async run(): Promise<void> {
    const { stop, pauseMs = 0 } = this.#context
    const changes = [
      () => this.#put([randomOf(this.#rows)]),
      () => this.#put(this.#someRows()),
      () => this.#put([this.#newRow()]),
      () => this.#increment(),
      () => this.#increment(),
      () => this.#append(),
      () => this.#get(),
      ...(this.#hasChains ? [() => this.#step(), () => this.#step()] : []),
    ]
    while (!stop.stopped) {
      try {
        await randomOf(changes)()
        if (pauseMs > 0) await stop.sleep(pauseMs)
      } catch (error) {
        // A client retries a Retryable; other failures are findings already.
        await stop.sleep(error instanceof Retryable ? 20 : 200)
      }
    }
    this.#door.close()
  }

  #someRows(): string[] {
    const from = randomBelow(this.#rows.length)
    const step = 1 + randomBelow(5)
    const rows = Array.from(
      { length: BATCH_ROWS },
      (_, i) => this.#rows[(from + i * step) % this.#rows.length]!,
    )
    return [...new Set(rows), this.#newRow()]
  }

  #newRow(): string {
    return `${randomOf(this.#rows)}+${this.#id}.${this.#inserted++}`
  }

  async #put(rows: readonly string[]): Promise<void> {
    const { ledger } = this.#context
    const version = ledger.nextVersion()
    for (const row of rows) ledger.begin(row, version)
    await this.#call(rows.length === 1 ? 'put' : 'batch', () => this.#door.put(rows, version))
    for (const row of rows) ledger.acknowledge(row, version)
  }

  async #increment(): Promise<void> {
    const row = randomOf(SHARED_ROWS)
    const amount = 1 + randomBelow(3)
    const counter = this.#context.ledger.counter(row)
    try {
      await this.#call('increment', () => this.#door.increment(row, amount))
      counter.acknowledged += amount
    } catch (error) {
      counter.unknown += amount
      throw error
    }
  }

  async #append(): Promise<void> {
    const row = randomOf(SHARED_ROWS)
    const token = this.#token()
    const log = this.#context.ledger.log(row)
    try {
      await this.#call('append', () => this.#door.append(row, token))
      log.acknowledged.add(token)
    } catch (error) {
      log.unknown.add(token)
      throw error
    }
  }

  /** One writer sets a chain's next number; a check refuses the others. */
  async #step(): Promise<void> {
    const row = randomOf(SHARED_ROWS)
    const from = headOf(await this.#call('get', () => this.#door.get(row, Family.chain)))
    const token = this.#token()
    const chain = this.#context.ledger.chain(row)
    try {
      const applied = await this.#call('check-and-put', () => this.#door.step(row, from, token))
      // A repeated check may have been refused because its first attempt succeeded.
      ;(applied ? chain.acknowledged : chain.unknown).add(token)
    } catch (error) {
      chain.unknown.add(token)
      throw error
    }
  }

  /** A writer must read its own acknowledged writes. */
  async #get(): Promise<void> {
    const { ledger, findings } = this.#context
    const row = randomOf(this.#rows)
    const least = ledger.acknowledged(row)
    const cells = await this.#call('get', () => this.#door.get(row, Family.data))
    const versions = new Set(cells.map(({ value }) => versionOf(value)))
    const isWhole = cells.length === DATA_QUALIFIERS.length && versions.size === 1
    const holds = least === 0 ? cells.length === 0 || isWhole : isWhole && [...versions][0]! >= least
    findings.check('gets see what was written', holds, () => {
      return `${row}: ${cells.length} cells of versions ${[...versions].join()}; ${least} was acknowledged`
    })
  }

  #token(): string {
    return `${this.#id}.${this.#tokens++};`
  }

  #call<T>(what: string, call: () => Promise<T>): Promise<T> {
    return this.#context.calls.run(`${this.#door.name} ${what}`, call)
  }
}
