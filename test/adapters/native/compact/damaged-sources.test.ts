/** Store files that are damaged, or other files, when a compaction opens them: the store has them open, too. */

import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import {
  DEFAULT_NATIVE_OPTIONS,
  type NativeOptions,
} from '../../../../adapters/native/options/native-options.ts'
import { OWN_CALL } from '../../../../src/store/call.ts'
import { StoreUnderTest, TABLE, tableOf } from '../store-under-test.ts'

/** Each wake looks for compactions that are due. */
const LOOKS = { ...DEFAULT_NATIVE_OPTIONS.upkeep, wakesACheck: 1 }

/** A table with two store files. */
async function flushedTwice(
  options: Partial<NativeOptions> = {},
): Promise<{ session: StoreUnderTest; paths: string[] }> {
  const session = await StoreUnderTest.open(options)
  await session.createTable(tableOf('f'))
  for (const row of ['a', 'b']) {
    await session.put([row])
    await session.flush()
  }
  return { session, paths: session.paths('/s/data') }
}

async function lookOnce(session: StoreUnderTest): Promise<void> {
  session.wake()
  const { compactions } = session.store.upkeep
  for (let turn = 0; turn < 50; turn++) await nextTurn()
  while ((await compactions!.compactionState(TABLE, OWN_CALL)) !== 'NONE') await nextTurn()
}

function failuresOf({ logged }: StoreUnderTest): string[] {
  return logged.filter((line) => line.includes('error: a compaction of region t,'))
}

async function compact({ store }: StoreUnderTest): Promise<void> {
  const { compactions } = store.upkeep
  await compactions!.compactTable(TABLE, { major: true }, OWN_CALL)
  while ((await compactions!.compactionState(TABLE, OWN_CALL)) !== 'NONE') await nextTurn()
}

async function expectLogged({ store, logged }: StoreUnderTest, path: string, reason: string): Promise<void> {
  expect(await store.damage()).toMatchObject([
    { table: TABLE, path, reason: expect.stringContaining(reason) },
  ])
  expect(logged).toContainEqual(expect.stringContaining(`error: ${(await store.damage())[0]!.reason}`))
  expect(logged).toContainEqual(expect.stringContaining('error: a compaction of region t,'))
}

describe('a compaction', () => {
  it('reports the damage that it finds', async () => {
    const { session, paths } = await flushedTwice()
    const files = session.fileSystem
    const bytes = Buffer.from(files.bytesOf(paths[0]!))
    bytes[40]! ^= 1
    files.replace(paths[0]!, bytes)
    await compact(session)
    await expectLogged(session, paths[0]!, 'checksum')
    expect(session.paths('/s/data')).toEqual(paths)
  })

  it('is not tried again at each look before the damaged file has changed', async () => {
    const { session, paths } = await flushedTwice({ upkeep: LOOKS })
    const files = session.fileSystem
    const sound = Buffer.from(files.bytesOf(paths[0]!))
    const damaged = Buffer.from(sound)
    damaged[40]! ^= 1
    files.replace(paths[0]!, damaged)
    session.time += 30 * 86_400_000
    for (let look = 0; look < 3; look++) await lookOnce(session)
    expect(failuresOf(session)).toHaveLength(1)
    files.replace(paths[0]!, sound)
    await lookOnce(session)
    expect(failuresOf(session)).toHaveLength(1)
    expect(session.logged).toContainEqual(expect.stringContaining(`info: over: ${paths[0]} kept`))
    expect(session.paths('/s/data')).toHaveLength(1)
    expect(await session.rows()).toEqual(['a=v', 'b=v'])
  })

  it('tells a file that somebody has removed, and leaves what is still read', async () => {
    const { session, paths } = await flushedTwice()
    const bytes = Buffer.from(session.fileSystem.bytesOf(paths[1]!))
    session.fileSystem.remove(paths[1]!)
    await compact(session)
    await expectLogged(session, paths[1]!, 'is missing')
    expect(await session.rows()).toEqual(['a=v', 'b=v'])
    session.fileSystem.replace(paths[1]!, session.fileSystem.bytesOf(paths[0]!))
    await expectLogged(session, paths[1]!, 'is missing')
    session.fileSystem.replace(paths[1]!, bytes)
    expect(await session.store.damage()).toEqual([])
  })

  it.each([
    ['damaged', (bytes: Buffer): Buffer => bytes.fill(0, 40, 44)],
    ['another', (_: Buffer, other: Buffer): Buffer => other],
  ])('reports no more of a file that was %s once it is as it was', async (_, spoil) => {
    const { session, paths } = await flushedTwice()
    const files = session.fileSystem
    const [sound, other] = paths.map((path) => Buffer.from(files.bytesOf(path)))
    files.replace(paths[0]!, spoil(Buffer.from(sound!), other!))
    await compact(session)
    expect(await session.store.damage()).toHaveLength(1)
    files.replace(paths[0]!, sound!)
    expect(await session.store.damage()).toEqual([])
  })

  it('takes no cells of a file that somebody has put in the place of another', async () => {
    const { session, paths } = await flushedTwice()
    const files = session.fileSystem
    files.replace(paths[0]!, files.bytesOf(paths[1]!))
    await compact(session)
    await expectLogged(session, paths[0]!, 'contents')
    expect(session.paths('/s/data')).toEqual(paths)
    expect(await session.rows()).toEqual(['a=v', 'b=v'])
  })
})
