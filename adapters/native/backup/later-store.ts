/** Makes of a backup and archived entries the store as it was at a later moment. No store is opened: its next start replays the logs. */

import type { StreamEntry } from '../../../src/store/log-streams.ts'
import { decodeEdit, type LogRecord, type ManifestEdit } from '../manifest/manifest-edit.ts'
import { parseManifest } from '../manifest/manifest-file.ts'
import { encodeManifest } from '../manifest/manifest-rewrite.ts'
import type { FileSystem } from '../platform/file-system.ts'
import { type Home, LaterCatalog, type UnloggedCells } from './later-catalog.ts'
import { LaterLogs, lastSequenceIdOf } from './later-logs.ts'
import { LaterRecords } from './later-records.ts'
import { filesNamedBy } from './linked-moment.ts'
import { isRestored, type RestoredParts, restoredEdits } from './restored-manifest.ts'

export interface LaterParts extends RestoredParts {
  readonly fileSystem: FileSystem
  /** The entries behind the backup's moment, each time from the first one on to the last that is to be restored. */
  readonly entries: () => AsyncIterable<StreamEntry>
  /** Bytes of a log; undefined: some 64 MiB. */
  readonly logBytesMax?: number
}

export interface LaterStore {
  /** Names of all tables, also of those that are not restored. */
  readonly tables: readonly string[]
  /** Of restored tables. */
  readonly unlogged: readonly UnloggedCells[]
  /** Names of snapshots that the backup does not have. */
  readonly laterSnapshots: readonly string[]
  /** Whether the store has a file of the backup, by its path. */
  readonly has: (path: string) => boolean
  /** Writes the logs into the folder, which has the backup's files. Resolves to the manifest. */
  readonly finish: (directory: string) => Promise<Buffer>
}

/** Throws an Error where the bytes are no whole manifest, and where a change is none. */
export async function laterStore(manifest: Buffer, parts: LaterParts): Promise<LaterStore> {
  const { edits, end, generation, fault } = parseManifest('the manifest', manifest)
  if (fault !== undefined || end !== manifest.length) throw new Error(fault ?? 'it is cut')
  const later = new LaterCatalog(edits)
  for await (const entry of parts.entries()) {
    if (entry.kind === 'unlogged') later.noteUnlogged(entry.table, entry.at)
    if (entry.kind !== 'change') continue
    const edit = decodeEdit(entry.bytes)
    if (edit === undefined) throw new Error('an archived change is none: a newer version has written it')
    later.apply(edit, entry.at)
  }
  const restored = restoredEdits(later.edits(), parts)
  const [ofBackup, needed] = [new Set(namedFiles(edits)), new Set(namedFiles(restored))]
  return {
    tables: [...later.catalog.tables.keys()],
    unlogged: later.unlogged.filter(({ table }) => isRestored(table, parts.tables)),
    laterSnapshots: later.laterSnapshots,
    has: (path) => needed.has(path) || !ofBackup.has(path),
    finish: async (directory) => {
      const { logs, records } = await writeLogs(directory, later, parts)
      return encodeManifest(
        generation,
        restored.map((edit) => finished(edit, logs, records)),
      )
    },
  }
}

function* namedFiles(edits: readonly ManifestEdit[]): Iterable<string> {
  for (const edit of edits)
    for (const { table, pathOf } of filesNamedBy(edit))
      for (const { startKey, regionId, files } of table.regions) {
        const pathOfFile = pathOf(startKey, regionId)
        for (const file of files) yield pathOfFile(file)
      }
}

/** The edit with the logs and the sequence ids that the store has. */
function finished(edit: ManifestEdit, logs: readonly LogRecord[], records: LaterRecords): ManifestEdit {
  if (edit.kind === 'logs') return { kind: 'logs', logs }
  if (edit.kind === 'counters') {
    const next = Math.max(records.shifted(edit.nextSequenceId), records.lastSequenceId + 1)
    return { ...edit, nextSequenceId: next }
  }
  if (edit.kind !== 'table') return edit
  const families = edit.table.families.map((family) => ({
    ...family,
    sinceSequenceId: records.shifted(family.sinceSequenceId),
  }))
  return { ...edit, table: { ...edit.table, families } }
}

interface WrittenLogs {
  readonly logs: readonly LogRecord[]
  readonly records: LaterRecords
}

async function writeLogs(directory: string, later: LaterCatalog, parts: LaterParts): Promise<WrittenLogs> {
  const { catalog } = later
  const { fileSystem, tables, entries, logBytesMax } = parts
  const ofBackup = catalog.logs ?? []
  const marks = [...catalog.tables.values()].flatMap(({ families }) =>
    families.map(({ sinceSequenceId }) => sinceSequenceId),
  )
  const homeOf = (region: number): Home => {
    const home = later.homeOf(region)
    return typeof home !== 'string' && !isRestored(home.table, tables) ? 'gone' : home
  }
  const folder = `${directory}/wal`
  const records = new LaterRecords(homeOf, lastSequenceIdOf(fileSystem, folder, ofBackup), marks)
  const logs = new LaterLogs(fileSystem, folder, ofBackup, logBytesMax)
  try {
    for await (const entry of entries())
      if (entry.kind === 'records') await logs.append(records.take(entry.bytes))
    return { logs: await logs.end(), records }
  } finally {
    logs.close()
  }
}
