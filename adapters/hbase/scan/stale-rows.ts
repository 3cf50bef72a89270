/**
 * A scan that copies of regions may answer. In each region the copy that the scan names is asked first. Where it has failed or has not
 * answered soon, all others are asked as well, from the last row or cell that was handed on. The first answer counts. The scan stays
 * with the copy that gave it until that copy is slow in turn, or its region ends. HBase: ScannerCallableWithReplicas.
 */

import type { Call } from '../../../src/store/call.ts'
import type { Cluster } from '../cluster/cluster.ts'
import { firstAnswer } from '../retry/first-answer.ts'
import type { FetchedRows } from './fetched-rows.ts'
import type { ScanSource } from './scan-source.ts'
import type { ScannedRows } from './scanned-rows.ts'

interface Answered {
  readonly from: CopyRows
  readonly fetched: FetchedRows
}

/** The rows of one copy of each region. */
interface CopyRows {
  readonly source: ScanSource
  /** 0: the regions themselves. */
  readonly replica: number
}

export class StaleRows implements ScannedRows {
  readonly #cluster: Cluster
  /** The number of the copy with which each region begins. */
  readonly #first: number
  #current: CopyRows
  /** The copies that are asked beside the current one. */
  #others: readonly CopyRows[] = []

  /** `source` reads the copies with the number `replica`. */
  constructor(cluster: Cluster, source: ScanSource, replica: number) {
    this.#cluster = cluster
    this.#first = replica
    this.#current = { source, replica }
  }

  get ended(): boolean {
    return this.#current.source.ended
  }

  get isAtRegionEnd(): boolean {
    return this.#current.source.isAtRegionEnd
  }

  get position(): Buffer | undefined {
    return this.#current.source.position
  }

  get readPoint(): bigint {
    return this.#current.source.readPoint
  }

  get hasPart(): boolean {
    return this.#current.source.hasPart
  }

  async fetch(rows: number, call: Call): Promise<FetchedRows> {
    const { options, retrier } = this.#cluster
    const { source, replica } = this.#current
    if (source.isAtRegionEnd && replica !== this.#first) {
      this.#current = { source: source.ofCopy(this.#first), replica: this.#first }
    }
    const current = this.#current
    const ask = async (from: CopyRows, own: Call): Promise<Answered> => ({
      from,
      fetched: await from.source.fetch(rows, own),
    })
    try {
      const { from, fetched } = await firstAnswer({
        askFirst: (own) => ask(current, own),
        askOthers: async (own) => {
          this.#others = await this.#otherCopies(current, own)
          return this.#others.map((other) => ask(other, own))
        },
        waitMs: options.primaryScanMicros / 1_000,
        time: retrier.time,
        call,
      })
      this.#current = from
      if (from !== current) current.source.close()
      return { ...fetched, isStale: from.replica > 0 }
    } finally {
      for (const other of this.#others) if (other !== this.#current) other.source.close()
      this.#others = []
    }
  }

  takePart(): FetchedRows {
    const { source, replica } = this.#current
    return { ...source.takePart(), isStale: replica > 0 }
  }

  close(): void {
    for (const { source } of [this.#current, ...this.#others]) source.close()
  }

  /** The other copies of the present region; none where hbase:meta does not answer. */
  async #otherCopies({ source, replica }: CopyRows, call: Call): Promise<CopyRows[]> {
    const { retrier } = this.#cluster
    try {
      const copies = await source.copies(retrier.attempt(1, retrier.deadline(call), call))
      const others = [0, ...copies].filter((number) => number !== replica)
      return others.map((number) => ({ source: source.ofCopy(number), replica: number }))
    } catch {
      return []
    }
  }
}
