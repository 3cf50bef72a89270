import { expect, test } from 'vitest'
import type { OpenFile } from '../../../../adapters/native/platform/file-system.ts'
import { CoalescedSync } from '../../../../adapters/native/wal/coalesced-sync.ts'

test('a sync after one that failed does not say what the disk has: Linux reports a lost page once', async () => {
  let [bytes, fails] = [100, false]
  const file = {
    sync: async () => {
      if (fails) throw new Error('EIO')
    },
  } as unknown as OpenFile
  const syncer = new CoalescedSync(file, () => bytes)
  await syncer.sync()
  expect(syncer.syncedBytes).toBe(100)
  bytes = 200
  fails = true
  await expect(syncer.sync()).rejects.toThrow('EIO')
  fails = false
  await syncer.sync()
  expect(syncer.syncedBytes).toBe(100)
})
