import { describe, expect, it } from 'vitest'
import { CellType } from '../../../src/model/cell.ts'
import { blockOf } from '../../../src/model/cell-block.ts'
import type { Sample } from '../../../src/model/metric.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import { numbered, rest, StoreUnderTest, TABLE, tableOf } from './store-under-test.ts'

async function outages({ store }: StoreUnderTest): Promise<readonly Sample[] | undefined> {
  return (await store.metrics()).find(({ name }) => name === 'tidegate_native_outage')?.samples
}

describe('a native store that cannot write', () => {
  it('refuses writes while the log fails, loses nothing, still reads, and goes on in a new log', async () => {
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
    await expect(session.put(['e'], { durability: 'SKIP_WAL' })).rejects.toMatchObject({
      code: 'UNAVAILABLE',
    })
    await expect(session.flush()).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    expect(await session.store.outage()).toContain('no space left on device')
    expect(await outages(session)).toEqual([{ labels: { cause: 'ENOSPC' }, value: 1 }])
    expect(session.logged).toContainEqual(
      expect.stringMatching(/^error: the write-ahead log cannot be written .*ENOSPC/),
    )
    expect(await session.rows()).toEqual(['a=v'])
    session.fileSystem.repair()
    await session.put(['f'])
    expect(await session.store.outage()).toBeUndefined()
    expect(await outages(session)).toEqual([])
    const all = ['a=v', 'f=v']
    expect(await session.rows()).toEqual(all)
    expect(await (await StoreUnderTest.open({}, session.fileSystem.killed())).rows()).toEqual(all)
  })

  it('tells an outage once, though a new log can be begun and only its records find no room', async () => {
    const session = await StoreUnderTest.open()
    await session.createTable(tableOf('f'))
    const told = (): string[] => session.logged.filter((line) => line.includes('write-ahead log'))
    for (let i = 0; i < 20; i++) {
      session.fileSystem.failAppends({ after: 0, writtenBytes: 3 })
      await expect(session.put(['a'])).rejects.toMatchObject({ code: 'UNAVAILABLE' })
      session.fileSystem.repair()
      expect(await session.store.outage()).toBeUndefined()
    }
    expect(told()).toEqual([expect.stringMatching(/^error: the write-ahead log cannot be written/)])
    await session.put(['b'])
    expect(told().slice(1)).toEqual(['info: the write-ahead log is written again'])
  })

  it('does not find a refused write again after a kill, though its record had reached the disk whole', async () => {
    const session = await StoreUnderTest.open()
    await session.createTable(tableOf('f'))
    await session.put(['a'])
    session.fileSystem.failAppends({ after: 0, writtenBytes: 200 })
    const outcomes = await Promise.allSettled(['b', 'c', 'd', 'e'].map((row) => session.put([row])))
    expect(outcomes.map(({ status }) => status)).toEqual(Array(4).fill('rejected'))
    expect(await session.rows()).toEqual(['a=v'])
    const reopened = await session.killed()
    expect(await reopened.rows()).toEqual(['a=v'])
    expect(reopened.logged).not.toContainEqual(expect.stringMatching(/^error/))
  })

  it('comes back when a request asks for its health', async () => {
    const session = await StoreUnderTest.open()
    await session.createTable(tableOf('f'))
    session.fileSystem.failAppends({ after: 0, writtenBytes: 0 })
    await expect(session.put(['a'])).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    session.fileSystem.repair()
    expect(await session.store.outage()).toBeUndefined()
  })

  it('has neither the cells nor the nonces of the writes that it refused', async () => {
    const session = await StoreUnderTest.open()
    await session.createTable(tableOf('f', 'g'))
    await session.put(['a'], { value: 'before' })
    await session.put(['a'], { family: 'g' })
    await session.flush()
    const scanner = await session.scanner()
    session.time++
    await session.put(['a'], { value: 'acknowledged' })
    const cells = blockOf([
      {
        row: Buffer.from('n'),
        family: Buffer.from('f'),
        qualifier: Buffer.from('q'),
        timestamp: 0n,
        type: CellType.Put,
        value: Buffer.from('0000000000000001', 'hex'),
      },
    ])
    const increment = (): Promise<unknown> =>
      session.store.rows.mutateRow(
        TABLE,
        {
          row: Buffer.from('n'),
          operations: [{ kind: 'increment', cells }],
          options: { durability: 'USE_DEFAULT' },
          nonce: { group: 1n, nonce: 7n },
        },
        OWN_CALL,
      )
    session.fileSystem.failAppends({ after: 0, writtenBytes: 3 })
    const writes = [
      session.put(['a'], { value: 'refused' }),
      session.put(['b'], { durability: 'SKIP_WAL' }),
      increment(),
    ]
    for (const { status } of await Promise.allSettled(writes)) expect(status).toBe('rejected')
    session.fileSystem.repair()
    await increment()
    await increment()
    const found = ['a=acknowledged', 'a=v', 'n=\0\0\0\0\0\0\0\u0001']
    expect(await session.rows()).toEqual(found)
    await session.flush()
    expect(await session.rows()).toEqual(found)
    expect(await rest(scanner)).toEqual(['a=before', 'a=v'])
    await scanner.close()
    expect(await (await session.killed()).rows()).toEqual(found)
  })

  it('reports a batch whose first part was lost, though the log works again at its end', async () => {
    const session = await StoreUnderTest.open()
    await session.createTable(tableOf('f'))
    session.fileSystem.failAppends({ after: 0, writtenBytes: 0 })
    const outcome = session.put(numbered(12_000)).then(
      () => 'acknowledged',
      () => 'refused',
    )
    await expect(session.put(['y'])).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    session.fileSystem.repair()
    expect(await session.store.outage()).toBeUndefined()
    expect(await outcome).toBe('refused')
    await session.put(['z'])
    expect(await session.rows()).toEqual(['z=v'])
  })

  it('goes on in the present file of the log where the next one cannot be opened', async () => {
    const session = await StoreUnderTest.open({ wal: { logBytesMax: 300, syncEveryBytes: 100 } })
    await session.createTable(tableOf('f'))
    session.fileSystem.failOpening = (path) => path.startsWith('/s/wal/')
    const rows = numbered(40)
    for (const row of rows) await session.put([row])
    expect(session.paths('/s/wal')).toHaveLength(1)
    session.fileSystem.failOpening = () => false
    for (const row of rows) await session.put([`s${row}`])
    expect(session.paths('/s/wal').length).toBeGreaterThan(2)
    expect(await (await session.killed()).rows()).toHaveLength(80)
  })

  it('serves reads from a disk that was full at its start, and writes once it is not', async () => {
    const session = await StoreUnderTest.open()
    await session.createTable(tableOf('f'))
    await session.put(['a'])
    await session.flush()
    await session.put(['b'])
    const full = session.fileSystem.killed()
    full.failAppends({ after: 0, writtenBytes: 0 })
    const again = await StoreUnderTest.open({ flushBytes: 500 }, full)
    expect(await again.rows()).toEqual(['a=v', 'b=v'])
    expect(await again.store.outage()).toContain('no space left on device')
    await expect(again.put(['c'])).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    full.repair()
    await again.put(['c'])
    expect(await (await again.killed()).rows()).toEqual(['a=v', 'b=v', 'c=v'])
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

  it('leaves no file of a flush whose file cannot be opened', async () => {
    const session = await StoreUnderTest.open()
    await session.createTable(tableOf('f'))
    await session.put(['a'])
    session.fileSystem.failOpening = (path) => /\/\d{10}$/.test(path)
    for (let attempt = 0; attempt < 3; attempt++)
      await expect(session.flush()).rejects.toMatchObject({ code: 'IO' })
    session.fileSystem.failOpening = () => false
    await session.flush()
    expect(session.paths('/s/data')).toHaveLength(1)
    expect(await session.rows()).toEqual(['a=v'])
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
