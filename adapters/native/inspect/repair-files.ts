/** Repairs the store files that the manifest names. */

import { compareBytes, toStringBinary } from '../../../src/model/bytes.ts'
import { counted } from '../../../src/model/counted.ts'
import type { FamilyDescriptor } from '../../../src/model/descriptor.ts'
import { manyATurn } from '../../../src/model/many-a-turn.ts'
import { messageOf } from '../../../src/model/message-of.ts'
import { parseTableName } from '../../../src/model/table-name.ts'
import { InfoKey } from '../hfile/file-info.ts'
import { newFileId } from '../layout/file-id.ts'
import { snapshotFile } from '../layout/snapshot-directory.ts'
import { descriptorOfRecord } from '../manifest/catalog.ts'
import type { FileRecord } from '../manifest/manifest-edit.ts'
import { type FileBounds, fileBounds, isWithinRegion, withinRegion } from './file-bounds.ts'
import { RegionFile } from './region-file.ts'
import type { RepairParts } from './repair.ts'
import { rangeText, salvage } from './salvage-file.ts'
import { expectedOf, StoreFileCheck } from './store-file-check.ts'
import { StoreFileView } from './store-file-view.ts'
import { bytesOf, type FolderState, type NamedFile, namedFiles } from './store-folder.ts'

/** The fate of a file's record: it stays, another takes its place, or none does. */
export type Verdict = 'keep' | FileRecord | 'drop'

export const DAMAGED = 'it is damaged'

export class FileRepairs {
  /** The verdicts on the records that do not stay as they are. */
  readonly verdicts: Map<FileRecord, Verdict> = new Map()
  /** Paths of the files that the repaired manifest does not name any more, and why. */
  readonly replaced: [path: string, reason: string][] = []
  /** Paths of new files. */
  readonly written: string[] = []
  readonly #parts: RepairParts
  readonly #state: FolderState
  readonly #numbers = new Set<number>()
  #total = 0
  #done = 0

  constructor(parts: RepairParts, state: FolderState) {
    this.#parts = parts
    this.#state = state
  }

