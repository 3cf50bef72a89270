/** The examples of docs/change-feed.md, with a server that runs meanwhile. */

import { test } from 'vitest'
import { inTemporaryFolder, startTidegate } from '../harness/tidegate-process.ts'
import { makeShop } from './shop.ts'
import { expectExamples } from './transcripts.ts'

test('answer what the document says', { timeout: 120_000 }, () =>
  inTemporaryFolder(async (folder) => {
    await makeShop(`${folder}/shop`)
    const server = await startTidegate(`native:${folder}/shop`)
    try {
      const [rest, rpc] = [server.port('rest'), server.port('rpc')]
      await expectExamples('docs/change-feed.md', folder, 5, (command) =>
        command.replace('127.0.0.1:8080', `127.0.0.1:${rest}`).replace('127.0.0.1:16020', `127.0.0.1:${rpc}`),
      )
    } finally {
      await server.stop()
    }
  }),
)
