/** The archive of the log: `--archive-log`. */

import { resolve, sep } from 'node:path'
import { InvalidArgumentError } from 'commander'
import { UsageError } from '../failures/usage-error.ts'
import { parseBytes, parseRate } from '../flags/byte-size.ts'
import { parseDurationMs } from '../flags/duration.ts'
import { parsePath } from '../flags/paths.ts'
import { flagOf, type SettingsOf, type Source } from './setting.ts'
import type { StoreSpec } from './store-options.ts'

export interface ArchiveValues {
  /** A folder of backups; undefined: the log is not archived. */
  readonly archiveLog: string | undefined
  /** Milliseconds. */
  readonly archiveLogEvery: number
  /** Bytes of logs that are kept while the folder is away. */
  readonly archiveLogKeep: number
  /** Bytes a second of the backups that belong to it. */
  readonly archiveLogLimit: number
}

export interface ArchiveSettings {
  readonly folder: string
  readonly everyMs: number
  readonly keepBytesMax: number
  readonly bytesPerSecond: number
}

const OF_THE_ARCHIVE = ['archiveLogEvery', 'archiveLogKeep', 'archiveLogLimit'] as const
const EVERY_MS_MIN = 100
const KEEP_BYTES = 4 * 1024 * 1024 * 1024
const LIMIT_BYTES = 50 * 1024 * 1024

export const ARCHIVE_SETTINGS: SettingsOf<ArchiveValues> = {
  archiveLog: {
    group: 'Store',
    takes: '<folder>',
    about:
      'a folder of backups to which the native store hands its log, so that any moment can be restored (docs/backup.md)',
    parse: parsePath,
    fallback: undefined,
  },
  archiveLogEvery: {
    group: 'Store',
    takes: '<duration>',
    about: 'how often it does: milliseconds, or 10s, 5m',
    parse: parseEvery,
    fallback: 10_000,
    fallbackText: '10s',
  },
  archiveLogKeep: {
    group: 'Store',
    takes: '<size>',
    about: 'how much of the log waits on the disk of the store while that folder is away: bytes, or 512m, 2g',
    parse: parseBytes,
    fallback: KEEP_BYTES,
    fallbackText: '4g',
  },
  archiveLogLimit: {
    group: 'Store',
    takes: '<size>',
    about: 'bytes a second, at most, of the backups that the server makes for it',
    parse: parseRate,
    fallback: LIMIT_BYTES,
    fallbackText: '50m',
  },
}

/** A number without a unit is milliseconds: `5` hardly means 5 ms. */
function parseEvery(text: string): number {
  const ms = parseDurationMs(text)
  if (ms < EVERY_MS_MIN)
    throw new InvalidArgumentError(
      `It must be ${EVERY_MS_MIN} ms at least, and a number alone is milliseconds: write ${ms} seconds as ${ms}s.`,
    )
  return ms
}

/** Throws UsageError for another store than the native one, and for settings of an archive that there is not. */
export function archiveSettings(
  values: ArchiveValues,
  store: StoreSpec,
  sourceOf: (name: keyof ArchiveValues) => Source,
): ArchiveSettings | undefined {
  const { archiveLog, archiveLogEvery, archiveLogKeep, archiveLogLimit } = values
  if (archiveLog === undefined) {
    const alone = OF_THE_ARCHIVE.find((name) => sourceOf(name) !== 'default')
    if (alone !== undefined)
      throw new UsageError(`${flagOf(alone)} needs --archive-log FOLDER: without it the log is not archived`)
    return undefined
  }
  if (store.kind !== 'native')
    throw new UsageError(
      `--archive-log needs the server's own engine (--store native:DIRECTORY): ${
        store.kind === 'memory'
          ? 'the memory store has no log'
          : "a cluster archives its logs by HBase's means"
      }.`,
    )
  const folder = resolve(archiveLog)
  const directory = resolve(store.directory)
  if (folder === directory || folder.startsWith(directory + sep))
    throw new UsageError(
      `--archive-log ${archiveLog} is in the folder of the store, ${store.directory}: name one outside of it, best on another disk.`,
    )
  return {
    folder,
    everyMs: archiveLogEvery,
    keepBytesMax: archiveLogKeep,
    bytesPerSecond: archiveLogLimit,
  }
}
