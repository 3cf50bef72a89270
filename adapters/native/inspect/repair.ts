/**
 * `tidegate repair`: a store that serves what damage has left. New files and logs are written first, then the manifest that
 * names them, then the damaged ones are moved to lost+found: a crash at any point leaves the old store or the new one.
 */

import { toStringBinary } from '../../../src/model/bytes.ts'
import { counted } from '../../../src/model/counted.ts'
import { HBaseError } from '../../../src/model/errors.ts'
import { parseTableName } from '../../../src/model/table-name.ts'
import { descriptorOfRecord } from '../catalog/catalog.ts'
import type { FileRecord, ManifestEdit, TableRecord } from '../catalog/manifest-edit.ts'
import { rewriteManifest } from '../catalog/manifest-rewrite.ts'
import type { Clock, FileSystem } from '../platform/file-system.ts'
import { LostAndFound } from '../platform/lost-and-found.ts'
import { endUnfinished } from '../region/unnamed-file.ts'
import { snapshotFile } from '../snapshot/snapshot-directory.ts'
import { fileBounds } from './file-bounds.ts'
import { manifestBytes } from './manifest-walk.ts'
import { messageOf } from './message-of.ts'
import { RegionFile } from './region-file.ts'
import { repairLogs } from './repair-logs.ts'
import { rangeText, salvage } from './salvage-file.ts'
import { expectedOf, StoreFileCheck } from './store-file-check.ts'
import { StoreFileView } from './store-file-view.ts'
import { type FolderState, manifestPaths, type NamedFile, namedFiles, readFolder } from './store-folder.ts'

export interface RepairParts {
  readonly fileSystem: FileSystem
  readonly directory: string
  readonly clock: Clock
  /** Says what would be done, and writes nothing. */
  readonly isDryRun: boolean
  /** A line for each thing that is done, and for each that is lost. */
  readonly say: (line: string) => void
}

/** What becomes of a file: kept as it is, replaced by a record of another, or left out. */
type Verdict = 'keep' | FileRecord | 'drop'

/** The caller has the folder's lock. True if there was anything to do. Throws CORRUPTION for a folder without a manifest, IO. */
export async function repairFolder(parts: RepairParts): Promise<boolean> {
  const { fileSystem, directory, say, isDryRun } = parts
  const state = readFolder(fileSystem, directory)
  if (state === undefined || isBeyondUse(state)) throw noManifest(directory)
  const [path] = manifestPaths(directory)
  for (const { offset, end } of state.lostEdits)
    say(`LOST: bytes ${offset} to ${end} of ${path}: changes of tables, regions or files that no copy has`)
  for (const misfit of state.misfits) say(`left out of the manifest, as it fits no more: ${misfit}`)
  const damaged: string[] = []
  const written: string[] = []
  const verdicts = await repairFiles(parts, state, damaged, written)
  const logs = await repairLogs(parts, state)
  damaged.push(...logs.damaged)
  const isManifestDamaged =
    state.refusal !== undefined ||
    state.misfits.length > 0 ||
    state.remarks.some(({ level, message }) => {
      if (level === 'error') say(message)
      return level === 'error'
    })
  const needsManifest = isManifestDamaged || logs.logs !== undefined || verdicts.size > 0
  if (!needsManifest) return false
  if (isDryRun) return true
  if (isManifestDamaged) keepManifests(parts)
  await rewriteManifest(
    fileSystem,
    directory,
    manifestPaths(directory),
    state.generation + 1,
    repairedEdits(state, verdicts, logs.logs),
  )
  say('the manifest and its copy are written anew')
  for (const made of written) endUnfinished(fileSystem, made)
  const lost = new LostAndFound(fileSystem, directory, (_, message) => say(message))
  for (const gone of damaged) if (fileSystem.exists(gone)) lost.setAside(gone, 'it is damaged')
  return true
}

/** Nothing is left of the manifests: an empty store in the place of this one would help nobody. */
function isBeyondUse({ refusal, catalog }: FolderState): boolean {
  return refusal !== undefined && catalog.clusterId === undefined && catalog.tables.size === 0
}

function noManifest(directory: string): HBaseError {
  const message = `${directory} has no manifest that can be read, nor a copy of it: put one of them back; nothing else tells which table a file belongs to`
  return new HBaseError('CORRUPTION', message, { detail: { path: directory } })
}

