/** Damage to the files of a store that was killed, and a check of what its next start makes of it. */

import fc from 'fast-check'
import { expect } from 'vitest'
import type { NativeOptions } from '../../../adapters/native/options/native-options.ts'
import { isHBaseError } from '../../../src/model/errors.ts'
import type { CrashableFileSystem } from '../../harness/simulation/crashable-file-system.ts'
import { Simulation } from './crash-simulation.ts'
import type { Life } from './simulated-life.ts'

export interface Damage {
  readonly kind: 'flip' | 'cut' | 'missing' | 'swap' | 'strange'
  /** The beginning of the file's path; if there is none such, any file is taken. */
  readonly among: string
  /** Which file of those, and where in it or which other one, as parts of all: [0, 1). */
  readonly file: number
  readonly place: number
  readonly bit: number
}

export const anyDamage: fc.Arbitrary<Damage> = fc.record({
  kind: fc.constantFrom('flip', 'cut', 'missing', 'swap', 'strange'),
  among: fc.constantFrom('/s/manifest', '/s/wal/', '/s/data/', '/s/data/'),
  file: fc.double({ min: 0, max: 0.999, noNaN: true }),
  place: fc.double({ min: 0, max: 0.999, noNaN: true }),
  bit: fc.nat({ max: 7 }),
})

const isLost = (path: string): boolean => path.startsWith('/s/lost+found/')

/** Damages a file; returns its path. */
export function inflict({ kind, among, file, place, bit }: Damage, files: CrashableFileSystem): string {
  const known = files.paths().filter((path) => !isLost(path))
  const some = known.filter((path) => path.startsWith(among))
  const paths = some.length > 0 ? some : known
  const path = paths[Math.floor(file * paths.length)]!
  const bytes = Buffer.from(files.bytesOf(path))
  const at = Math.floor(place * bytes.length)
  switch (kind) {
    case 'flip':
      if (bytes.length > 0) bytes[at]! ^= 1 << bit
      files.replace(path, bytes)
      break
    case 'cut':
      files.replace(path, bytes.subarray(0, at))
      break
    case 'missing':
      files.remove(path)
      break
    case 'swap': {
      const other = paths[Math.floor(place * paths.length)]!
      files.replace(path, files.bytesOf(other))
      files.replace(other, bytes)
      break
    }
    case 'strange':
      files.replace(`${path}9`, bytes)
      break
  }
  return path
}

/** Store files, and files that are not the store's. */
const isKept = (path: string): boolean => path.startsWith('/s/data/') || path.endsWith('9')

/** Each store file is where it was, or was set aside with its bytes. */
function expectNothingGone(before: ReadonlyMap<string, Buffer>, files: CrashableFileSystem): void {
  const after = files.paths()
  for (const [path, bytes] of before) {
    const places = after.filter(
      (candidate) => candidate.endsWith(path.slice('/s'.length)) || isLost(candidate),
    )
    expect(
      places.some((place) => files.bytesOf(place).equals(bytes)),
      `${path} is gone`,
    ).toBe(true)
  }
}

/** What a crash has left that the store removes without any damage: replaced files, and files that nothing names yet. */
async function leftoversOf(simulation: Simulation): Promise<ReadonlySet<string>> {
  const files = simulation.fileSystem.killed()
  const before = files.paths()
  simulation.fileSystem = files
  await simulation.open()
  await simulation.cells()
  const after = new Set(files.killed().paths())
  return new Set(before.filter((path) => !after.has(path)))
}

/**
 * After damage the store serves exactly what it acknowledged, or it says what is damaged: it refuses the start, or the
 * read, or tells it at level error. One thing cannot be told: a cut of the last log just behind a record.
 */
export async function simulateDamage(
  lives: readonly Life[],
  damage: Damage,
  options: Partial<NativeOptions>,
): Promise<void> {
  const simulation = new Simulation(options)
  await simulation.open()
  await simulation.createTable()
  for (const [index, life] of lives.entries()) {
    await simulation.live(life)
    if (index === lives.length - 1) break
    await simulation.open()
    await simulation.settle()
  }
  const files = simulation.fileSystem.killed()
  const leftovers = await leftoversOf(simulation)
  simulation.fileSystem = files
  const lastLog = files.paths().findLast((path) => path.startsWith('/s/wal/'))
  const path = inflict(damage, files)
  const before = new Map(
    files
      .paths()
      .filter((candidate) => isKept(candidate) && !leftovers.has(candidate))
      .map((candidate) => [candidate, files.bytesOf(candidate)]),
  )
  let found: string[]
  try {
    await simulation.open()
    found = await simulation.cells()
  } catch (error) {
    if (!isHBaseError(error)) throw error
    expect(error.code).toBe('CORRUPTION')
    expect(error.message).toContain('/s/')
    expectNothingGone(before, files)
    return
  }
  expectNothingGone(before, files)
  const mayBeShort = simulation.errors.length > 0 || (damage.kind === 'cut' && path === lastLog)
  const kept = await simulation.keptOf(found, mayBeShort ? 0 : simulation.acknowledged)
  expect(kept, `${damage.kind} of ${path} is silent, or shows what never was`).toBeDefined()
  await simulation.store.close()
}
