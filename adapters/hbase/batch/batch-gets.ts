import type { Get } from '../../../src/model/query.ts'
import type { TableName } from '../../../src/model/table-name.ts'
import { NO_CELLS, type ResultCells, ResultCellsReader } from '../cells/result-cells.ts'
import { MULTI } from '../messages/multi-method.ts'
import type { RpcConnection } from '../rpc/rpc-connection.ts'
import type { RegionGroup } from './region-groups.ts'
import type { Batch, FailedItems } from './run-batch.ts'
import { unanswered } from './unanswered.ts'

/** Bytes of a get in a request, about. */
const GET_BYTES = 100

export class BatchGets implements Batch {
  readonly operation: string
  readonly table: TableName
  readonly length: number
  /** By index; those of gets that failed have no cells. */
  readonly results: ResultCells[]
  readonly #gets: readonly Get[]

  constructor(table: TableName, gets: readonly Get[]) {
    this.operation = `get of ${table}`
    this.table = table
    this.length = gets.length
    this.results = gets.map(() => NO_CELLS)
    this.#gets = gets
  }

  rowOf(index: number): Buffer {
    return this.#gets[index]!.row
  }

  bytesOf(index: number): number {
    return this.rowOf(index).length + GET_BYTES
  }

  async call(
    connection: RpcConnection,
    groups: readonly RegionGroup[],
    timeoutMs: number,
  ): Promise<readonly FailedItems[]> {
    const regionActions = groups.map(({ region, items }) => ({
      regionName: region.name,
      gets: items.map((index) => this.#gets[index]!),
    }))
    const answer = await connection.call(MULTI, { regionActions, nonceGroup: 0n }, { timeoutMs })
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
    return failed
  }
}
