/** A store that may have four store files open: reads, and scans held over all that replaces files, have the same rows. */

import { setImmediate as nextTurn } from 'node:timers/promises'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DEFAULT_COMPACTION_OPTIONS } from '../../../adapters/native/options/compaction-options.ts'
import type { Scanner } from '../../../src/gateway/reads/scanner.ts'
import { get } from '../../../src/model/query.ts'
import { gathered } from '../../../src/model/results.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import { CountingDisk } from './counting-disk.ts'
import { numbered, rest, StoreUnderTest, TABLE, tableOf } from './store-under-test.ts'

const FILES_MAX = 4
const OPTIONS = {
  openFilesMax: FILES_MAX,
  blockCacheBytes: 0,
  compaction: { ...DEFAULT_COMPACTION_OPTIONS, filesMin: 100, blockingFiles: 10_000 },
}
const ROWS = numbered(60)
const SPLIT_KEYS = ['r000020', 'r000040']
const ALL = ROWS.map((row) => `${row}=v`)

interface Held {
  readonly scanner: Scanner
  read: number
}

class Life {
  session!: StoreUnderTest
  readonly held: Held[] = []

  static async begin(): Promise<Life> {
    const life = new Life()
    life.session = await StoreUnderTest.open(OPTIONS, new CountingDisk())
    await life.session.createTable(tableOf('f'), SPLIT_KEYS)
    for (let part = 0; part < 6; part++) {
      await life.session.put(ROWS.filter((_, index) => index % 6 === part))
      await life.session.flush()
    }
    return life
  }

  storeFilesOpen(): number {
    const disk = this.session.fileSystem as CountingDisk
    return disk.openFiles().filter((path) => path.startsWith('/s/data/')).length
  }

  async #regions(): Promise<readonly { readonly name: Buffer }[]> {
    return this.session.store.catalog.regions(TABLE, OWN_CALL)
  }

  async step(name: string, choice: number): Promise<void> {
    const { store } = this.session
    const { upkeep } = store
    const regions = await this.#regions()
    const region = regions[choice % regions.length]!
    if (name === 'put') await this.session.put(ROWS.filter((_, index) => index % 7 === choice % 7))
    else if (name === 'flush') await this.session.flush()
    else if (name === 'scan') this.held.push({ scanner: await this.session.scanner(), read: 0 })
    else if (name === 'next') await this.#next(choice)
    else if (name === 'end') await this.#end(choice)
    else if (name === 'get') await this.#get(choice)
    else if (name === 'compact') await this.#compact(choice)
    else if (name === 'merge' && regions.length > 1) {
      const names = regions.slice(0, 2).map((each) => each.name)
      await upkeep.regions!.mergeRegions(names, true, OWN_CALL)
    } else if (name === 'split')
      await upkeep.regions!.splitRegion(region.name, undefined, OWN_CALL).catch(() => undefined)
    else if (name === 'snapshot')
      await upkeep
        .snapshots!.createSnapshot(`s${choice}${this.held.length}`, TABLE, 'FLUSH', OWN_CALL)
        .catch(() => undefined)
  }

  async #compact(choice: number): Promise<void> {
    const { compactions } = this.session.store.upkeep
    await compactions!.compactTable(TABLE, { major: choice % 2 === 0 }, OWN_CALL)
    while ((await compactions!.compactionState(TABLE, OWN_CALL)) !== 'NONE') await nextTurn()
  }

  async #get(choice: number): Promise<void> {
    const row = Buffer.from(ROWS[choice % ROWS.length]!)
    const found = await this.session.store.rows.get(TABLE, [get(row)], { bytes: 1e6 }, OWN_CALL)
    expect(found.counts).toHaveLength(1)
  }

  async #next(choice: number): Promise<void> {
    const held = this.held[choice % Math.max(1, this.held.length)]
    if (held === undefined) return
    held.read += await rowsOf(held.scanner, 3)
  }

  async #end(choice: number): Promise<void> {
    const [held] = this.held.splice(choice % Math.max(1, this.held.length), 1)
    if (held === undefined) return
    const { scanner, read } = held
    expect(await rest(scanner, 7)).toEqual(ALL.slice(read))
    await scanner.close()
  }

  /** Ends every scan, and starts the store anew: no file is left over. */
  async end(): Promise<void> {
    while (this.held.length > 0) await this.#end(0)
    const disk = this.session.fileSystem as CountingDisk
    await this.session.store.close()
    expect(disk.openFiles()).toEqual([])
    const next = await StoreUnderTest.open(OPTIONS, disk)
    expect(await next.rows()).toEqual(ALL)
    await next.store.close()
    expect(next.logged.filter((line) => !line.startsWith('info'))).toEqual([])
    expect(this.session.paths('/s/lost+found')).toEqual([])
  }
}

