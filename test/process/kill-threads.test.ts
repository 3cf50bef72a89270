/** A sample of `npm run kill9 -- --threads 2`. */

import { expect, test } from 'vitest'
import { killRepeatedly } from '../harness/kill/kill-loop.ts'
import { MOVES_CONNECTIONS } from '../harness/newest-node.ts'
import { inTemporaryFolder } from '../harness/tidegate-process.ts'

test.skipIf(!MOVES_CONNECTIONS)(
  'a server with threads that is killed loses nothing, and reads beside the writers have what was acknowledged before them',
  { timeout: 120_000 },
  () =>
    inTemporaryFolder(async (folder) => {
      const options = { folder, kills: 3, lifeMsMax: 600, threads: 2, say: () => undefined }
      const { rowsRead, setAside } = await killRepeatedly(options)
      expect(rowsRead).toBeGreaterThan(0)
      expect(setAside).toEqual([])
    }),
)
