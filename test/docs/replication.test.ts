/** The examples of docs/replication.md, with two servers that run meanwhile. */

import { test } from 'vitest'
import { inTemporaryFolder, startTidegate } from '../harness/tidegate-process.ts'
import { makeShop } from './shop.ts'
import { expectExamples } from './transcripts.ts'

test('answer what the document says', { timeout: 120_000 }, () =>
  inTemporaryFolder(async (folder) => {
    await makeShop(`${folder}/shop`)
    const source = await startTidegate(`native:${folder}/shop`)
    const target = await startTidegate(`native:${folder}/second`)
    try {
      const [rpc, zookeeper] = [source.port('rpc'), target.port('zookeeper')]
      await expectExamples('docs/replication.md', folder, 3, (command) =>
        command
          .replace('127.0.0.1:16020', `127.0.0.1:${rpc}`)
          .replace('127.0.0.1:2182', `127.0.0.1:${zookeeper}`),
      )
    } finally {
      await Promise.all([source.stop(), target.stop()])
    }
  }),
)