  readonly #onBytes = (bytes: number): void => {
    this.#done += bytes
    this.#parts.worked?.(this.#done, this.#total)
  }

  async run(): Promise<void> {
    const { fileSystem, directory } = this.#parts
    const files = namedFiles(this.#state.catalog, directory)
    this.#total = files.reduce((sum, { path }) => sum + bytesOf(fileSystem, path), 0)
    for (const named of files) {
      const verdict = await this.#verdictOf(named)
      this.#numbers.add(named.file.number)
      if (verdict !== 'keep') this.verdicts.set(named.file, verdict)
    }
  }

  async #verdictOf(named: NamedFile): Promise<Verdict> {
    const { fileSystem, say } = this.#parts
    const { path, file, table, region } = named
    const where = placeText(named)
    const changes = `its changes of ${rangeText(region.startKey, region.endKey)}, up to sequence id ${file.maxSequenceId}`
    if (!fileSystem.exists(path)) {
      say(`LOST: ${where} is missing: ${changes}`)
      return 'drop'
    }
    const family = descriptorOfRecord(table).families.find(({ name }) => name.equals(file.family))
    const bounds = fileBounds(region, file)
    const stranger = strangerText(family, bounds)
    if (stranger !== undefined) {
      say(`${where} is not served: ${stranger}`)
      this.replaced.push([path, stranger])
      return 'drop'
    }
    let verdict: Verdict
    try {
      verdict = await this.#repair(named, family!, bounds, where, changes)
    } catch (error) {
      say(`LOST: ${where} cannot be read (${messageOf(error)}): ${changes}`)
      verdict = 'drop'
    }
    if (verdict !== 'keep') this.replaced.push([path, DAMAGED])
    if (verdict !== 'keep' || isWithinRegion(file, region)) return verdict
    say(`of ${where} only ${rangeText(bounds.startKey, bounds.endKey)} count: its region has no others`)
    return withinRegion(file, region)
  }

  async #repair(
    named: NamedFile,
    family: FamilyDescriptor,
    { startKey, endKey, hasEarlierRows, hasLaterRows }: FileBounds,
    where: string,
    changes: string,
  ): Promise<Verdict> {
    const { fileSystem, directory, clock, say, isDryRun } = this.#parts
    const { table, region, encodedRegion, file, path, snapshot } = named
    const { maxSequenceId } = file
    const view = new StoreFileView(fileSystem, path)
    try {
      const faults: string[] = []
      const check = new StoreFileCheck(view, expectedOf(region, encodedRegion, file), (_, message) =>
        faults.push(message),
      )
      await manyATurn(check.inSteps(this.#onBytes))
      if (this.#numbers.has(file.number)) faults.push(`another file has the number ${file.number}, too`)
      if (faults.length === 0) return 'keep'
      if (isAnother(view, file)) {
        say(
          `LOST: another store file is in the place of ${where}: ${faults[0]}. Of the file that was there, ${changes}`,
        )
        return 'drop'
      }
      say(`${where} is damaged: ${faults[0]}`)
      const bounds = { family: file.family, startKey, endKey, isShared: hasEarlierRows || hasLaterRows }
      const number = this.#state.catalog.nextNumber++
      // The walk learns from the first block whether cells have tags, where the file's info is lost.
      const { cells, losses, lost } = salvage(view, bounds, () => undefined)
      const count = lost === undefined ? 'an unknown number of cells' : counted(lost, 'cell')
      for (const loss of losses)
        say(`LOST: of ${where}, ${count}: ${loss}, up to sequence id ${maxSequenceId}`)
      if (cells === 0) {
        if (losses.length === 0) say(`LOST: all of ${where}, up to sequence id ${maxSequenceId}`)
        return 'drop'
      }
      say(
        `${losses.length === 0 ? 'all' : 'the other'} ${counted(cells, 'cell of it is', 'cells of it are')} written to file ${number}`,
      )
      // Tables that are made of a snapshot take its files, under other regions.
      const owner = snapshot && { owner: encodedRegion }
      const createTime = clock.now()
      const id = newFileId(number, createTime)
      const record: FileRecord = { number, family: file.family, maxSequenceId, ...owner, id }
      if (isDryRun) return record
      const target = await RegionFile.create({
        fileSystem,
        directory,
        table: parseTableName(table.name),
        encodedRegion,
        family,
        number,
        ...(snapshot && { path: snapshotFile(directory, snapshot.number, number) }),
        createTime,
        includeTags: view.hasTags,
      })
      this.written.push(target.path)
      salvage(view, bounds, ({ buffer, cell, sequenceId, tags, tagsBytes }) => {
        target.writer.append(buffer, cell, sequenceId, tagsBytes === 0 ? 0 : tags, tagsBytes)
      })
      await target.finish(maxSequenceId)
      return record
    } finally {
      view.close()
    }
  }
}

/** A sound file that is not the record's: none of its cells were ever in this place. */
function isAnother({ hfile }: StoreFileView, { id }: FileRecord): boolean {
  const found = hfile?.info.get(InfoKey.FileId)?.toString('latin1')
  return hfile !== undefined && id !== undefined && found !== id
}

function placeText({ path, snapshot, table, encodedRegion, file }: NamedFile): string {
  const owner = snapshot === undefined ? '' : `snapshot ${snapshot.name} of `
  return `${path} (${owner}table ${table.name}, region ${encodedRegion}, family ${toStringBinary(file.family)})`
}

/** Why no row of a file can count, however sound it is. */
function strangerText(
  family: FamilyDescriptor | undefined,
  { startKey, endKey }: FileBounds,
): string | undefined {
  if (family === undefined) return 'its table does not have its family'
  const isEmpty = endKey.length > 0 && compareBytes(startKey, endKey) >= 0
  return isEmpty ? 'its region has none of the rows that count in it' : undefined
}
