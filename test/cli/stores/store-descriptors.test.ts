import { expect, test } from 'vitest'
import { connectionShares } from '../../../src/cli/doors/connection-shares.ts'
import { filesOfStore, openStoreFiles, openStoreFilesMax } from '../../../src/cli/stores/store-descriptors.ts'

test('store files that are open leave room for logs and jobs, and connections for all of them', () => {
  for (let limit = 256; limit < 2_000_000; limit = Math.ceil(limit * 1.07)) {
    const [ofStore, open] = [filesOfStore(limit), openStoreFilesMax(limit)]
    expect(open).toBeGreaterThanOrEqual(32)
    expect(ofStore - open).toBeGreaterThanOrEqual(32)
    const question = { doors: ['rest'], connectionsMax: 1e7, isStated: false, openFiles: 40 } as const
    const { descriptorsMax = 0 } = connectionShares({ ...question, openFilesMax: limit })
    expect(descriptorsMax + ofStore).toBeLessThanOrEqual(limit)
  }
  expect(openStoreFilesMax(1_048_576)).toBe(7680)
  expect(openStoreFiles(undefined)).toHaveProperty('openFilesMax')
})
