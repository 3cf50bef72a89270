/** What the engine does because time has passed. */

import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { DEFAULT_NATIVE_OPTIONS } from '../../../adapters/native/options/native-options.ts'
import { isOffPeakHour } from '../../../adapters/native/options/upkeep-options.ts'
import { familyDescriptor, tableDescriptor } from '../../../src/model/descriptor.ts'
import { parseTableName } from '../../../src/model/table-name.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import { numbered, StoreUnderTest, TABLE, tableOf } from './store-under-test.ts'

const OTHER = parseTableName('other')
const HOUR = 3_600_000
const DAY = 24 * HOUR
/** Every wake looks for compactions. */
const UPKEEP = { ...DEFAULT_NATIVE_OPTIONS.upkeep, wakesACheck: 1 }

/** Wakes the engine, and waits for what comes of it. */
async function wake(session: StoreUnderTest): Promise<void> {
  session.wake()
  const { compactions } = session.store.upkeep
  for (let turn = 0; turn < 50; turn++) await nextTurn()
  while ((await compactions!.compactionState(TABLE, OWN_CALL)) !== 'NONE') await nextTurn()
}

describe('as time passes', () => {
  it('cells are flushed within an hour and five minutes', async () => {
    const session = await StoreUnderTest.open({ upkeep: UPKEEP })
    await session.createTable(tableOf('f'))
    await session.put(['a'])
    await wake(session)
    session.time += HOUR
    await wake(session)
    expect(session.paths('/s/data')).toEqual([])
    session.time += 5 * 60_000
    await wake(session)
    expect(session.paths('/s/data')).toHaveLength(1)
  })

  it('cells of a region that was flushed meanwhile are as young as the flush', async () => {
    const session = await StoreUnderTest.open({ upkeep: UPKEEP })
    await session.createTable(tableOf('f'))
    await session.put(['a'])
    await wake(session)
    session.time += HOUR
    await session.flush()
    await session.put(['b'])
    session.time += HOUR / 2
    await wake(session)
    expect(session.paths('/s/data')).toHaveLength(1)
  })

  it('and with a period of 0, cells stay in memory', async () => {
    const session = await StoreUnderTest.open({ upkeep: { ...UPKEEP, flushAgeMs: 0 } })
    await session.createTable(tableOf('f'))
    await session.put(['a'])
    await wake(session)
    session.time += 10 * DAY
    await wake(session)
    expect(session.paths('/s/data')).toEqual([])
  })

  it('files are compacted once a week, and their surplus versions go', async () => {
    const session = await StoreUnderTest.open({ upkeep: UPKEEP })
    await session.createTable(tableOf('f'))
    for (const value of ['1', '2']) {
      session.time++
      await session.put(['a'], { value })
      await session.flush()
    }
    session.time += 2 * DAY
    await wake(session)
    expect(session.paths('/s/data')).toHaveLength(2)
    session.time += 9 * DAY
    await wake(session)
    expect(session.paths('/s/data')).toHaveLength(1)
    expect(await session.rows({ raw: true, maxVersions: 10 })).toEqual(['a=2'])
  })

  it('files whose cells have all expired go, though nobody writes', async () => {
    const session = await StoreUnderTest.open({ upkeep: UPKEEP })
    await session.createTable(tableDescriptor(TABLE, [familyDescriptor('f', [['TTL', '60']])]))
    for (const row of ['a', 'b']) {
      await session.put([row])
      await session.flush()
    }
    session.time += HOUR
    await wake(session)
    expect(session.paths('/s/data')).toHaveLength(1)
  })

  it('snapshots go whose time to live is over, though nobody asks for them', async () => {
    const session = await StoreUnderTest.open({ upkeep: { ...UPKEEP, snapshotCleanMs: 1 } })
    await session.createTable(tableOf('f'))
    await session.put(['a'])
    const { snapshots } = session.store.upkeep
    await snapshots!.createSnapshot('s', TABLE, 'FLUSH', OWN_CALL, { timeToLiveSeconds: 60n })
    await snapshots!.createSnapshot('kept', TABLE, 'FLUSH', OWN_CALL)
    const before = session.paths('/s/snapshots').length
    session.time += 59_999
    await wake(session)
    expect(session.paths('/s/snapshots')).toHaveLength(before)
    session.time++
    await wake(session)
    expect(session.paths('/s/snapshots')).toHaveLength(before / 2)
  })

  it('a flush that waits for a compaction goes ahead after blockingWaitTime', async () => {
    const compaction = { ...DEFAULT_NATIVE_OPTIONS.compaction, blockingFiles: 1, filesMin: 100 }
    const session = await StoreUnderTest.open({
      flushBytes: 1000,
      blockMultiplier: 1000,
      upkeep: UPKEEP,
      compaction,
    })
    await session.createTable(tableOf('f'))
    for (const row of ['a', 'b']) {
      await session.put([row])
      await session.flush()
    }
    await session.put(numbered(20))
    await wake(session)
    expect(session.paths('/s/data')).toHaveLength(2)
    session.time += 90_000
    await wake(session)
    expect(session.paths('/s/data')).toHaveLength(3)
  })
})

