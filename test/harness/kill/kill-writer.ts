/** A client that changes rows of its own through one door, one operation after the other. */

import { type KeptRows, NO_ROW, type RowState, stateOf } from './kept-rows.ts'
import type { Cells, WritingDoor } from './writing-door.ts'

/** Large enough for flushes and new logs during a life of seconds. */
const VALUE_BYTES = 2000
/** Time that a writer waits where its region is too busy, as HBase's clients do: on a slow machine the disk does not keep up. */
const BUSY_WAIT_MS = 20

interface Change {
  readonly rows: ReadonlyMap<string, RowState>
  readonly send: (door: WritingDoor) => Promise<unknown>
  /** What the writer knows once the change is acknowledged. */
  readonly done: () => void
}

/** The rows of one door. They outlive its servers, as the clients of a real one would. */
export class KillWriter {
  readonly #name: string
  readonly #kept: KeptRows
  /** Rows that were put once, and are never changed. */
  puts = 0
  /** Of each other row what it has, as far as the writer was told. */
  #cells: Record<string, Cells> = {}
  #turn = 0

  constructor(name: string, kept: KeptRows) {
    this.#name = name
    this.#kept = kept
  }

  /** The rows that change again and again. */
  get changing(): readonly string[] {
    return ['b0', 'b1', 'b2', 'd', 'c', 's', 'k'].map((row) => this.row(row))
  }

  row(name: string): string {
    return `${this.#name}-${name}`
  }

  putRow(number: number): string {
    return this.row(`p${String(number).padStart(8, '0')}`)
  }

  /** Learns what its changing rows have, and whether the put under way was made. */
  learn(cells: ReadonlyMap<string, Cells>): void {
    this.#cells = Object.fromEntries(cells)
    if (cells.get(this.putRow(this.puts)) !== undefined) this.puts++
  }

  /** Changes rows until the server dies: `dead` then rejects. Throws where a living server answers wrongly. */
  async write(door: WritingDoor, dead: Promise<never>, isDying: () => boolean): Promise<void> {
    for (;;) {
      const change = this.#next()
      this.#kept.began(change.rows)
      try {
        const answer = await Promise.race([change.send(door), dead])
        if (answer === false) throw new Error('a condition that holds was said not to')
      } catch (error) {
        if (isDying()) return
        if (!(error as Error).message.includes('RegionTooBusy')) throw error
        this.#kept.refused(change.rows)
        await new Promise((resolve) => setTimeout(resolve, BUSY_WAIT_MS))
        continue
      }
      change.done()
      this.#kept.ended(change.rows)
      this.#turn++
    }
  }

  #next(): Change {
    switch (this.#turn % 6) {
      case 0:
        return this.#put()
      case 1:
        return this.#batch()
      case 2:
        return this.#remove()
      case 3:
        return this.#increment()
      case 4:
        return this.#append()
      default:
        return this.#check()
    }
  }

  #put(): Change {
    const row = this.putRow(this.puts)
    const value = `${row} `.padEnd(VALUE_BYTES, 'x')
    const cells = { 'f:a': value, 'f:b': value }
    const done = (): void => {
      this.puts++
    }
    return { rows: new Map([[row, stateOf(cells)]]), send: (door) => door.put(row, cells), done }
  }

  #batch(): Change {
    const cells = { 'f:a': `turn ${this.#turn}`, 'f:b': `turn ${this.#turn}` }
    const rows = Object.fromEntries(['b0', 'b1', 'b2'].map((name) => [this.row(name), cells]))
    const states = new Map(Object.keys(rows).map((row) => [row, stateOf(cells)]))
    return { rows: states, send: (door) => door.batch(rows), done: () => undefined }
  }

  /** Puts the row, or removes it where it is there. */
  #remove(): Change {
    const row = this.row('d')
    if (this.#cells[row] !== undefined) {
      return this.#changed(row, undefined, (door) => door.remove(row))
    }
    const cells = { 'f:a': `turn ${this.#turn}`, 'g:b': `turn ${this.#turn}` }
    return this.#changed(row, cells, (door) => door.put(row, cells))
  }

  #increment(): Change {
    const row = this.row('c')
    const count = Number(this.#cells[row]?.['f:n'] ?? '0') + 1
    return this.#changed(row, { 'f:n': String(count) }, (door) => door.increment(row, 'f:n'))
  }

  #append(): Change {
    const row = this.row('s')
    const text = `${this.#turn},`
    // Begun anew before it is long.
    const before = this.#cells[row]?.['f:s'] ?? ''
    if (before.length > 1000)
      return this.#changed(row, { 'f:s': text }, (door) => door.put(row, { 'f:s': text }))
    return this.#changed(row, { 'f:s': before + text }, (door) => door.append(row, 'f:s', text))
  }

  #check(): Change {
    const row = this.row('k')
    const before = this.#cells[row]?.['f:v']
    const value = `turn ${this.#turn}`
    if (before === undefined)
      return this.#changed(row, { 'f:v': value }, (door) => door.put(row, { 'f:v': value }))
    return this.#changed(row, { 'f:v': value }, (door) => door.checkAndPut(row, 'f:v', before, value))
  }

  #changed(row: string, cells: Cells | undefined, send: Change['send']): Change {
    const done = (): void => {
      if (cells === undefined) delete this.#cells[row]
      else this.#cells[row] = cells
    }
    return { rows: new Map([[row, cells === undefined ? NO_ROW : stateOf(cells)]]), send, done }
  }
}
