/** A crash between the edit that takes files away and their removal: the next start removes them, and sets none aside. */

import { describe, expect, it } from 'vitest'
import type { TableDescriptor } from '../../../../src/model/descriptor.ts'
import { OWN_CALL } from '../../../../src/store/call.ts'
import type { Store } from '../../../../src/store/store.ts'
import { CrashableFileSystem } from '../../../harness/simulation/crashable-file-system.ts'
import { StoreUnderTest, TABLE, tableOf } from '../store-under-test.ts'

type Change = (store: Store) => Promise<void>

const withoutG: TableDescriptor = tableOf('f')
const CHANGES: readonly (readonly [string, Change])[] = [
  ['a split', ({ upkeep }) => upkeep.regions!.splitTable(TABLE, Buffer.from('b'), OWN_CALL)],
  ['an alter without a family', ({ catalog }) => catalog.modifyTable(withoutG, OWN_CALL)],
  [
    'a truncation',
    async ({ catalog }) => {
      await catalog.disableTable(TABLE, OWN_CALL)
      await catalog.truncateTable(TABLE, true, OWN_CALL)
    },
  ],
  [
    'a restored snapshot',
    async ({ catalog, upkeep }) => {
      await catalog.disableTable(TABLE, OWN_CALL)
      await upkeep.snapshots!.restoreSnapshot('s', OWN_CALL)
    },
  ],
]

describe('a start after a crash', () => {
  it.each(CHANGES)('removes the files that %s has taken away', async (_, change) => {
    const files = new CrashableFileSystem()
    // Copies: that a file has another name says nothing then.
    files.hasLinks = false
    const session = await StoreUnderTest.open({}, files)
    await session.createTable(tableOf('f', 'g'))
    for (const family of ['f', 'g']) await session.put(['a', 'b', 'c'], { family })
    await session.flush()
    await session.store.upkeep.snapshots!.createSnapshot('s', TABLE, 'FLUSH', OWN_CALL)
    const before = session.paths('/s/data/').map((path) => [path, files.bytesOf(path)] as const)
    await change(session.store)
    await session.store.close()
    const gone = before.filter(([path]) => !files.exists(path))
    expect(gone.length).toBeGreaterThan(0)
    for (const [path, bytes] of gone) files.replace(path, bytes)
    const next = await StoreUnderTest.open({}, files)
    await next.store.close()
    expect(gone.filter(([path]) => files.exists(path)).map(([path]) => path)).toEqual([])
    expect(next.paths('/s/lost+found/')).toEqual([])
  })
})
