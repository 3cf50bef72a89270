/** A sample of `npm run linearizable`. */

import { expect, test } from 'vitest'
import { type LinearizableResult, runLinearizable } from '../harness/linearizability/run-linearizable.ts'
import { inTemporaryFolder } from '../harness/tidegate-process.ts'

const TIMEOUT_MS = 60_000

async function sample(seconds: number, hasStaleReads: boolean): Promise<LinearizableResult> {
  let result: LinearizableResult | undefined
  await inTemporaryFolder(async (folder) => {
    const store = `native:${folder}`
    const table = 'linearizable'
    const said = { say: () => undefined, processes: 1, clientsOfDoor: 2, roundMs: 500 }
    result = await runLinearizable({ ...said, store, table, seconds, seed: 37, hasStaleReads })
  })
  return result!
}

test(
  'what clients of all doors see of a server that is disturbed and killed is linearizable',
  async () => {
    const result = await sample(0.6, false)
    expect(result.failures).toEqual([])
    expect([result.kills, result.tooLong, Object.keys(result.operations).sort()]).toEqual([
      1,
      0,
      ['rest', 'rpc', 'thrift1', 'thrift2'],
    ])
    expect(result.histories).toBeGreaterThan(6)
  },
  TIMEOUT_MS,
)

test(
  'clients behind a cache with old answers are found',
  async () => {
    const { failures } = await sample(20, true)
    expect(failures[0]).toContain('not in the longest order found')
  },
  TIMEOUT_MS,
)