async function rowsOf(scanner: Scanner, rows: number): Promise<number> {
  const { results } = await scanner.next({ rows, bytes: 1 << 20, allowPartial: false }, OWN_CALL)
  return gathered(results).counts.length
}

const NAMES = ['put', 'flush', 'scan', 'next', 'next', 'end', 'get', 'compact', 'merge', 'split', 'snapshot']

describe('a store with few descriptors', () => {
  it('reads the same rows whatever replaces its files, and opens no more of them than it may', async () => {
    const steps = fc.array(fc.tuple(fc.constantFrom(...NAMES), fc.nat(30)), { minLength: 5, maxLength: 15 })
    await fc.assert(
      fc.asyncProperty(steps, async (list) => {
        const life = await Life.begin()
        for (const [name, choice] of list) {
          await life.step(name, choice)
          expect(life.storeFilesOpen()).toBeLessThanOrEqual(FILES_MAX)
        }
        await life.end()
      }),
      { numRuns: 6 },
    )
  })

  it('starts with hundreds of files, and removes those of a dropped table although a scan of it is open', async () => {
    const session = await StoreUnderTest.open(OPTIONS, new CountingDisk())
    await session.createTable(tableOf('f'), numbered(50).slice(1))
    for (let round = 0; round < 3; round++) {
      await session.put(numbered(50), { value: `${round}` })
      await session.flush()
    }
    await session.store.close()
    const next = await StoreUnderTest.open(OPTIONS, session.fileSystem)
    expect(next.paths('/s/data')).toHaveLength(150)
    const expected = numbered(50).map((row) => `${row}=2`)
    expect(await next.rows()).toEqual(expected)
    const disk = next.fileSystem as CountingDisk
    expect(disk.openFiles().filter((path) => path.startsWith('/s/data')).length).toBeLessThanOrEqual(
      FILES_MAX,
    )
    const scanner = await next.scanner()
    expect(await rowsOf(scanner, 1)).toBe(1)
    await next.store.catalog.disableTable(TABLE, OWN_CALL)
    await next.store.catalog.deleteTable(TABLE, OWN_CALL)
    while (next.paths('/s/data').length > 0) await nextTurn()
    await expect(rowsOf(scanner, 1)).rejects.toMatchObject({ code: 'TABLE_NOT_FOUND' })
    await next.createTable(tableOf('f'))
    await next.put(['a'])
    await next.flush()
    expect(next.paths('/s/data')).toHaveLength(1)
    expect(await next.rows()).toEqual(['a=v'])
    await next.store.close()
    expect(disk.openFiles()).toEqual([])
  })

  it.each(['EMFILE', 'EIO'])(
    'fails a read that cannot open its file (%s) and no other, until it can',
    async (code) => {
      const life = await Life.begin()
      const { session } = life
      const disk = session.fileSystem as CountingDisk
      disk.failOpening = (path) => {
        if (path.startsWith('/s/data/')) throw Object.assign(new Error(`${code}: open ${path}`), { code })
        return false
      }
      await expect(session.rows()).rejects.toMatchObject({
        code: 'IO',
        message: expect.stringContaining(code),
      })
      expect((await session.store.damage()).length).toBeGreaterThan(0)
      await session.put(['r000000'])
      disk.failOpening = () => false
      expect(await session.rows()).toEqual(ALL)
      expect(await session.store.damage()).toEqual([])
      await session.store.close()
    },
  )
})