async function repairFiles(
  parts: RepairParts,
  { catalog }: FolderState,
  damaged: string[],
  written: string[],
): Promise<Map<FileRecord, Verdict>> {
  const { fileSystem, directory, say } = parts
  const verdicts = new Map<FileRecord, Verdict>()
  for (const named of namedFiles(catalog, directory)) {
    const { path, file, table } = named
    const owner = named.snapshot === undefined ? '' : `snapshot ${named.snapshot.name} of `
    const where = `${path} (${owner}table ${table.name}, region ${named.encodedRegion}, family ${toStringBinary(file.family)})`
    const all = rangeText(named.region.startKey, named.region.endKey)
    if (!fileSystem.exists(path)) {
      say(`LOST: ${where} is missing: its changes of ${all}, up to sequence id ${file.maxSequenceId}`)
      verdicts.set(file, 'drop')
      continue
    }
    let verdict: Verdict
    try {
      verdict = await repairFile(parts, named, where, () => catalog.nextNumber++, written)
    } catch (error) {
      say(
        `LOST: ${where} cannot be read (${messageOf(error)}): its changes of ${all}, up to sequence id ${file.maxSequenceId}`,
      )
      verdict = 'drop'
    }
    if (verdict === 'keep') continue
    verdicts.set(file, verdict)
    damaged.push(path)
  }
  return verdicts
}

async function repairFile(
  parts: RepairParts,
  named: NamedFile,
  where: string,
  takeNumber: () => number,
  written: string[],
): Promise<Verdict> {
  const { fileSystem, directory, clock, say, isDryRun } = parts
  const { table, region, encodedRegion, file, path, snapshot } = named
  const family = descriptorOfRecord(table).families.find(({ name }) => name.equals(file.family))
  const view = new StoreFileView(fileSystem, path)
  try {
    const faults: string[] = []
    const { startKey, endKey, hasEarlierRows, hasLaterRows } = fileBounds(region, file)
    const { maxSequenceId } = file
    new StoreFileCheck(view, expectedOf(region, encodedRegion, file), (_, message) =>
      faults.push(message),
    ).run(() => undefined)
    if (faults.length === 0) return 'keep'
    say(`${where} is damaged: ${faults[0]}`)
    const bounds = { family: file.family, startKey, endKey, isShared: hasEarlierRows || hasLaterRows }
    if (family === undefined) return 'drop'
    const number = takeNumber()
    const place = {
      fileSystem,
      directory,
      table: parseTableName(table.name),
      encodedRegion,
      family,
      number,
      ...(snapshot && { path: snapshotFile(directory, snapshot.number, number) }),
      createTime: clock.now(),
    }
    // The walk learns from the first block whether cells have tags, where the file's info is lost.
    const { cells, losses, lost } = salvage(view, bounds, () => undefined)
    const count = lost === undefined ? 'an unknown number of cells' : counted(lost, 'cell')
    for (const loss of losses) say(`LOST: of ${where}, ${count}: ${loss}, up to sequence id ${maxSequenceId}`)
    if (cells === 0) {
      if (losses.length === 0) say(`LOST: all of ${where}, up to sequence id ${maxSequenceId}`)
      return 'drop'
    }
    say(
      `${losses.length === 0 ? 'all' : 'the other'} ${counted(cells, 'cell of it is', 'cells of it are')} written to file ${number}`,
    )
    // Tables that are made of a snapshot take its files, under other regions.
    const owner = snapshot && { owner: encodedRegion }
    const record: FileRecord = { number, family: file.family, maxSequenceId, ...owner }
    if (isDryRun) return record
    const target = await RegionFile.create({ ...place, includeTags: view.hasTags })
    written.push(target.path)
    salvage(view, bounds, ({ buffer, cell, sequenceId, tags, tagsBytes }) => {
      target.writer.append(buffer, cell, sequenceId, tagsBytes === 0 ? 0 : tags, tagsBytes)
    })
    await target.finish(maxSequenceId)
    return record
  } finally {
    view.close()
  }
}

function repairedEdits(
  { catalog, discarded }: FolderState,
  verdicts: ReadonlyMap<FileRecord, Verdict>,
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
  for (const table of catalog.tables.values()) catalog.apply({ kind: 'table', table: repaired(table) })
  for (const snapshot of catalog.snapshots.values())
    catalog.apply({ kind: 'snapshot', snapshot: { ...snapshot, table: repaired(snapshot.table) } })
  if (logs !== undefined) catalog.logs = logs
  // The next start removes what a crash has left of these.
  const gone: ManifestEdit[] = discarded.size === 0 ? [] : [{ kind: 'discarded', files: [...discarded] }]
  return [...catalog.edits(), ...gone]
}

/** Copies of the manifests, in lost+found: they are needed where they are until others take their places. */
function keepManifests({ fileSystem, directory, say }: RepairParts): void {
  for (const path of manifestPaths(directory)) {
    const bytes = manifestBytes(fileSystem, path)
    if (bytes === undefined) continue
    const place = `${directory}/lost+found${path.slice(directory.length)}`
    let target = place
    for (let copy = 2; fileSystem.exists(target); copy++) target = `${place}.${copy}`
    fileSystem.makeDirectory(`${directory}/lost+found`)
    const file = fileSystem.open(target, 'create')
    file.append([bytes])
    file.close()
    say(`${path} was copied to ${target}`)
  }
}
