import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { NODE_FILE_SYSTEM } from '../../../../adapters/native/platform/node-file-system.ts'
import { inTemporaryFolder } from '../../../harness/tidegate-process.ts'

const FILES = 300

function callsUnderWay(): number {
  return process.getActiveResourcesInfo().filter((name) => name.startsWith('FSReq')).length
}

test('a folder of very many files is removed, with a few calls to the system under way at a time', async () => {
  await inTemporaryFolder(async (folder) => {
    const removed = join(folder, 'removed')
    mkdirSync(join(removed, 'inner'), { recursive: true })
    for (let i = 0; i < FILES; i++) writeFileSync(join(removed, i % 2 === 0 ? 'inner' : '', `${i}`), '')
    const most = { calls: 0, isOver: false }
    const looking = (async () => {
      while (!most.isOver) {
        most.calls = Math.max(most.calls, callsUnderWay())
        await new Promise(setImmediate)
      }
    })()
    await NODE_FILE_SYSTEM.removeLarge(removed)
    await NODE_FILE_SYSTEM.removeLarge(removed)
    most.isOver = true
    await looking
    expect(readdirSync(folder)).toEqual([])
    expect(most.calls).toBeLessThan(20)
  })
})
