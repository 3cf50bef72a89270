/** A sample of `npm run linearizable -- --threads 2 --clients 3`. */

import { expect, test } from 'vitest'
import { type LinearizableResult, runLinearizable } from '../harness/linearizability/run-linearizable.ts'
import { MOVES_CONNECTIONS } from '../harness/newest-node.ts'
import { inTemporaryFolder } from '../harness/tidegate-process.ts'

test.skipIf(!MOVES_CONNECTIONS)(
  'many clients of a server with threads see one object a row, also beside a kill',
  { timeout: 120_000 },
  async () => {
    let result: LinearizableResult | undefined
    await inTemporaryFolder(async (folder) => {
      const size = { processes: 1, threads: 2, clientsOfDoor: 3, seconds: 0.6, roundMs: 1000, seed: 37 }
      const said = { table: 'linearizable', say: () => undefined }
      result = await runLinearizable({ store: `native:${folder}`, ...size, ...said })
    })
    expect([result!.failures, result!.tooLong, result!.kills]).toEqual([[], 0, 1])
  },
)
