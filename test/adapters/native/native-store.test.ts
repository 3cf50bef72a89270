import { describe, expect, it } from 'vitest'
import { CellType } from '../../../src/model/cell.ts'
import { blockOf, cellsOf } from '../../../src/model/cell-block.ts'
import { MutationBatch } from '../../../src/model/mutation.ts'
import { get } from '../../../src/model/query.ts'
import { parseTableName } from '../../../src/model/table-name.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import { numbered, rest, StoreUnderTest, TABLE, tableOf } from './store-under-test.ts'

const LONG_ONE = Buffer.from('0000000000000001', 'hex')

describe('the native store', () => {
  it('gives back what was put, after kills, flushes and a close', async () => {
    const first = await StoreUnderTest.open()
    await first.createTable(tableOf('f'))
    await first.put(['b', 'a'])
    const second = await first.killed()
    expect(await second.rows()).toEqual(['a=v', 'b=v'])
    await second.put(['c'])
    await second.flush()
    expect(await second.rows()).toEqual(['a=v', 'b=v', 'c=v'])
    await second.put(['d'])
    const third = await second.killed()
    expect(await third.rows({ reversed: true })).toEqual(['d=v', 'c=v', 'b=v', 'a=v'])
    await third.store.close()
    expect(third.paths('/s/wal')).toEqual([])
    const fourth = await StoreUnderTest.open({}, third.fileSystem)
    expect(await fourth.rows()).toEqual(['a=v', 'b=v', 'c=v', 'd=v'])
    await expect(third.rows()).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  })

  it('spreads a table over regions, and reads across them', async () => {
    const session = await StoreUnderTest.open()
    const { store } = session
    await session.createTable(tableOf('f'), ['m', 'd'])
    const regions = await store.catalog.regions(TABLE, OWN_CALL)
    expect(regions.map(({ startKey, endKey }) => `${startKey.toString()}-${endKey.toString()}`)).toEqual([
      '-d',
      'd-m',
      'm-',
    ])
    await session.put(['z', 'a', 'm', 'd', 'c', 'l'])
    const all = ['a=v', 'c=v', 'd=v', 'l=v', 'm=v', 'z=v']
    expect(await session.rows()).toEqual(all)
    expect(await session.rows({ reversed: true })).toEqual(all.toReversed())
    expect(await session.rows({ limit: 4 })).toEqual(all.slice(0, 4))
    expect(await session.rows({ limit: 3, reversed: true })).toEqual(all.toReversed().slice(0, 3))
    expect(await session.rows({ startRow: Buffer.from('c'), stopRow: Buffer.from('m') })).toEqual(
      all.slice(1, 4),
    )
    expect(
      await session.rows({ startRow: Buffer.from('n'), stopRow: Buffer.from('c'), reversed: true }),
    ).toEqual(all.slice(2, 5).reverse())
    const scanner = await session.scanner()
    expect(await rest(scanner, 1)).toEqual(all)
  })

  it('lets a scanner read what was there when it was opened, over writes and flushes', async () => {
    const session = await StoreUnderTest.open()
    await session.createTable(tableOf('f'), ['m'])
    await session.put(['a', 'n'], { value: 'old' })
    const scanner = await session.scanner()
    session.time++
    await session.put(['a', 'b', 'n', 'o'], { value: 'new' })
    await session.flush()
    session.time++
    await session.put(['n'], { value: 'newest' })
    await session.flush()
    expect(await rest(scanner, 1)).toEqual(['a=old', 'n=old'])
    await scanner.close()
    expect(await session.rows()).toEqual(['a=new', 'b=new', 'n=newest', 'o=new'])
  })

  it('tells a scanner that its table was deleted and made again', async () => {
    const session = await StoreUnderTest.open()
    await session.createTable(tableOf('f'))
    await session.put(['a'])
    const scanner = await session.scanner()
    const next = scanner.next.bind(scanner, { rows: 1, bytes: 1, allowPartial: false }, OWN_CALL)
    await session.store.catalog.disableTable(TABLE, OWN_CALL)
    await expect(next()).rejects.toMatchObject({ code: 'TABLE_NOT_ENABLED' })
    await session.store.catalog.deleteTable(TABLE, OWN_CALL)
    await expect(next()).rejects.toMatchObject({ code: 'TABLE_NOT_FOUND' })
    await session.createTable(tableOf('f'))
    await expect(next()).rejects.toMatchObject({ code: 'NOT_SERVING_REGION' })
    await scanner.close()
  })

  it('answers while a flush is written', async () => {
    const session = await StoreUnderTest.open()
    await session.createTable(tableOf('f'))
    await session.put(numbered(6000), { value: 'x'.repeat(100) })
    const progress = { isFlushed: false }
    const flushed = session.flush().then(() => {
      progress.isFlushed = true
    })
    let answers = 0
    while (!progress.isFlushed) {
      await session.put(['r000005'], { value: `during ${answers}` })
      const { counts } = await session.store.rows.get(
        TABLE,
        [get(Buffer.from('r005999'))],
        { bytes: 1 },
        OWN_CALL,
      )
      expect(counts).toEqual([1])
      answers++
    }
    await flushed
    expect(answers).toBeGreaterThan(5)
    expect((await session.rows({ limit: 6 })).at(-1)).toBe(`r000005=during ${answers - 1}`)
  })

  it('flushes by itself at its size and trims the log', async () => {
    const session = await StoreUnderTest.open({
      flushBytes: 100_000,
      wal: { logBytesMax: 20_000, syncEveryBytes: 10_000 },
    })
    await session.createTable(tableOf('f'))
    for (let i = 0; i < 20; i++) await session.put(numbered(200).map((row) => `${row}-${i}`))
    await session.flush()
    expect(session.paths('/s/data').length).toBeGreaterThan(2)
    expect(session.paths('/s/wal').length).toBeLessThan(3)
    expect(await (await session.killed()).rows()).toHaveLength(4000)
  })

  it('flushes the regions that keep the oldest log when the logs are too many', async () => {
    const session = await StoreUnderTest.open({
      walBytesMax: 30_000,
      wal: { logBytesMax: 10_000, syncEveryBytes: 5000 },
    })
    await session.createTable(tableOf('f'), ['s'])
    await session.put(['idle'])
    for (let i = 0; i < 40; i++) await session.put(numbered(30).map((row) => `s${row}-${i}`))
    await session.flush()
    const bytes = session.paths('/s/wal').map((path) => session.fileSystem.bytesOf(path).length)
    expect(bytes.reduce((sum, count) => sum + count, 0)).toBeLessThan(60_000)
    expect(await session.rows({ stopRow: Buffer.from('s') })).toEqual(['idle=v'])
  })

  it('keeps one cell of several with the same key when it flushes', async () => {
    const session = await StoreUnderTest.open()
    await session.createTable(tableOf('f'))
    for (const value of ['1', '2', '3']) await session.put(['a'], { value })
    await session.flush()
    expect(await session.rows({ raw: true, maxVersions: 10 })).toEqual(['a=3'])
  })

  it('does not take from the log what is in store files', async () => {
    const session = await StoreUnderTest.open()
    await session.createTable(tableOf('f'))
    await session.put(['a'])
    await session.flush()
    const files = session.paths('/s/data')
    const again = await session.killed()
    await again.flush()
    expect(again.paths('/s/data')).toEqual(files)
    expect(await again.rows()).toEqual(['a=v'])
  })

  it('carries the life of a cell into what is appended to it', async () => {
    const session = await StoreUnderTest.open()
    await session.createTable(tableOf('f'))
    const append = (row: string): Promise<unknown> => {
      const parts = { family: Buffer.from('f'), qualifier: Buffer.from('q'), value: Buffer.from('+') }
      const cells = blockOf([
        { row: Buffer.from(row), timestamp: BigInt(session.time), type: CellType.Put, ...parts },
      ])
      const options = { durability: 'USE_DEFAULT' } as const
      return session.store.rows.mutateRow(
        TABLE,
        {
          row: Buffer.from(row),
          operations: [{ kind: 'append', cells }],
          options,
        },
        OWN_CALL,
      )
    }
    await session.put(['short'], { ttlMs: 1000 })
    await session.put(['long'])
    await session.flush()
    await append('short')
    await append('long')
    const again = await session.killed()
    again.time = session.time + 500
    expect(await again.rows()).toEqual(['long=v+', 'short=v+'])
    again.time = session.time + 1002
    expect(await again.rows()).toEqual(['long=v+'])
  })
})