describe('files of a family that is compacted by time', () => {
  it('stay apart by the windows of their cells', async () => {
    const attributes: [string, string][] = [
      ['hbase.hstore.engine.class', 'org.apache.hadoop.hbase.regionserver.DateTieredStoreEngine'],
      ['hbase.hstore.compaction.date.tiered.base.window.millis', String(HOUR)],
    ]
    const session = await StoreUnderTest.open()
    await session.createTable(tableDescriptor(TABLE, [familyDescriptor('f')], attributes))
    session.time = 1_700_000_000_000
    for (let hour = 0; hour < 3; hour++) {
      session.time += HOUR
      await session.put([`r${hour}`, 'again'], { value: String(hour) })
      await session.flush()
    }
    const { compactions } = session.store.upkeep
    await compactions!.compactTable(TABLE, { major: true }, OWN_CALL)
    while ((await compactions!.compactionState(TABLE, OWN_CALL)) !== 'NONE') await nextTurn()
    expect(session.paths('/s/data').length).toBeGreaterThan(1)
    expect(await session.rows()).toEqual(['again=2', 'r0=0', 'r1=1', 'r2=2'])
    const reopened = await session.killed()
    expect(await reopened.rows()).toEqual(['again=2', 'r0=0', 'r1=1', 'r2=2'])
  })
})

describe('a log that another program has', () => {
  it.each<[string, (session: StoreUnderTest, log: string) => void]>([
    ['removed', ({ fileSystem }, log) => fileSystem.remove(log)],
    ['cut', ({ fileSystem }, log) => fileSystem.open(log, 'append').truncate(20)],
  ])('%s is reported, and nothing is lost', async (_, change) => {
    const session = await StoreUnderTest.open({ upkeep: UPKEEP })
    await session.createTable(tableOf('f'))
    await session.put(['a'])
    const [log] = session.paths('/s/wal').slice(-1)
    change(session, log!)
    await wake(session)
    expect(session.logged.filter((line) => line.startsWith('error'))).toEqual([
      expect.stringContaining('another program has changed it'),
    ])
    await session.put(['b'])
    expect(session.paths('/s/wal')).toHaveLength(1)
    const reopened = await session.killed()
    expect(await reopened.rows()).toEqual(['a=v', 'b=v'])
  })
})

describe('a manifest that another program has', () => {
  type Change = (session: StoreUnderTest) => void
  it.each<[string, Change]>([
    [
      'removed with its copy',
      ({ fileSystem }): void => {
        fileSystem.remove('/s/manifest')
        fileSystem.remove('/s/manifest.copy')
      },
    ],
    [
      'emptied with its copy',
      ({ fileSystem }): void => {
        for (const path of ['/s/manifest', '/s/manifest.copy']) fileSystem.open(path, 'append').truncate(0)
      },
    ],
    ['removed', ({ fileSystem }): void => fileSystem.remove('/s/manifest')],
    [
      'put in the place of its copy',
      ({ fileSystem }): void => fileSystem.replace('/s/manifest.copy', Buffer.alloc(3)),
    ],
    [
      'replaced by a folder',
      ({ fileSystem }): void => {
        fileSystem.remove('/s/manifest')
        fileSystem.makeDirectory('/s/manifest')
      },
    ],
  ])('%s is reported once and written anew', async (_, change) => {
    const session = await StoreUnderTest.open({ upkeep: UPKEEP })
    await session.createTable(tableOf('f'))
    await session.put(['a'])
    change(session)
    await wake(session)
    await wake(session)
    expect(session.logged.filter((line) => line.startsWith('error'))).toEqual([
      expect.stringContaining('another program has changed it; manifest and copy are written anew'),
    ])
    await session.put(['b'])
    await session.flush()
    const reopened = await session.killed()
    expect(await reopened.rows()).toEqual(['a=v', 'b=v'])
    expect(reopened.logged.filter((line) => line.startsWith('error'))).toEqual([])
  })
})

