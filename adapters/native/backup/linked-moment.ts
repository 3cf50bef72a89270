/**
 * Makes the folder of a moment: links to all files that the manifest names and to the logs, a manifest that names these, and a list. A folder that has
 * these files, under the paths of the list, is the store as it was at that moment.
 */

import { HBaseError, isHBaseError } from '../../../src/model/errors.ts'
import { manyATurn } from '../../../src/model/many-a-turn.ts'
import { regionName } from '../../../src/model/region-name.ts'
import { eachInSteps, type Steps } from '../../../src/model/steps.ts'
import { parseTableName } from '../../../src/model/table-name.ts'
import { MOMENT_LIST, type MomentFacts, type MomentFile, momentLine } from '../../../src/store/kept-moment.ts'
import type { Engine } from '../engine/engine.ts'
import { filePath, regionDirectory } from '../layout/region-directory.ts'
import { snapshotFile } from '../layout/snapshot-directory.ts'
import type { FileRecord, ManifestEdit, TableRecord } from '../manifest/manifest-edit.ts'
import { encodeManifest } from '../manifest/manifest-rewrite.ts'
import { FileLinks } from '../platform/file-links.ts'
import type { FileSystem } from '../platform/file-system.ts'
import { SafeDirectories } from '../platform/safe-directories.ts'
import { type WrittenLog } from '../wal/log-files.ts'
import { logName } from '../wal/log-list.ts'

/** In the folder of a moment, and of a store. */
const MANIFEST = 'manifest'

/** The state of a store at one moment. Its lists do not change any more. */
interface State {
  readonly edits: readonly ManifestEdit[]
  readonly logs: readonly WrittenLog[]
  readonly createdAt: number
  readonly clusterId: string
  /** Paths of the files that are known to be damaged. */
  readonly damaged: readonly string[]
}

/** A file of the store, and what the list says of it. */
interface LinkedFile {
  readonly from: string
  readonly file: MomentFile
}

/**
 * `directory`: of the moment; it is not there yet. Throws IO where the disk has no room, UNAVAILABLE where the manifest is in doubt; nothing is left
 * then.
 */
export async function linkMoment(engine: Engine, directory: string, id: string): Promise<void> {
  const { catalogLog, fileSystem, holds } = engine
  const letGo = holds.hold()
  try {
    const state = await catalogLog.between(() => {
      engine.followers.moment(id)
      return stateOf(engine)
    })
    const files = await manyATurn(filesInSteps(engine, state))
    const links = new FileLinks(fileSystem, new SafeDirectories(fileSystem, engine.directory))
    await links.addAll(files.found.map(({ from, file }) => ({ from, to: `${directory}/${file.name}` })))
    const manifest = await encodeManifest(1, state.edits)
    await writeFile(fileSystem, `${directory}/${MANIFEST}`, [manifest])
    const list = await manyATurn(listInSteps(state, files, { id, manifestBytes: manifest.length }))
    await writeFile(fileSystem, `${directory}/${MOMENT_LIST}`, list)
  } catch (error) {
    // Where that fails, too, the next start removes it.
    await fileSystem.removeLarge(directory).catch(() => undefined)
    throw isHBaseError(error) ? error : new HBaseError('IO', String(error), { cause: error })
  } finally {
    letGo()
  }
}

function stateOf({ catalogLog: { catalog }, wal, clock, storeFiles, directory }: Engine): State {
  const logs = wal.written
  const edits = catalog.edits().map((edit): ManifestEdit => {
    if (edit.kind === 'logs')
      return { kind: 'logs', logs: logs.map(({ number, bytes }) => ({ number, bytes })) }
    // Later flushes put their records into the list.
    if (edit.kind === 'table') return { ...edit, table: { ...edit.table, regions: [...edit.table.regions] } }
    return edit
  })
  const damaged = storeFiles.damage.list().map(({ path }) => path.slice(directory.length + 1))
  return { edits, logs, createdAt: clock.now(), clusterId: catalog.clusterId!, damaged }
}

interface Files {
  readonly found: readonly LinkedFile[]
  /** Paths of the files that the manifest names and the disk does not have. */
  readonly missing: readonly string[]
}

function* filesInSteps({ fileSystem, directory }: Engine, { edits, logs }: State): Steps<Files> {
  const found: LinkedFile[] = logs.map(({ number, path, bytes }) => {
    const name = logName(number)
    return { from: path, file: { name, path: `wal/${name}`, bytes } }
  })
  const missing: string[] = []
  for (const edit of edits) {
    for (const { table, pathOf } of filesNamedBy(edit)) {
      for (const region of table.regions) {
        const pathOfFile = pathOf(region.startKey, region.regionId)
        yield* eachInSteps(region.files, (record) => {
          const path = pathOfFile(record)
          const from = `${directory}/${path}`
          if (fileSystem.exists(from))
            found.push({ from, file: listed(record, path, table, sizeOf(fileSystem, from)) })
          else missing.push(path)
        })
        yield
      }
    }
  }
  return { found, missing }
}

export interface TableFiles {
  readonly table: TableRecord
  /** The path of a file of the region, below the store's directory. */
  readonly pathOf: (startKey: Buffer, regionId: number) => (file: FileRecord) => string
}

/** The table of an edit whose files the manifest names, if it is one. */
export function filesNamedBy(edit: ManifestEdit): TableFiles[] {
  if (edit.kind === 'snapshot') {
    const { table, number } = edit.snapshot
    return [{ table, pathOf: () => (file) => snapshotFile('.', number, file.number).slice(2) }]
  }
  if (edit.kind !== 'table') return []
  const { table } = edit
  const name = parseTableName(table.name)
  return [
    {
      table,
      pathOf: (startKey, regionId) => {
        const place = regionDirectory('.', name, regionName(name, startKey, regionId).encodedName)
        return ({ family, number }) => filePath(place, family, number).slice(2)
      },
    },
  ]
}

function listed(
  { number, id }: FileRecord,
  path: string,
  { name: table }: TableRecord,
  bytes: number,
): MomentFile {
  return { name: String(number).padStart(10, '0'), path, bytes, ...(id !== undefined && { id }), table }
}

function* listInSteps(
  { edits, createdAt, clusterId, damaged }: State,
  { found, missing }: Files,
  { id, manifestBytes }: { readonly id: string; readonly manifestBytes: number },
): Steps<Buffer[]> {
  const tables = edits.flatMap((edit) => (edit.kind === 'table' ? [edit.table.name] : []))
  const facts: MomentFacts = { format: 1, id, createdAt, clusterId, tables, missing, damaged }
  const lines = [momentLine(facts), momentLine({ name: MANIFEST, path: MANIFEST, bytes: manifestBytes })]
  yield* eachInSteps(found, ({ file }) => lines.push(momentLine(file)))
  return [Buffer.from(lines.join(''))]
}

function sizeOf(fileSystem: FileSystem, path: string): number {
  const file = fileSystem.open(path, 'read')
  try {
    return file.size()
  } finally {
    file.close()
  }
}

async function writeFile(fileSystem: FileSystem, path: string, bytes: readonly Buffer[]): Promise<void> {
  const file = fileSystem.open(path, 'create')
  try {
    file.append(bytes)
    await file.sync()
  } finally {
    file.close()
  }
}
