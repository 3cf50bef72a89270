/**
 * Gets that copies of regions may answer. A get that may be stale goes to the region. Where the region has failed or has not answered
 * soon, the get goes to all of its copies as well, and the first answer counts. HBase: RpcRetryingCallerWithReadReplicas.
 */

import type { Get } from '../../../src/model/query.ts'
import type { Results } from '../../../src/model/results.ts'
import type { TableName } from '../../../src/model/table-name.ts'
import type { Call } from '../../../src/store/call.ts'
import { joinedResults, type ResultCells } from '../cells/result-cells.ts'
import type { Cluster } from '../cluster/cluster.ts'
import { firstAnswer } from '../retry/first-answer.ts'
import { getMany } from './get-many.ts'

interface Answer {
  readonly results: readonly ResultCells[]
  readonly isStale: boolean
}

/** As Rows.get, from the copies that `replica` of each get names. */
export async function getFromCopies(
  cluster: Cluster,
  table: TableName,
  gets: readonly Get[],
  bytesMax: number,
  call: Call,
): Promise<Results> {
  const results: ResultCells[] = []
  const stale: boolean[] = []
  let bytes = 0
  for (const run of runsOf(gets)) {
    if (results.length > 0 && bytes >= bytesMax) break
    const { replica = 0 } = run[0]!
    const from = (copy: number, ofCall: Call): Promise<Answer> =>
      answerOf(cluster, { table, gets: run, bytesMax: bytesMax - bytes, copy }, ofCall)
    const answer = await (replica === 'any' ? soonest(cluster, table, run, from, call) : from(replica, call))
    for (const result of answer.results) {
      results.push(result)
      stale.push(answer.isStale)
      bytes += result.cells.byteLength
    }
    if (answer.results.length < run.length) break
  }
  return { ...joinedResults(results), stale }
}

/** Runs of neighbouring gets that the same copies answer. */
function runsOf(gets: readonly Get[]): Get[][] {
  const runs: Get[][] = []
  for (const get of gets) {
    const last = runs.at(-1)
    if (last !== undefined && last[0]!.replica === get.replica) last.push(get)
    else runs.push([get])
  }
  return runs
}

interface Asked {
  readonly table: TableName
  readonly gets: readonly Get[]
  readonly bytesMax: number
  /** 0: the regions themselves. */
  readonly copy: number
}

async function answerOf(
  cluster: Cluster,
  { table, gets, bytesMax, copy }: Asked,
  call: Call,
): Promise<Answer> {
  return { results: await getMany(cluster, table, gets, bytesMax, call, copy), isStale: copy > 0 }
}

/** The first answer of the regions or their copies. Throws the failure of the regions where all fail. */
function soonest(
  cluster: Cluster,
  table: TableName,
  gets: readonly Get[],
  from: (copy: number, call: Call) => Promise<Answer>,
  call: Call,
): Promise<Answer> {
  return firstAnswer({
    askFirst: (own) => from(0, own),
    askOthers: async (own) => {
      const copies = await copiesOf(cluster, table, gets[0]!.row, own)
      return copies.map((copy) => from(copy, own))
    },
    waitMs: cluster.options.primaryGetMicros / 1_000,
    time: cluster.retrier.time,
    call,
  })
}

/** The numbers of the copies of the row's region; none where hbase:meta does not answer. */
async function copiesOf(
  { locator, retrier, targets }: Cluster,
  table: TableName,
  row: Buffer,
  call: Call,
): Promise<number[]> {
  try {
    const attempt = retrier.attempt(1, retrier.deadline(call), call)
    const { copies = [] } = await targets.withCopies(() => locator.locate(table, row, attempt))
    return copies.map(({ replica }) => replica)
  } catch {
    return []
  }
}
