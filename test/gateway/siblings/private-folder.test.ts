import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Siblings } from '../../../src/gateway/siblings/siblings.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tidegate-siblings-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

async function listening(): Promise<boolean> {
  const siblings = new Siblings({ slot: 1, startedAt: 1, folder })
  const server = createServer()
  try {
    await siblings.listen(server, 'rpc')
    const address = new Siblings({ slot: 2, startedAt: 1, folder }).holderOf(
      siblings.scannerIds.first,
      'rpc',
    )!
    await new Promise((resolve, reject) => {
      const socket = connect(address, () => resolve(socket.destroy())).once('error', reject)
    })
    return true
  } finally {
    server.close()
  }
}

test('siblings reach a process in a folder of its user alone', async () => {
  expect(await listening()).toBe(true)
})

test.runIf(process.getuid !== undefined).each([0o711, 0o770, 0o755, 0o701])(
  'nothing listens in a folder of the mode %o, which others may enter',
  async (mode) => {
    chmodSync(folder, mode)
    await expect(listening()).rejects.toThrow('may be entered by others than its user')
  },
)
