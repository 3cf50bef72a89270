import { describe, expect, it } from 'vitest'
import { DEFAULT_STOP_OPTIONS } from '../../../adapters/native/options/stop-options.ts'
import { numbered, StoreUnderTest, tableOf } from './store-under-test.ts'

/** More than any memstore takes at its beginning. */
const LONG = 'v'.repeat(200_000)

/** A table with a row in each of its regions. */
async function filled(rows: readonly string[], stop = DEFAULT_STOP_OPTIONS): Promise<StoreUnderTest> {
  const session = await StoreUnderTest.open({ stop })
  await session.createTable(tableOf('f'), rows.slice(1))
  await session.put(rows)
  return session
}

async function startsOf(session: StoreUnderTest): Promise<string[]> {
  return (await session.rows()).map((row) => row.slice(0, row.indexOf('=')))
}

function storeFiles(session: StoreUnderTest): string[] {
  return session.paths('/s/data/').filter((path) => !path.endsWith('/'))
}

describe('a stop', () => {
  it('leaves most of thousands of small regions to the log, and a start finds all rows', async () => {
    const rows = numbered(2000)
    const session = await filled(rows)
    await session.store.close()
    const { smallRegionsMax } = DEFAULT_STOP_OPTIONS
    expect(storeFiles(session)).toHaveLength(smallRegionsMax)
    const left = `^info: the next start replays \\d+ bytes of ${2000 - smallRegionsMax} regions from the log`
    expect(session.logged).toEqual([expect.stringMatching(left)])
    const again = await StoreUnderTest.open({}, session.fileSystem)
    expect(await startsOf(again)).toEqual(rows)
  })

  it('may leave the same regions to the log twice', async () => {
    const stop = { ...DEFAULT_STOP_OPTIONS, smallRegionsMax: 1 }
    const session = await filled(['a', 'b', 'c', 'd'], stop)
    await session.store.close()
    const again = await StoreUnderTest.open({ stop }, session.fileSystem)
    await again.put(['e'])
    await again.store.close()
    expect(storeFiles(session)).toHaveLength(2)
    const last = await StoreUnderTest.open({}, session.fileSystem.killed())
    expect(await startsOf(last)).toEqual(['a', 'b', 'c', 'd', 'e'])
  })

  it('flushes few regions all, and leaves no log', async () => {
    const session = await filled(['a', 'z'])
    await session.store.close()
    expect(storeFiles(session)).toHaveLength(2)
    expect(session.paths('/s/wal/')).toEqual([])
    expect(session.logged).toEqual([])
  })

  it('flushes what is worth a file, as long as there is time', async () => {
    for (const [flushMsMax, files] of [
      [3000, 3],
      [0, 0],
    ] as const) {
      const session = await filled(['a', 'b', 'c', 'd', 'e'], {
        ...DEFAULT_STOP_OPTIONS,
        smallRegionsMax: 1,
        flushMsMax,
      })
      await session.put(['c', 'd', 'e'], { value: LONG })
      await session.store.close()
      expect(storeFiles(session)).toHaveLength(files)
      const again = await StoreUnderTest.open({}, session.fileSystem)
      expect(await startsOf(again)).toEqual(['a', 'b', 'c', 'd', 'e'])
    }
  })

  it('flushes what is in no log, whatever time that takes', async () => {
    const session = await filled(['a', 'm'], { smallRegionsMax: 0, worthBytes: 1e9, flushMsMax: 0 })
    await session.put(['n'], { durability: 'SKIP_WAL' })
    await session.store.close()
    expect(storeFiles(session)).toHaveLength(1)
    const again = await StoreUnderTest.open({}, session.fileSystem)
    expect(await startsOf(again)).toEqual(['a', 'm', 'n'])
  })

  it.each([
    ['that the log has, the log keeps it', 'USE_DEFAULT', 0],
    ['that no log has, it is written all the same', 'SKIP_WAL', 1],
  ] as const)('ends flushes for which the time is over: of a row %s', async (_, durability, files) => {
    const rows = numbered(5000)
    const session = await filled([rows[0]!])
    await session.put(rows.slice(1, -1))
    await session.put(rows.slice(-1), { durability })
    // The first block of the file comes.
    session.fileSystem.failOpening = (path) => {
      if (path.includes('/data/')) session.time += 10_000
      return false
    }
    await session.store.close()
    expect(storeFiles(session)).toHaveLength(files)
    expect(session.logged).toEqual(
      files === 1
        ? []
        : [expect.stringMatching('^info: the next start replays \\d+ bytes of 1 region from the log')],
    )
    session.fileSystem.failOpening = () => false
    const again = await StoreUnderTest.open({}, session.fileSystem)
    expect(await startsOf(again)).toEqual(rows)
  })

  it('flushes all regions where a log has been removed', async () => {
    const rows = numbered(20)
    const session = await filled(rows, { ...DEFAULT_STOP_OPTIONS, smallRegionsMax: 1 })
    const [log] = session.paths('/s/wal/')
    session.fileSystem.remove(log!)
    await session.store.close()
    expect(storeFiles(session)).toHaveLength(rows.length)
    const again = await StoreUnderTest.open({}, session.fileSystem)
    expect(await startsOf(again)).toEqual(rows)
  })
})
