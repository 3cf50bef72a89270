import type { HBaseError } from '../../../src/model/errors.ts'
import type { TableName } from '../../../src/model/table-name.ts'
import type { ReadsOfRegion, ReleasedRun, ToWriter } from '../threads/reader-messages.ts'
import { viewOfError } from '../threads/views.ts'

type Keep = Extract<ToWriter, { readonly keep: number }>
type NewKeep = Exclude<Keep, { readonly kind: 'giveUp' }>

/** The requests of a reader, which go to the writer at the end of a turn of the event loop: those that have not ended within the turn. */
export class RequestsToWriter {
  /** By their numbers. */
  #keeps = new Map<number, NewKeep>()
  #others: ToWriter[] = []
  #released: ReleasedRun[] = []
  #lastKeep = 0
  readonly #onRequest: () => void

  /** `onRequest`: called with each request; the turn must end with `take`. */
  constructor(onRequest: () => void) {
    this.#onRequest = onRequest
  }

  /** `region`: undefined for all regions of the table. The returned function ends it; calling it again does nothing. */
  keepReadPoint(table: TableName, region: number | undefined, readPoint: number): () => void {
    return this.#keep({ kind: 'keep', keep: ++this.#lastKeep, table, region, readPoint })
  }

  /** As keepReadPoint. */
  hold(runs: readonly number[]): () => void {
    return this.#keep({ kind: 'hold', keep: ++this.#lastKeep, runs })
  }

  #keep(request: NewKeep): () => void {
    const { keep } = request
    this.#onRequest()
    this.#keeps.set(keep, request)
    let isKept = true
    return () => {
      if (!isKept) return
      isKept = false
      if (this.#keeps.delete(keep)) return
      this.#onRequest()
      this.#others.push({ kind: 'giveUp', keep })
    }
  }

  released(run: ReleasedRun): void {
    this.#onRequest()
    this.#released.push(run)
  }

  fault(run: number, error: HBaseError): void {
    this.#onRequest()
    this.#others.push({ kind: 'fault', run, error: viewOfError(error) })
  }

  reads(counts: readonly ReadsOfRegion[]): void {
    this.#onRequest()
    this.#others.push({ kind: 'reads', counts })
  }

  /** The requests so far, if any. */
  take(): { readonly list: readonly ToWriter[]; readonly keeps: boolean } | undefined {
    const keeps = this.#keeps.size > 0
    const runs = this.#released
    if (!keeps && this.#others.length === 0 && runs.length === 0) return undefined
    const list: ToWriter[] = [...this.#keeps.values(), ...this.#others]
    // Last: what is kept may be of a run that is let go of.
    if (runs.length > 0) list.push({ kind: 'released', runs })
    this.#keeps = new Map()
    this.#others = []
    this.#released = []
    return { list, keeps }
  }
}
