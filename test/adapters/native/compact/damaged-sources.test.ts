/** Store files that are damaged, or other files, when a compaction opens them: the store has them open, too. */

import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { OWN_CALL } from '../../../../src/store/call.ts'
import { StoreUnderTest, TABLE, tableOf } from '../store-under-test.ts'

/** A table with two store files. */
async function flushedTwice(): Promise<{ session: StoreUnderTest; paths: string[] }> {
  const session = await StoreUnderTest.open()
  await session.createTable(tableOf('f'))
  for (const row of ['a', 'b']) {
    await session.put([row])
    await session.flush()
  }
  return { session, paths: session.paths('/s/data') }
}

async function compact({ store }: StoreUnderTest): Promise<void> {
  const { compactions } = store.upkeep
  await compactions!.compactTable(TABLE, { major: true }, OWN_CALL)
  while ((await compactions!.compactionState(TABLE, OWN_CALL)) !== 'NONE') await nextTurn()
}

async function expectTold({ store, logged }: StoreUnderTest, path: string, reason: string): Promise<void> {
  expect(await store.damage()).toEqual([{ table: TABLE, path, reason: expect.stringContaining(reason) }])
  expect(logged).toContainEqual(expect.stringContaining(`error: ${(await store.damage())[0]!.reason}`))
  expect(logged).toContainEqual(expect.stringContaining('error: a compaction of region t,'))
}

describe('a compaction', () => {
  it('tells the damage that it finds', async () => {
    const { session, paths } = await flushedTwice()
    const files = session.fileSystem
    const bytes = Buffer.from(files.bytesOf(paths[0]!))
    bytes[40]! ^= 1
    files.replace(paths[0]!, bytes)
    await compact(session)
    await expectTold(session, paths[0]!, 'checksum')
    expect(session.paths('/s/data')).toEqual(paths)
  })

  it('tells a file that somebody has removed, and leaves what is still read', async () => {
    const { session, paths } = await flushedTwice()
    session.fileSystem.remove(paths[1]!)
    await compact(session)
    await expectTold(session, paths[1]!, 'is missing')
    expect(await session.rows()).toEqual(['a=v', 'b=v'])
  })

  it('takes no cells of a file that somebody has put in the place of another', async () => {
    const { session, paths } = await flushedTwice()
    const files = session.fileSystem
    files.replace(paths[0]!, files.bytesOf(paths[1]!))
    await compact(session)
    await expectTold(session, paths[0]!, 'contents')
    expect(session.paths('/s/data')).toEqual(paths)
    expect(await session.rows()).toEqual(['a=v', 'b=v'])
  })
})
