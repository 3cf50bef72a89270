/**
 * What a server must have after it was killed: of each row the state that was acknowledged last, or the one of a change that
 * was under way. It knows nothing of doors or stores, only rows and what their writers were answered.
 */

import { createHash } from 'node:crypto'
import type { Cells } from './writing-door.ts'

/** A row's cells as one text; empty: there is no such row. Long values stand as their hashes. */
export type RowState = string

export const NO_ROW: RowState = ''
const LONG = 64

export function stateOf(cells: Cells): RowState {
  const texts = Object.entries(cells).map(([column, value]) => `${column}=${shortened(value)}`)
  return texts.toSorted().join(' ')
}

function shortened(value: string): string {
  return value.length <= LONG ? value : createHash('sha1').update(value).digest('base64')
}

/** A read that found a state which no moment of it had. */
export class WrongRow extends Error {
  override readonly name = 'WrongRow'
}

/** A read that is under way. */
export interface Reading {
  /** Throws a WrongRow where the row cannot have had the state at any moment since the read began. */
  found(state: RowState): void
  /** Called once, after an answer or without one. */
  end(): void
}

export class KeptRows {
  /** The states that each row may have. */
  readonly #allowed = new Map<string, readonly RowState[]>()
  /** By row, of each read that is under way the states that it may find. */
  readonly #readings = new Map<string, Set<RowState[]>>()
  acknowledged = 0

  /** All rows that may be there. */
  get names(): readonly string[] {
    return [...this.#allowed.keys()]
  }

  /** A change is sent: until it is acknowledged each of its rows has its old state or the new one. */
  began(changes: ReadonlyMap<string, RowState>): void {
    for (const [row, state] of changes) {
      this.#allowed.set(row, [...(this.#allowed.get(row) ?? [NO_ROW]), state])
      for (const states of this.#readings.get(row) ?? []) states.push(state)
    }
  }

  /** A client begins to read the row, beside its writer. */
  reading(row: string): Reading {
    const states = [...(this.#allowed.get(row) ?? [NO_ROW])]
    const all = this.#readings.get(row) ?? new Set()
    this.#readings.set(row, all.add(states))
    return {
      found: (state) => {
        if (!states.includes(state)) throw new WrongRow(text(`a read of row ${row} found`, state, states))
      },
      end: () => {
        all.delete(states)
        if (all.size === 0) this.#readings.delete(row)
      },
    }
  }

  ended(changes: ReadonlyMap<string, RowState>): void {
    this.acknowledged++
    for (const [row, state] of changes) this.#allowed.set(row, [state])
  }

  /** The server has said that it did not make the change. */
  refused(changes: ReadonlyMap<string, RowState>): void {
    for (const row of changes.keys()) this.#allowed.set(row, this.#allowed.get(row)!.slice(0, -1))
  }

  /** Throws where the row has another state than it may have. From now on it must keep the one that it has. */
  found(row: string, state: RowState): void {
    const allowed = this.#allowed.get(row) ?? [NO_ROW]
    if (!allowed.includes(state)) throw new WrongRow(text(`row ${row} is`, state, allowed))
    this.#allowed.set(row, [state])
  }
}

function text(found: string, state: RowState, allowed: readonly RowState[]): string {
  return `${found} "${state}", and may be ${allowed.map((each) => `"${each}"`).join(' or ')}`
}
