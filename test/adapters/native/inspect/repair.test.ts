import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isHBaseError } from '../../../../src/model/errors.ts'
import type { CrashableFileSystem } from '../../../harness/simulation/crashable-file-system.ts'
import { testRuns } from '../../../harness/test-runs.ts'
import { anyDamage, inflict } from '../damage-simulation.ts'
import { StoreUnderTest } from '../store-under-test.ts'
import { checked, damageableStore, LATER_ROWS, ROWS, repaired } from './damaged-store.ts'

async function rowsOf(files: CrashableFileSystem): Promise<Set<string>> {
  const session = await StoreUnderTest.open({}, files)
  const rows = await session.rows()
  await session.store.close()
  return new Set(rows.map((row) => row.split('=')[0]!))
}

const ALL = [...ROWS, ...LATER_ROWS].filter((row) => row !== 'r000007')
const errorsIn = (files: CrashableFileSystem): string[] =>
  checked(files)
    .findings.filter(({ severity }) => severity === 'error')
    .map(({ path, message }) => `${path}: ${message}`)

describe('a repair', () => {
  it('finds nothing to do in a sound folder', async () => {
    expect(await repaired(await damageableStore())).toEqual([])
  })

  it('saves the sound blocks of a file, and says which rows are lost', async () => {
    const files = await damageableStore()
    // The family without a bloom filter has blocks of its own in its files.
    const path = files.paths().find((path) => path.startsWith('/s/data/') && path.includes('/f/'))!
    const before = Buffer.from(files.bytesOf(path))
    before[600]! ^= 1
    files.replace(path, before)
    const said = await repaired(files)
    expect(said).toContainEqual(
      expect.stringMatching(/^LOST: .*\/f\/.*after the beginning and before r0000.*sequence id/),
    )
    expect(files.paths().some((place) => place.startsWith('/s/lost+found/data/'))).toBe(true)
    expect(errorsIn(files)).toEqual([])
    // The rows are there still: two other families have them.
    expect([...(await rowsOf(files))]).toEqual(expect.arrayContaining(ALL))
  })

  it('saves every whole block of a file that was cut, up to where it was cut', async () => {
    const sound = await damageableStore()
    const path = sound.paths().find((place) => place.startsWith('/s/data/') && place.includes('/f/'))!
    const whole = Buffer.from(sound.bytesOf(path))
    const second = whole.indexOf('DATABLK*', 1, 'latin1')
    const trailer = whole.length - 4096
    for (const [length, losses] of [
      [second + 100, /after r0000\d\d\/.* and before the end/],
      [second, /what was behind byte \d+: cells after r0000\d\d\/.* and before the end/],
      [trailer, undefined],
      [trailer + 1000, undefined],
    ] as const) {
      const files = await damageableStore()
      files.replace(path, whole.subarray(0, length))
      const said = (await repaired(files)).join('\n')
      expect(said).not.toContain('after the beginning')
      if (losses === undefined) expect(said, `cut at ${length}`).not.toContain('before the end')
      else expect(said).toMatch(losses)
      expect(errorsIn(files)).toEqual([])
    }
  })

  it('names rows, files and what to do in words', async () => {
    const files = await damageableStore()
    const [first, last] = files.paths().filter((path) => /^\/s\/data\/.*\/f\//.test(path))
    files.remove(first!)
    files.remove(last!)
    const advice = checked(files).findings.map((finding) => finding.advice)
    expect(advice).toContainEqual(expect.stringContaining('give its cells up'))
    const said = (await repaired(files)).join('\n')
    expect(said).toContain('its changes of rows from the first to before r000040,')
    expect(said).toContain('its changes of rows from r000040 to the last,')
  })

  it('keeps the sound records behind damage in a log, and says whose sequence ids are gone', async () => {
    const files = await damageableStore()
    const log = files.paths().findLast((path) => path.startsWith('/s/wal/'))!
    const bytes = Buffer.from(files.bytesOf(log))
    const at = bytes.indexOf('s2')
    bytes[at]! ^= 1
    files.replace(log, bytes)
    const said = await repaired(files)
    expect(said).toContainEqual(
      expect.stringMatching(/^LOST: bytes \d+ to \d+ of .*after \d+ and before \d+$/),
    )
    const rows = await rowsOf(files)
    expect(LATER_ROWS.filter((row) => rows.has(row))).toEqual(['s1', 's3'])
  })

  it('writes nothing in a dry run', async () => {
    const files = await damageableStore()
    const [path] = files.paths().filter((place) => place.startsWith('/s/data/'))
    files.remove(path!)
    const before = files.paths().map((place) => [place, files.bytesOf(place)])
    const said = await repaired(files, true)
    expect(said).toContainEqual(expect.stringContaining(`LOST: ${path}`))
    expect(files.paths().map((place) => [place, files.bytesOf(place)])).toEqual(before)
  })

  it('makes any damaged folder one that checks clean and is served, or refuses and changes nothing', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyDamage, { minLength: 1, maxLength: 3 }), async (damages) => {
        const files = await damageableStore()
        const sound = new Map(files.paths().map((path) => [path, files.bytesOf(path)]))
        for (const damage of damages) inflict(damage, files)
        const paths = files.paths()
        try {
          await repaired(files)
        } catch (error) {
          if (!isHBaseError(error)) throw error
          expect(error.message).toContain('manifest')
          expect(files.paths()).toEqual(paths)
          return
        }
        expect(errorsIn(files)).toEqual([])
        const rows = await rowsOf(files)
        expect([...rows].filter((row) => !ALL.includes(row) && row !== 'r000007')).toEqual([])
        const areLogsSound = [...sound].every(
          ([path, bytes]) => path.startsWith('/s/data/') || isSame(files, path, bytes),
        )
        if (areLogsSound) expect(LATER_ROWS.filter((row) => !rows.has(row))).toEqual([])
      }),
      { numRuns: testRuns(25) },
    )
  }, 60_000)
})

function isSame(files: CrashableFileSystem, path: string, bytes: Buffer): boolean {
  return files.paths().includes(path) && files.bytesOf(path).equals(bytes)
}
