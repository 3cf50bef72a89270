/** Files that are taken away, and not removed yet, are named by each manifest that is written anew: a start after a kill removes them. */

import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { Catalog } from '../../../../adapters/native/manifest/catalog.ts'
import { DiscardedFiles } from '../../../../adapters/native/manifest/discarded-files.ts'
import { readManifest } from '../../../../adapters/native/manifest/manifest-file.ts'
import { DEFAULT_COMPACTION_OPTIONS } from '../../../../adapters/native/options/compaction-options.ts'
import type { NativeOptions } from '../../../../adapters/native/options/native-options.ts'
import { OWN_CALL } from '../../../../src/store/call.ts'
import { StoreUnderTest, TABLE, tableOf } from '../store-under-test.ts'

const REMOVED_NAMED_MAX = 3
const FILES = 6
const OPTIONS: Partial<NativeOptions> = {
  removedNamedMax: REMOVED_NAMED_MAX,
  compaction: { ...DEFAULT_COMPACTION_OPTIONS, filesMin: 2 * FILES, blockingFiles: 4 * FILES },
}
const LIMITS = { rows: 1, bytes: 1000, allowPartial: false }
/** Makes the manifest long: see Manifest. */
const LONG_EDITS = 80

async function filled(): Promise<StoreUnderTest> {
  const session = await StoreUnderTest.open(OPTIONS)
  await session.createTable(tableOf('f'))
  await addFiles(session)
  return session
}

async function addFiles(session: StoreUnderTest): Promise<void> {
  for (let i = 0; i < FILES; i++) {
    await session.put([`r${i}`])
    await session.flush()
  }
}

async function drop({ store }: StoreUnderTest): Promise<void> {
  await store.catalog.disableTable(TABLE, OWN_CALL)
  await store.catalog.deleteTable(TABLE, OWN_CALL)
}

/** Returns the files that are in the place of all others; these stay on disk while scans read them. */
async function compact(session: StoreUnderTest): Promise<{ held: string[]; made: string[] }> {
  const { compactions } = session.store.upkeep
  const before = session.paths('/s/data')
  await compactions!.compactTable(TABLE, { major: true }, OWN_CALL)
  while ((await compactions!.compactionState(TABLE, OWN_CALL)) !== 'NONE') await nextTurn()
  const after = session.paths('/s/data')
  return {
    held: after.filter((path) => before.includes(path)),
    made: after.filter((path) => !before.includes(path)),
  }
}

/** Has the manifest written anew, by edits that leave no trace in it. */
async function rewrite({ store, fileSystem }: StoreUnderTest): Promise<void> {
  const generation = (): number => readManifest(fileSystem, '/s/manifest')!.generation
  const before = generation()
  const properties = new Map([['v', 'v'.repeat(4000)]])
  await store.catalog.createNamespace({ name: 'n', properties }, OWN_CALL)
  for (let i = 0; i < LONG_EDITS; i++)
    await store.catalog.modifyNamespace({ name: 'n', properties }, OWN_CALL)
  await store.catalog.deleteNamespace('n', OWN_CALL)
  expect(generation()).toBe(before + 1)
}

function named({ fileSystem }: StoreUnderTest): number[] {
  const { edits } = readManifest(fileSystem, '/s/manifest')!
  return edits.flatMap((edit) => (edit.kind === 'discarded' ? edit.files : []))
}

const numbersOf = (paths: readonly string[]): number[] =>
  paths.map((path) => Number(path.slice(path.lastIndexOf('/') + 1)))

async function expectNoneAside(session: StoreUnderTest, left: readonly string[] = []): Promise<void> {
  const next = await session.killed(OPTIONS)
  expect(next.paths('/s/lost+found')).toEqual([])
  expect(next.paths('/s/data')).toEqual(left)
  await next.store.close()
}

describe('a manifest that is written anew', () => {
  it('names all files that a scan holds, and they are removed after a kill', async () => {
    const session = await filled()
    const scanner = await session.scanner()
    await scanner.next(LIMITS, OWN_CALL)
    const { held, made } = await compact(session)
    expect(held).toHaveLength(FILES)
    await rewrite(session)
    expect(named(session)).toEqual(numbersOf(held))
    await expectNoneAside(session, made)
  })

  it('names a file that a scan has held while many others were taken away', async () => {
    const session = await StoreUnderTest.open(OPTIONS)
    await session.createTable(tableOf('f'))
    await session.put(['held'])
    await session.flush()
    const scanner = await session.scanner()
    await scanner.next({ ...LIMITS, rows: 0 }, OWN_CALL)
    await addFiles(session)
    const { held, made } = await compact(session)
    // Its own file, and that of the memstore which it began in.
    expect(held).toHaveLength(2)
    await rewrite(session)
    expect(named(session)).toHaveLength(REMOVED_NAMED_MAX + 2)
    expect(named(session)).toEqual(expect.arrayContaining(numbersOf(held)))
    await expectNoneAside(session, made)
  })

  it('names all files that the disk has not removed', async () => {
    const session = await filled()
    session.fileSystem.removeLarge = () => Promise.reject(new Error('EIO: i/o error'))
    await drop(session)
    const left = session.paths('/s/data')
    expect(left).toHaveLength(FILES)
    await rewrite(session)
    expect(named(session)).toEqual(numbersOf(left))
    await expectNoneAside(session)
  })

  it('forgets the files that are removed but for the youngest, though a start has removed them', async () => {
    const session = await filled()
    await session.scanner()
    const numbers = numbersOf((await compact(session)).held)
    await rewrite(session)
    const next = await session.killed(OPTIONS)
    await rewrite(next)
    expect(named(next)).toEqual(numbers.slice(-REMOVED_NAMED_MAX))
    await next.store.close()
  })

  it('does not name the files of a region that was closed by itself', async () => {
    const session = await filled()
    const { regions } = session.store.upkeep
    const [region] = await session.store.catalog.regions(TABLE, OWN_CALL)
    await regions!.unassignRegion(region!.name, OWN_CALL)
    await rewrite(session)
    expect(named(session)).toEqual([])
    await session.store.close()
  })
})

describe('many files that are taken away', () => {
  it('are named by several edits of the manifest, none of them long', () => {
    const discarded = new DiscardedFiles()
    const files = Array.from({ length: 25_000 }, (_, number) => number)
    discarded.note({ kind: 'discarded', files }, new Catalog())
    const edits = discarded.edits()
    expect(edits.map((edit) => edit.kind === 'discarded' && edit.files.length)).toEqual([
      10_000, 10_000, 5000,
    ])
    const again = new DiscardedFiles()
    for (const edit of edits) again.note(edit, new Catalog())
    expect([...again.numbers]).toEqual(files)
  })
})
