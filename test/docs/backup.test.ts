/** The examples of docs/backup.md, with a server that runs meanwhile, and one that is started on what they restore. */

import { expect, test } from 'vitest'
import { inTemporaryFolder, startTidegate } from '../harness/tidegate-process.ts'
import { makeShop } from './shop.ts'
import { expectExamples } from './transcripts.ts'

test('answer what the document says, and the restored store serves', { timeout: 240_000 }, () =>
  inTemporaryFolder(async (folder) => {
    await makeShop(`${folder}/shop`)
    const server = await startTidegate(`native:${folder}/shop`)
    try {
      const address = `127.0.0.1:${server.port('rpc')}`
      await expectExamples('docs/backup.md', folder, 8, (command) =>
        command.replace('127.0.0.1:16020', address),
      )
      const copy = await fetch(`http://127.0.0.1:${server.port('rest')}/orders_before/order-01999`)
      expect(copy.status).toBe(200)
    } finally {
      await server.stop()
    }
    const restored = await startTidegate(`native:${folder}/restored`)
    try {
      const row = await fetch(`http://127.0.0.1:${restored.port('rest')}/orders/order-00007`)
      expect(row.status).toBe(200)
    } finally {
      await restored.stop()
    }
  }),
)
