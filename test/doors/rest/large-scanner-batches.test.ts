/** A read of a stateful scanner that answers very many cells of the engine lets others have their turn. */

import { expect, test } from 'vitest'
import { startTidegate } from '../../../src/library/start-tidegate.ts'
import { longestTurnOfBestTry } from '../../harness/longest-turn.ts'
import { inTemporaryFolder } from '../../harness/tidegate-process.ts'
import { base64 } from './rest-server.ts'

const TURN_MS_MAX = 100
const CELLS = 100_000

test('a batch of 100,000 cells', async () => {
  await inTemporaryFolder(async (folder) => {
    const server = await startTidegate({ store: `native:${folder}/store` })
    const ask = (method: string, path: string, body?: string): Promise<Response> =>
      fetch(new URL(path, `http://127.0.0.1:${server.ports.rest!}`), {
        method,
        headers: { 'content-type': 'application/json', accept: 'application/json' },
        ...(body !== undefined && { body }),
      })
    try {
      await ask('PUT', '/t/schema', '{"name":"t","ColumnSchema":[{"name":"f"}]}')
      const Cell = [{ column: base64('f:q'), $: base64('value') }]
      const Row = Array.from({ length: CELLS }, (_, i) => ({ key: base64(`row${1_000_000 + i}`), Cell }))
      expect((await ask('PUT', '/t/rows', JSON.stringify({ Row }))).status).toBe(200)
      const longest = await longestTurnOfBestTry(TURN_MS_MAX, async () => {
        const opened = await ask('PUT', '/t/scanner', `{"batch":${CELLS}}`)
        const { status, body } = await ask('GET', opened.headers.get('location')!)
        let bytes = 0
        for await (const chunk of body!) bytes += (chunk as Uint8Array).length
        expect([status, bytes > CELLS * 50]).toEqual([200, true])
      })
      expect(longest).toBeLessThan(TURN_MS_MAX)
    } finally {
      await server.stop()
    }
  })
}, 60_000)
