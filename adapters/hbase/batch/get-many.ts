import type { Get } from '../../../src/model/query.ts'
import type { Call } from '../../../src/store/call.ts'
import type { Target } from '../../../src/store/target.ts'
import type { ResultCells } from '../cells/result-cells.ts'
import type { Cluster } from '../cluster/cluster.ts'
import { BatchGets } from './batch-gets.ts'
import { runBatch } from './run-batch.ts'

/** Estimated size of a row before the first answer. */
const ROW_BYTES = 64 * 1024

/**
 * Results of the gets from the first on, at least one, until their cells reach `bytesMax`. The protocol has no such limit for
 * gets, so this sends them in rounds that are likely to stay below it. Throws the failure of the first get that fails.
 * `replica`: as Batch.replica.
 */
export async function getMany(
  cluster: Cluster,
  target: Target,
  gets: readonly Get[],
  bytesMax: number,
  call: Call,
  replica?: number,
): Promise<readonly ResultCells[]> {
  const deadline = cluster.retrier.deadline(call)
  const results: ResultCells[] = []
  let rowBytes = ROW_BYTES
  let bytes = 0
  while (results.length < gets.length && (results.length === 0 || bytes < bytesMax)) {
    const left = Math.max(1, bytesMax - bytes)
    const wanted = Math.ceil(left / rowBytes)
    const round = gets.slice(results.length, results.length + wanted)
    const batch = new BatchGets(target, round, left, replica)
    const [failure] = await runBatch(cluster, batch, call, deadline)
    if (failure !== undefined && !batch.isEnough) throw failure.error
    for (const result of batch.results.slice(0, batch.answered)) results.push(result!)
    bytes += batch.answeredBytes
    // Twice the average so far: rows differ in size.
    rowBytes = Math.max(1, (2 * bytes) / results.length)
  }
  return results
}
