/** Removals of many files at once: others have their turn, and the disk is not asked for all of them together. */

import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { type KeptFile, OpenFiles } from '../../../../adapters/native/hfile/open-files.ts'
import { filePath, regionDirectory } from '../../../../adapters/native/layout/region-directory.ts'
import type { FileRecord, TableRecord } from '../../../../adapters/native/manifest/manifest-edit.ts'
import { RemovalHolds } from '../../../../adapters/native/platform/removal-holds.ts'
import { SafeDirectories } from '../../../../adapters/native/platform/safe-directories.ts'
import { FileRemovals } from '../../../../adapters/native/region/file-removals.ts'
import { regionName } from '../../../../src/model/region-name.ts'
import { CrashableFileSystem } from '../../../harness/simulation/crashable-file-system.ts'
import { TABLE } from '../store-under-test.ts'

const FILES = 400
const AT_A_TIME_MAX = 16
const A_TURN_MAX = 200
const FAMILY = Buffer.from('f')
const EMPTY = Buffer.alloc(0)

/** A table of one region whose files are all read. */
class HeldTable {
  readonly record: TableRecord
  readonly fileSystem = new CrashableFileSystem()
  readonly openFiles = new OpenFiles(this.fileSystem, 2 * FILES)
  readonly readers: KeptFile[] = []
  readonly removed: number[] = []
  readonly logged: string[] = []
  readonly removals = new FileRemovals({
    fileSystem: this.fileSystem,
    directory: '/s',
    directories: new SafeDirectories(this.fileSystem, '/s'),
    openFiles: this.openFiles,
    log: (_level, message) => this.logged.push(message),
    holds: new RemovalHolds(),
    onRemoved: (number) => this.removed.push(number),
  })

  constructor() {
    const place = regionDirectory('/s', TABLE, regionName(TABLE, EMPTY, 1).encodedName)
    const files: FileRecord[] = []
    for (let number = 1; number <= FILES; number++) {
      const path = filePath(place, FAMILY, number)
      this.fileSystem.replace(path, EMPTY)
      this.readers.push(this.openFiles.open(path))
      files.push({ number, family: FAMILY, maxSequenceId: 1 })
    }
    const region = { number: 1, regionId: 1, startKey: EMPTY, endKey: EMPTY, flushedSequenceId: 1, files }
    this.record = { name: TABLE, attributes: [], state: 'DISABLED', families: [], regions: [region] }
  }
}

/** The most calls that came in one turn of the event loop while the work ran. */
async function mostInATurn(work: (called: () => void) => Promise<void>): Promise<number> {
  let [most, calls] = [0, 0]
  let turn = setImmediate(function next() {
    calls = 0
    turn = setImmediate(next)
  })
  await work(() => (most = Math.max(most, ++calls)))
  clearImmediate(turn)
  return most
}

it('files that no scan reads are removed before anybody looks at their directory', async () => {
  const { removals, readers, fileSystem, record, removed } = new HeldTable()
  for (const reader of readers) reader.close()
  const removeIfEmpty = fileSystem.removeIfEmpty.bind(fileSystem)
  let looks = 0
  fileSystem.removeIfEmpty = (path) => {
    looks++
    return removeIfEmpty(path)
  }
  await removals.removeTable(record)
  expect(removed).toHaveLength(FILES)
  expect(fileSystem.paths()).toEqual([])
  expect(looks).toBeLessThanOrEqual(3)
})

describe('the files of a dropped table that scans read', () => {
  it('are looked at while others have their turn', async () => {
    const { removals, openFiles, record } = new HeldTable()
    const whenUnused = openFiles.whenUnused.bind(openFiles)
    const most = await mostInATurn((called) => {
      openFiles.whenUnused = (path) => {
        called()
        return whenUnused(path)
      }
      return removals.removeTable(record)
    })
    expect(most).toBeLessThan(A_TURN_MAX)
  })

  it('are removed some at a time, and told, once the scan has ended', async () => {
    const { removals, readers, fileSystem, record, removed } = new HeldTable()
    let [atOnce, most] = [0, 0]
    fileSystem.removeLarge = async (path) => {
      most = Math.max(most, ++atOnce)
      await nextTurn()
      fileSystem.remove(path)
      atOnce--
    }
    await removals.removeTable(record)
    expect(removed).toEqual([])
    for (const reader of readers) reader.close()
    await removals.settled()
    expect(most).toBeGreaterThan(1)
    expect(most).toBeLessThan(AT_A_TIME_MAX)
    expect(removed).toHaveLength(FILES)
    expect(fileSystem.paths()).toEqual([])
  })

  it('are removed though the disk fails the removals of others', async () => {
    const { removals, readers, fileSystem, record, removed } = new HeldTable()
    let calls = 0
    fileSystem.removeLarge = async (path) => {
      if (++calls % 2 === 0) throw new Error('EIO: i/o error')
      fileSystem.remove(path)
    }
    await removals.removeTable(record)
    for (const reader of readers) reader.close()
    await removals.settled()
    expect(removed).toHaveLength(FILES / 2)
    expect(fileSystem.paths()).toHaveLength(FILES / 2)
  })

  it('take no directory with them that the disk, or a kill, keeps from being removed, and the log says so', async () => {
    const { removals, readers, fileSystem, record, removed, logged } = new HeldTable()
    fileSystem.removeIfEmpty = () => {
      throw new Error('EIO: i/o error')
    }
    await removals.removeTable(record)
    for (const reader of readers) reader.close()
    await removals.settled()
    expect(removed).toHaveLength(FILES)
    expect(logged).not.toEqual([])
  })
})
