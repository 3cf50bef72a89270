import type { Get } from '../../../src/model/query.ts'
import { type Target, targetTable } from '../../../src/store/target.ts'
import { type ResultCells, ResultCellsReader } from '../cells/result-cells.ts'
import { MULTI } from '../messages/multi-method.ts'
import type { CallOptions, RpcConnection } from '../rpc/rpc-connection.ts'
import type { RegionGroup } from './region-groups.ts'
import type { Batch, FailedItems } from './run-batch.ts'
import { unanswered } from './unanswered.ts'

/** Approximate bytes of a get in a request, beside its row. */
const GET_BYTES = 100

export class BatchGets implements Batch {
  readonly operation: string
  readonly rowOperation = 'Get'
  readonly target: Target
  readonly replica: number
  readonly length: number
  /** The results by the get's index; undefined for an unanswered get. */
  readonly results: (ResultCells | undefined)[]
  /** The number of answered gets from the first on, up to the one that reaches `bytesMax`. */
  answered = 0
  /** Bytes of the cells of the `answered` gets. */
  answeredBytes = 0
  readonly #gets: readonly Get[]
  readonly #bytesMax: number

  /** Once the first gets have brought `bytesMax` bytes of cells, the batch sends no more gets. */
  constructor(
    target: Target,
    gets: readonly Get[],
    bytesMax: number = Number.POSITIVE_INFINITY,
    replica = 0,
  ) {
    this.operation = `get of ${targetTable(target)}`
    this.target = target
    this.replica = replica
    this.length = gets.length
    this.results = gets.map(() => undefined)
    this.#gets = gets
    this.#bytesMax = bytesMax
  }

  rowOf(index: number): Buffer {
    return this.#gets[index]!.row
  }

  bytesOf(index: number): number {
    return this.rowOf(index).length + GET_BYTES
  }

  get isEnough(): boolean {
    return this.answeredBytes >= this.#bytesMax
  }

  async call(
    connection: RpcConnection,
    groups: readonly RegionGroup[],
    options: CallOptions,
  ): Promise<readonly FailedItems[]> {
    const regionActions = groups.map(({ region, items }) => ({
      regionName: region.name,
      gets: items.map((index) => this.#gets[index]!),
    }))
    const answer = await connection.call(MULTI, { regionActions, nonceGroup: 0n }, options)
    const failed: FailedItems[] = []
    const cells = new ResultCellsReader(answer.cells)
    for (const [position, { region, items }] of groups.entries()) {
      const { exception, results = [] } = answer.message[position] ?? {}
      if (exception !== undefined) failed.push({ region, items, error: exception })
      else failed.push(...unanswered(region, items, results))
      for (const { index, result, exception: error } of results) {
        const item = items[index]!
        if (error !== undefined) failed.push({ region, items: [item], error })
        else this.results[item] = cells.next(result)
      }
    }
    this.#count()
    return failed
  }

  #count(): void {
    for (; !this.isEnough && this.answered < this.length; this.answered++) {
      const result = this.results[this.answered]
      if (result === undefined) return
      this.answeredBytes += result.cells.byteLength
    }
  }
}
