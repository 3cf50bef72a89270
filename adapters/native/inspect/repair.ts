/**
 * `tidegate repair`: a store that serves what damage has left. New files and logs are written first, then the manifest that
 * names them, then the damaged ones are moved to lost+found: a crash at any point leaves the old store or the new one.
 */

import { endUnfinished } from '../layout/unnamed-file.ts'
import type { FileRecord, ManifestEdit, TableRecord } from '../manifest/manifest-edit.ts'
import { manifestBytes } from '../manifest/manifest-file.ts'
import { rewriteManifest } from '../manifest/manifest-rewrite.ts'
import type { Clock, FileSystem } from '../platform/file-system.ts'
import { LostAndFound } from '../platform/lost-and-found.ts'
import { TAKEN } from '../wal/set-aside-records.ts'
import { noManifest } from './no-manifest.ts'
import { DAMAGED, FileRepairs, type Verdict } from './repair-files.ts'
import { repairLogs } from './repair-logs.ts'
import { RecordRepairs } from './repair-records.ts'
import { type FolderState, isBeyondUse, manifestPaths, readFolder } from './store-folder.ts'

export interface RepairParts {
  readonly fileSystem: FileSystem
  readonly directory: string
  readonly clock: Clock
  /** Says what would be done, and writes nothing. */
  readonly isDryRun: boolean
  /** A line for each thing that is done, and for each that is lost. */
  readonly say: (line: string) => void
  /** Called with the bytes of store files that are looked at, and those of all. */
  readonly worked?: ((done: number, total: number) => void) | undefined
  /** Memory for cells that were set aside, before they go to store files; the default is enough for large files. */
  readonly pieceBytes?: number
}

/** The caller has the folder's lock. True if there was anything to do. Throws CORRUPTION for a folder without a manifest, IO. */
export async function repairFolder(parts: RepairParts): Promise<boolean> {
  const { fileSystem, directory, say, isDryRun } = parts
  const state = readFolder(fileSystem, directory)
  if (state === undefined || isBeyondUse(state)) throw noManifest(fileSystem, directory)
  const [path] = manifestPaths(directory)
  for (const { offset, end } of state.lostEdits)
    say(`LOST: bytes ${offset} to ${end} of ${path}: changes of tables, regions or files that no copy has`)
  for (const misfit of state.misfits) say(`left out of the manifest, as it fits no more: ${misfit}`)
  const files = new FileRepairs(parts, state)
  await files.run()
  const records = new RecordRepairs(parts, state)
  await records.run()
  const logs = await repairLogs(parts, state)
  const isManifestDamaged =
    state.refusal !== undefined ||
    state.misfits.length > 0 ||
    state.remarks.some(({ level, message }) => {
      if (level === 'error') say(message)
      return level === 'error'
    })
  const needsManifest =
    isManifestDamaged || logs.logs !== undefined || files.verdicts.size > 0 || records.taken.length > 0
  if (!needsManifest) return false
  if (isDryRun) return true
  const lost = new LostAndFound(fileSystem, directory, (_, message) => say(message))
  if (isManifestDamaged) keepManifests(fileSystem, directory, lost)
  await rewriteManifest(
    fileSystem,
    directory,
    manifestPaths(directory),
    state.generation + 1,
    repairedEdits(state, files.verdicts, records, logs.logs),
  )
  say('the manifest and its copy are written anew')
  for (const path of [...files.written, ...records.written]) endUnfinished(fileSystem, path)
  for (const taken of records.taken) fileSystem.rename(taken, taken + TAKEN)
  for (const [gone, reason] of [...files.replaced, ...logs.damaged.map((log) => [log, DAMAGED] as const)])
    if (fileSystem.exists(gone)) lost.setAside(gone, reason)
  return true
}

function repairedEdits(
  { catalog, discarded }: FolderState,
  verdicts: ReadonlyMap<FileRecord, Verdict>,
  { added, lastSequenceId }: RecordRepairs,
  logs: FolderState['catalog']['logs'],
): ManifestEdit[] {
  const repaired = (table: TableRecord): TableRecord => ({
    ...table,
    regions: table.regions.map((region) => ({
      ...region,
      files: region.files.flatMap((file) => {
        const verdict = verdicts.get(file) ?? 'keep'
        if (verdict === 'keep') return [file]
        return verdict === 'drop' ? [] : [verdict]
      }),
    })),
  })
  const enriched = (table: TableRecord): TableRecord => ({
    ...table,
    regions: table.regions.map((region) => {
      const more = added.get(region.number)
      if (more === undefined) return region
      const files = [...region.files, ...more].sort((a, b) => a.maxSequenceId - b.maxSequenceId)
      return { ...region, files }
    }),
  })
  for (const table of catalog.tables.values())
    catalog.apply({ kind: 'table', table: enriched(repaired(table)) })
  catalog.nextSequenceId = Math.max(catalog.nextSequenceId, lastSequenceId + 1)
  for (const snapshot of catalog.snapshots.values())
    catalog.apply({ kind: 'snapshot', snapshot: { ...snapshot, table: repaired(snapshot.table) } })
  if (logs !== undefined) {
    catalog.logs = logs
    // Records are missing: readers of changes must not go on as if they had them.
    const { keeping } = catalog
    if (keeping !== undefined) catalog.keeping = { ...keeping, from: catalog.nextSequenceId - 1, kept: [] }
  }
  // The next start removes what a crash has left of these.
  const gone: ManifestEdit[] = discarded.size === 0 ? [] : [{ kind: 'discarded', files: [...discarded] }]
  return [...catalog.edits(), ...gone]
}

/** The manifests are needed where they are until others take their places. */
function keepManifests(fileSystem: FileSystem, directory: string, lost: LostAndFound): void {
  for (const path of manifestPaths(directory)) {
    const bytes = manifestBytes(fileSystem, path)
    if (bytes !== undefined) lost.keepCopy(path, bytes)
  }
}
