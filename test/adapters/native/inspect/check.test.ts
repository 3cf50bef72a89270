import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { TRAILER_BYTES } from '../../../../adapters/native/hfile/trailer.ts'
import type { CrashableFileSystem } from '../../../harness/simulation/crashable-file-system.ts'
import { testRuns } from '../../../harness/test-runs.ts'
import { StoreUnderTest, tableOf } from '../store-under-test.ts'
import { checked, damageableStore, worst } from './damaged-store.ts'

let files: CrashableFileSystem
beforeAll(async () => {
  files = await damageableStore()
})

/** The file with a changed byte, then as it was. */
function withFlip(path: string, at: number, bit: number, look: () => void): void {
  const before = files.bytesOf(path)
  const after = Buffer.from(before)
  after[at]! ^= 1 << bit
  files.replace(path, after)
  look()
  files.replace(path, before)
}

/** Statistics in a trailer, which nothing reads and no checksum covers: bytes of the index, and bytes before compression. */
function isUnread(path: string, at: number): boolean {
  const trailer = files.bytesOf(path).length - TRAILER_BYTES
  return path.startsWith('/s/data/') && at >= trailer && at < trailer + 30
}

describe('a check', () => {
  it('finds nothing in a sound folder, and counts what it has', () => {
    const found = checked(files)
    expect(worst(found)).toEqual([])
    expect(found.check).toMatchObject({ storeFiles: 6, errors: 0, warnings: 0 })
    expect(found.check!.records).toBeGreaterThanOrEqual(3)
  })

  it('finds a flip of any byte of any file, and names the file', () => {
    const paths = files.paths().filter((path) => !path.includes('lost+found'))
    const place = fc.record({
      path: fc.constantFrom(...paths),
      part: fc.double({ min: 0, max: 0.999, noNaN: true }),
      bit: fc.nat({ max: 7 }),
    })
    fc.assert(
      fc.property(place, ({ path, part, bit }) => {
        const at = Math.floor(part * files.bytesOf(path).length)
        withFlip(path, at, bit, () => {
          const named = worst(checked(files)).some((finding) =>
            finding.path.startsWith(path.replace('.copy', '')),
          )
          expect(named || isUnread(path, at), `${path} byte ${at} bit ${bit}`).toBe(true)
        })
      }),
      { numRuns: testRuns(50) },
    )
  }, 60_000)
})

it('notes bytes behind the end of a closed log, and calls them no damage', async () => {
  // A start closes the logs of the life before.
  const store = (await StoreUnderTest.open({}, await damageableStore())).fileSystem.killed()
  const [log] = store.paths().filter((path) => path.startsWith('/s/wal/'))
  store.replace(log!, Buffer.concat([store.bytesOf(log!), Buffer.alloc(100, 7)]))
  const { check, findings } = checked(store)
  expect(check).toMatchObject({ errors: 0, warnings: 0 })
  expect(findings).toContainEqual(
    expect.objectContaining({
      severity: 'note',
      path: log,
      message: expect.stringContaining('100 bytes behind'),
    }),
  )
})

it('counts the records that a start would cut off with the damage before them', async () => {
  const session = await StoreUnderTest.open()
  await session.createTable(tableOf('f'))
  for (const row of ['a', 'b', 'c', 'd']) await session.put([row])
  const store = session.fileSystem.killed()
  const path = store.paths().findLast((name) => name.startsWith('/s/wal/'))!
  const bytes = Buffer.from(store.bytesOf(path))
  const secondRow = bytes.indexOf(Buffer.from('\0\x01b'))
  bytes[secondRow + 2]! ^= 1
  store.replace(path, bytes)
  const found = checked(store)
  expect(found.check).toMatchObject({ records: 1, errors: 0, warnings: 1 })
  expect(worst(found)[0]!.message).toContain('2 records behind the first damage can still be read')
  expect(worst(found)[0]!.advice).toContain('copy the folder before the next start')
  const started = await StoreUnderTest.open({}, store)
  expect(await started.rows()).toEqual(['a=v'])
})
