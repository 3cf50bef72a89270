/** Reads the LevelDB files of Hadoop's RollingLevelDBTimelineStore, without changing them. */

import { copyFileSync, linkSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { levelLibrary } from './level-library.ts'

export interface LevelRow {
  readonly key: Buffer
  readonly value: Buffer
}

/** Files that LevelDB never changes once they are written. */
const TABLE = /\.(?:ldb|sst)$/
const ROWS_AT_A_TIME = 1000

/** The names of the databases in the folder: `starttime-ldb`, `entity-ldb.2026-11-21-22`. */
export function databasesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && /-ldb(?:\.|$)/.test(entry.name))
    .map(({ name }) => name)
    .sort()
}

/**
 * The rows of one database in the order of their keys, in batches. LevelDB writes to a database that it opens, so it gets a copy, with
 * hard links to the tables where possible.
 */
export async function* levelRows(folder: string, name: string): AsyncGenerator<LevelRow[]> {
  const { ClassicLevel } = levelLibrary()
  const copy = mkdtempSync(join(tmpdir(), 'tidegate-import-'))
  try {
    copyDatabase(join(folder, name), join(copy, basename(name)))
    const encoding = { keyEncoding: 'buffer', valueEncoding: 'buffer' } as const
    const database = new ClassicLevel<Buffer, Buffer>(join(copy, basename(name)), {
      ...encoding,
      createIfMissing: false,
    })
    await database.open()
    try {
      const iterator = database.iterator()
      for (;;) {
        const entries = await iterator.nextv(ROWS_AT_A_TIME)
        if (entries.length === 0) break
        yield entries.map(([key, value]) => ({ key, value }))
      }
      await iterator.close()
    } finally {
      await database.close()
    }
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}

function copyDatabase(from: string, to: string): void {
  mkdirSync(to, { recursive: true })
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    if (!entry.isFile() || entry.name === 'LOCK') continue
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (!TABLE.test(entry.name) || !isLinked(source, target)) copyFileSync(source, target)
  }
}

/** Returns false across file systems. */
function isLinked(source: string, target: string): boolean {
  try {
    linkSync(source, target)
    return true
  } catch {
    return false
  }
}
