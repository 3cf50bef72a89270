/**
 * Gets that copies of regions may answer. One that may be stale goes to the region, and to all copies of it as well where the region has
 * failed or has not answered soon; the first answer counts. HBase: RpcRetryingCallerWithReadReplicas.
 */

import type { Get } from '../../../src/model/query.ts'
import type { Results } from '../../../src/model/results.ts'
import type { TableName } from '../../../src/model/table-name.ts'
import type { Call } from '../../../src/store/call.ts'
import { joinedResults, type ResultCells } from '../cells/result-cells.ts'
import type { Cluster } from '../cluster/cluster.ts'
import type { Time } from '../retry/time.ts'
import { getMany } from './get-many.ts'

interface Answer {
  readonly results: readonly ResultCells[]
  readonly isStale: boolean
}

/** As Rows.get, by `replica` of each get. */
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

/** Neighbours that the same copies answer. */
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

/** The first answer; the calls that it was faster than are cancelled. Throws the failure of the regions where all fail. */
async function soonest(
  cluster: Cluster,
  table: TableName,
  gets: readonly Get[],
  from: (copy: number, call: Call) => Promise<Answer>,
  call: Call,
): Promise<Answer> {
  const lost = new AbortController()
  const signal = call.signal === undefined ? lost.signal : AbortSignal.any([call.signal, lost.signal])
  const own = { ...call, signal }
  const ofRegions = from(0, own)
  try {
    const waitMs = cluster.options.primaryGetMicros / 1_000
    const inTime = await withinMs(ofRegions, waitMs, cluster.retrier.time)
    if (inTime !== undefined) return inTime
    const ofCopies = copiesOf(cluster, table, gets[0]!.row, own).then((copies) =>
      copies.length === 0 ? ofRegions : Promise.any(copies.map((copy) => from(copy, own))),
    )
    return await Promise.any([ofRegions, ofCopies])
  } catch (error) {
    throw error instanceof AggregateError ? error.errors[0] : error
  } finally {
    lost.abort()
  }
}

/** Undefined where it has failed, or has not come in time. */
function withinMs<T>(promise: Promise<T>, ms: number, time: Time): Promise<T | undefined> {
  return new Promise((resolve) => {
    const cancel = time.after(ms, () => resolve(undefined))
    const failed = (): void => resolve(undefined)
    promise.then(resolve, failed).finally(cancel)
  })
}

/** The numbers of the copies of the row's region; none where hbase:meta does not answer. */
async function copiesOf(
  { locator, retrier }: Cluster,
  table: TableName,
  row: Buffer,
  call: Call,
): Promise<number[]> {
  try {
    const region = await locator.locate(table, row, retrier.attempt(1, retrier.deadline(call), call))
    return region.copies?.map(({ replica }) => replica) ?? []
  } catch {
    return []
  }
}
