/** Clients that write to one of two stores, and count what was acknowledged. */

import { DEFAULT_MUTATION_OPTIONS, MutationBatch } from '../../src/model/mutation.ts'
import type { TableName } from '../../src/model/table-name.ts'
import { OWN_CALL } from '../../src/store/call.ts'
import type { Store } from '../../src/store/store.ts'
import { increment } from '../store/suite/row-operations.ts'
import { bytes } from '../store/suite/store-under-test.ts'

const COUNTERS = 5
const [FAMILY, Q] = [bytes('f'), bytes('q')]

export class MovingWriters {
  /** Acknowledged values by row; undefined: the row was deleted. */
  readonly rows: Map<string, string | undefined> = new Map()
  /** Acknowledged increments by row. */
  readonly counters: Map<string, bigint> = new Map()
  readonly #table: TableName
  #running: Promise<void>[] = []
  #isOver = false
  #turn = 0

  constructor(table: TableName) {
    this.#table = table
  }

  start(store: Store, writers = 3): void {
    this.#isOver = false
    this.#running = Array.from({ length: writers }, (_, writer) => this.#write(store, writer))
  }

  /** Resolves when each writer's last change was acknowledged. Throws what a change has thrown. */
  async stop(): Promise<void> {
    this.#isOver = true
    await Promise.all(this.#running)
  }

  async #write({ rows }: Store, writer: number): Promise<void> {
    while (!this.#isOver) {
      const turn = this.#turn++
      const row = `row-${String(turn % 1000).padStart(4, '0')}-${writer}`
      const batch = new MutationBatch()
      const isDelete = turn % 7 === 3 && this.rows.get(row) !== undefined
      if (isDelete) batch.deleteRow(bytes(row)).endMutation()
      else batch.put(bytes(row), FAMILY, Q, bytes(`${turn}`)).endMutation()
      const failures = await rows.mutate(this.#table, batch, OWN_CALL)
      if (failures.length > 0) throw failures[0]!.error
      this.rows.set(row, isDelete ? undefined : `${turn}`)
      const counter = `counter-${turn % COUNTERS}`
      const change = {
        row: bytes(counter),
        operations: [increment(counter, 'f:n', 1n)],
        options: DEFAULT_MUTATION_OPTIONS,
      }
      await rows.mutateRow(this.#table, change, OWN_CALL)
      this.counters.set(counter, (this.counters.get(counter) ?? 0n) + 1n)
    }
  }
}