describe('changes of one row', () => {
  it('wrap counters at 64 bits, exactly', async () => {
    const session = await StoreUnderTest.open()
    await session.createTable(tableOf('f'))
    const row = Buffer.from('r')
    const place = { row, family: Buffer.from('f'), qualifier: Buffer.from('q'), type: CellType.Put }
    const most = Buffer.from('7fffffffffffffff', 'hex')
    const batch = new MutationBatch().put(row, place.family, place.qualifier, most)
    batch.endMutation()
    await session.store.rows.mutate(TABLE, batch, OWN_CALL)
    const cells = blockOf([{ ...place, timestamp: 0n, value: LONG_ONE }])
    const options = { durability: 'USE_DEFAULT' } as const
    const waits = [1, 2, 3].map(() =>
      session.store.rows.mutateRow(
        TABLE,
        { row, operations: [{ kind: 'increment', cells }], options },
        OWN_CALL,
      ),
    )
    const values = (await Promise.all(waits)).map(({ results }) => cellsOf(results.cells)[0]!.value)
    expect(values.map((value) => value.toString('hex'))).toEqual([
      '8000000000000000',
      '8000000000000001',
      '8000000000000002',
    ])
  })

  it('make no cell larger than the limit, key and all', async () => {
    const session = await StoreUnderTest.open({ cellBytesMax: 100 })
    await session.createTable(tableOf('f'))
    const [row, family, qualifier] = [Buffer.from('r'), Buffer.from('f'), Buffer.from('q')]
    const append = (value: string): Promise<unknown> =>
      session.store.rows.mutateRow(
        TABLE,
        {
          row,
          operations: [
            {
              kind: 'append',
              cells: new MutationBatch().put(row, family, qualifier, Buffer.from(value)).cells.block(),
            },
          ],
          options: { durability: 'USE_DEFAULT' },
        },
        OWN_CALL,
      )
    const keyAndLengths = 4 + 8 + 2 + 1 + 1 + 1 + 1 + 8 + 1
    await append('x'.repeat(99 - keyAndLengths))
    await append('x')
    await expect(append('x')).rejects.toMatchObject({ code: 'TOO_LARGE' })
    expect(await session.rows()).toEqual([`r=${'x'.repeat(100 - keyAndLengths)}`])
  })

  it('are seen by the next at once, by readers once they are logged', async () => {
    const session = await StoreUnderTest.open()
    await session.createTable(tableOf('f'))
    const written = session.put(['a'])
    expect(await session.rows()).toEqual([])
    await written
    expect(await session.rows()).toEqual(['a=v'])
    await expect(session.store.catalog.table(parseTableName('none'), OWN_CALL)).rejects.toMatchObject({
      code: 'TABLE_NOT_FOUND',
    })
  })
})