const LOST = expect.stringContaining('the store has lost its folder (/s/LOCK is gone)')

/** A store whose lock another program has removed. */
async function robbed(): Promise<StoreUnderTest> {
  const session = await StoreUnderTest.open({ upkeep: UPKEEP })
  await session.createTable(tableOf('f'))
  await session.put(['a'])
  session.fileSystem.lockLoss = (directory) => `${directory}/LOCK is gone`
  return session
}

describe('a folder whose lock another program has removed', () => {
  it('takes no writes after the next look, which is told once', async () => {
    const session = await robbed()
    await wake(session)
    await wake(session)
    expect(session.logged.filter((line) => line.startsWith('error'))).toEqual([LOST])
    await expect(session.put(['b'])).rejects.toMatchObject({ code: 'UNAVAILABLE', message: LOST })
    expect((await session.store.outage()) ?? '').toContain('the store has lost its folder')
    expect(await session.rows()).toEqual(['a=v'])
  })

  it('is left as it is: nothing is written to its manifest', async () => {
    const session = await robbed()
    const manifest = session.fileSystem.bytesOf('/s/manifest')
    await expect(session.createTable(tableDescriptor(OTHER, [familyDescriptor('f')]))).rejects.toThrow(
      'the store has lost its folder',
    )
    session.fileSystem.remove('/s/manifest.copy')
    await wake(session)
    await expect(session.store.close()).rejects.toThrow('the store has lost its folder')
    expect(session.fileSystem.bytesOf('/s/manifest')).toEqual(manifest)
    expect(session.paths('/s/manifest')).toEqual(['/s/manifest'])
    expect(session.paths('/s/data')).toEqual([])
  })
})

it('a look at the files that the disk fails ends no server, and keeps nobody from looking at the others', async () => {
  const before = await StoreUnderTest.open({ upkeep: UPKEEP })
  await before.createTable(tableOf('f'))
  await before.put(['a'])
  await before.flush()
  const fileSystem = before.fileSystem.killed()
  fileSystem.failOpening = (path) => path.startsWith('/s/data')
  const session = await StoreUnderTest.open({ upkeep: UPKEEP }, fileSystem)
  expect(await session.store.damage()).toHaveLength(1)
  fileSystem.failOpening = () => false
  fileSystem.exists = (path) => {
    throw new Error(`EIO: i/o error, stat ${path}`)
  }
  await wake(session)
  expect(session.logged.filter((line) => line.startsWith('warn'))).toEqual([
    'warn: the files of the manifest could not be looked at',
    'warn: the files of the write-ahead log could not be looked at',
    'warn: the files of the last check could not be looked at',
  ])
  expect(await session.store.damage()).toEqual([])
})

function offPeakHours(start: number, end: number): number[] {
  const upkeep = { ...UPKEEP, offPeakStartHour: start, offPeakEndHour: end }
  return Array.from({ length: 24 }, (_, hour) => hour).filter((hour) => isOffPeakHour(hour, upkeep))
}

it('off-peak hours may go over midnight', () => {
  expect(offPeakHours(22, 2)).toEqual([0, 1, 22, 23])
  expect(offPeakHours(2, 4)).toEqual([2, 3])
  expect(offPeakHours(-1, -1)).toEqual([])
  expect(offPeakHours(3, 24)).toEqual([])
})
