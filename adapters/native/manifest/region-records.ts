import { eachInSteps, type Steps } from '../../../src/model/steps.ts'
import type { RegionRecord } from './manifest-edit.ts'

interface Place {
  readonly regions: RegionRecord[]
  readonly index: number
}

/** The regions of all tables by their numbers: a flush changes one of thousands, and looks for none. */
export class RegionRecords {
  readonly #places = new Map<number, Place>()
  readonly #ofTable = new Map<string, RegionRecord[]>()

  get(number: number): RegionRecord | undefined {
    const place = this.#places.get(number)
    return place?.regions[place.index]
  }

  /** Replaces all regions of a table. Returns the list of them, in which `replace` puts later records. No region is asked for meanwhile. */
  *set(table: string, regions: readonly RegionRecord[]): Steps<readonly RegionRecord[]> {
    const own = [...regions]
    yield* this.forget(table)
    this.#ofTable.set(table, own)
    yield* eachInSteps(own, ({ number }, index) => this.#places.set(number, { regions: own, index }))
    return own
  }

  /** Puts the record in the place of the one with its number, which must be there. */
  replace(record: RegionRecord): void {
    const { regions, index } = this.#places.get(record.number)!
    regions[index] = record
  }

  *forget(table: string): Steps<void> {
    yield* eachInSteps(this.#ofTable.get(table) ?? [], ({ number }) => this.#places.delete(number))
    this.#ofTable.delete(table)
  }
}
