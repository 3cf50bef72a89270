/** The lock of a folder of backups: of processes that work, that are gone, and that wait. */

import { stat, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { lockDestination, waitForDestination } from '../../src/backup/destination-lock.ts'
import { inTemporaryFolder } from '../harness/tidegate-process.ts'

test('one process at a time works on a destination; the lock of one that is gone counts no more', async () => {
  await inTemporaryFolder(async (folder) => {
    const unlock = await lockDestination(folder)
    await expect(lockDestination(folder)).rejects.toThrow(`works on ${folder}`)
    await unlock()
    const again = await lockDestination(folder)
    await again()
    const lock = join(folder, 'lock')
    // Process 2^30 is not there.
    await writeFile(lock, JSON.stringify({ host: hostname(), pid: 2 ** 30 }))
    await (await lockDestination(folder))()
    // Its own take-over was cut off.
    await writeFile(lock, JSON.stringify({ host: hostname(), pid: 2 ** 30 }))
    await writeFile(`${lock}.takeover`, JSON.stringify({ host: hostname(), pid: 2 ** 30 }))
    await expect(lockDestination(folder)).rejects.toThrow('works on')
    await (await lockDestination(folder))()
    await writeFile(lock, JSON.stringify({ host: 'another', pid: 1 }))
    await expect(lockDestination(folder)).rejects.toThrow('process 1 on another')
    expect((await stat(lock)).isFile()).toBe(true)
  })
})

test('a command may wait for the end of another one, and says so', async () => {
  await inTemporaryFolder(async (folder) => {
    const unlock = await lockDestination(folder)
    const reasons: string[] = []
    const unlockAgain = await waitForDestination(folder, (reason) => {
      reasons.push(reason)
      void unlock()
    })
    await expect(lockDestination(folder)).rejects.toThrow(`works on ${folder}`)
    await unlockAgain()
    expect(reasons).toEqual([expect.stringContaining(`works on ${folder}`)])
    await (await waitForDestination(folder, () => expect.unreachable()))()
  })
})

test('it does not wait for a folder that is not there', async () => {
  await inTemporaryFolder(async (folder) => {
    await expect(waitForDestination(join(folder, 'none'), () => expect.unreachable())).rejects.toThrow(
      'ENOENT',
    )
  })
})
