import { describe, expect, it } from 'vitest'
import { OWN_CALL } from '../../../src/store/call.ts'
import { numbered, StoreUnderTest, TABLE, tableOf } from './store-under-test.ts'

describe('a native store that cannot write', () => {
  it('refuses all writes after the log has failed, loses nothing, and still reads', async () => {
    const session = await StoreUnderTest.open()
    await session.createTable(tableOf('f'))
    await session.put(['a'])
    session.fileSystem.failAppends({ after: 0, writtenBytes: 30 })
    const outcomes = await Promise.allSettled([session.put(['b']), session.put(['c']), session.put(['d'])])
    for (const outcome of outcomes) {
      expect(outcome).toMatchObject({
        status: 'rejected',
        reason: { code: 'UNAVAILABLE', message: expect.stringContaining('no space left on device') },
      })
    }
    session.fileSystem.repair()
    await expect(session.put(['e'], { durability: 'SKIP_WAL' })).rejects.toMatchObject({
      code: 'UNAVAILABLE',
    })
    await expect(session.flush()).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    expect(await session.rows()).toEqual(['a=v'])
    await session.store.close()
    expect(await (await StoreUnderTest.open({}, session.fileSystem)).rows()).toEqual(['a=v'])
  })

  it('keeps the snapshot of a flush that failed, and flushes it later', async () => {
    const session = await StoreUnderTest.open()
    await session.createTable(tableOf('f', 'g'))
    await session.put(['a'])
    await session.put(['a'], { family: 'g' })
    session.fileSystem.failAppends({ after: 3, writtenBytes: 0 })
    await expect(session.flush()).rejects.toMatchObject({ code: 'IO' })
    session.fileSystem.repair()
    expect(session.paths('/s/data')).toEqual([])
    await session.put(['b'])
    expect(await session.rows()).toEqual(['a=v', 'a=v', 'b=v'])
    await session.flush()
    expect(session.paths('/s/data')).toHaveLength(3)
    expect(await (await session.killed()).rows()).toEqual(['a=v', 'a=v', 'b=v'])
  })

  it('refuses changes of tables that it cannot record, and knows nothing of them', async () => {
    const session = await StoreUnderTest.open()
    session.fileSystem.failAppends({ after: 0, writtenBytes: 5 })
    await expect(session.createTable(tableOf('f'))).rejects.toMatchObject({ code: 'IO' })
    session.fileSystem.repair()
    expect(await session.store.catalog.tableExists(TABLE, OWN_CALL)).toBe(false)
    await session.createTable(tableOf('f'))
    expect(await (await session.killed()).store.catalog.tableExists(TABLE, OWN_CALL)).toBe(true)
  })

  it('is too busy where flushes fail and memory runs out, and recovers when they work again', async () => {
    const session = await StoreUnderTest.open({
      flushBytes: 20_000,
      blockMultiplier: 3,
      memstoreBytesMax: 1 << 30,
    })
    await session.createTable(tableOf('f'))
    const value = 'x'.repeat(1000)
    const fail = session.fileSystem.open.bind(session.fileSystem)
    session.fileSystem.open = (path, mode) => {
      if (path.startsWith('/s/data')) throw new Error('ENOSPC: no space left on device')
      return fail(path, mode)
    }
    const tooBusy = async (): Promise<unknown> => {
      for (const row of numbered(200)) await session.put([row], { value })
      return undefined
    }
    await expect(tooBusy()).rejects.toMatchObject({
      code: 'REGION_TOO_BUSY',
      message: expect.stringContaining('Over memstore limit=60000 bytes'),
    })
    expect(session.logged.some((line) => line.startsWith('error: the flush of region'))).toBe(true)
    session.fileSystem.open = fail
    session.time += 60_000
    await session.put(['r000001']).catch(() => undefined)
    await session.flush()
    await session.put(['z'])
    expect(await session.rows({ startRow: Buffer.from('z') })).toEqual(['z=v'])
  })

  it('makes writes wait for a flush where all memory is used', async () => {
    const session = await StoreUnderTest.open({ memstoreBytesMax: 60_000 })
    await session.createTable(tableOf('f'), ['s'])
    const value = 'x'.repeat(1000)
    await Promise.all(numbered(300).map((row) => session.put([row, `s${row}`], { value })))
    expect(await session.rows()).toHaveLength(600)
    expect(session.paths('/s/data').length).toBeGreaterThan(2)
  })
})
