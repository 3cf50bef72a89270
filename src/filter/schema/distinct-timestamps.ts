import { mapInSteps, type Steps, sortInSteps } from '../../model/steps.ts'

/** The timestamps in ascending order, each once. HBase: the TreeSet of TimestampsFilter. */
export function* distinctTimestamps(timestamps: readonly bigint[]): Steps<bigint[]> {
  const sorted = yield* sortInSteps(timestamps, (a, b) => (a < b ? -1 : a > b ? 1 : 0))
  const distinct: bigint[] = []
  yield* mapInSteps(sorted, (timestamp) => {
    if (distinct.at(-1) !== timestamp) distinct.push(timestamp)
  })
  return distinct
}
