/** Shows a manifest: each edit, then what they come to; and a folder: its tables, regions, files and logs. */

import { toStringBinary } from '../../../src/model/bytes.ts'
import { Catalog } from '../manifest/catalog.ts'
import { manifestBytes } from '../manifest/manifest-file.ts'
import type { FileSystem } from '../platform/file-system.ts'
import type { DumpItem, DumpOptions } from './dump-item.ts'
import { logPath, logsOf } from './log-check.ts'
import { walkManifest } from './manifest-walk.ts'
import { bytesOf, type FolderState, filesBelow, namedFiles } from './store-folder.ts'

export function* dumpManifest(
  fileSystem: FileSystem,
  path: string,
  { limit }: DumpOptions,
): Generator<DumpItem> {
  const bytes = manifestBytes(fileSystem, path) ?? Buffer.alloc(0)
  yield { kind: 'manifest', path, bytes: bytes.length }
  const catalog = new Catalog()
  let left = limit
  for (const found of walkManifest([bytes])) {
    if (found.kind === 'damage') {
      yield { ...found, message: 'no whole edit: what follows may not fit' }
      continue
    }
    catalog.apply(found.edit)
    if (left-- > 0) yield { kind: 'edit', offset: found.offset, bytes: found.bytes, edit: shown(found.edit) }
    else if (left === -1) yield { kind: 'limit', limit }
  }
  yield* dumpCatalog(catalog)
}

export function* dumpFolder(
  fileSystem: FileSystem,
  directory: string,
  state: FolderState,
): Generator<DumpItem> {
  const { catalog } = state
  yield { kind: 'store', directory, generation: state.generation }
  if (state.refusal !== undefined) yield { kind: 'damage', message: state.refusal.message }
  yield* dumpCatalog(catalog)
  for (const { table, encodedRegion, file, path, snapshot } of namedFiles(catalog, directory)) {
    const { number, family, maxSequenceId } = file
    const exists = fileSystem.exists(path)
    yield {
      kind: 'file',
      table: table.name,
      region: encodedRegion,
      ...(snapshot && { snapshot: snapshot.name }),
      family: toStringBinary(family),
      number,
      maxSequenceId,
      path,
      bytes: exists ? bytesOf(fileSystem, path) : 'missing',
    }
  }
  for (const { number, bytes } of logsOf(fileSystem, directory, catalog)) {
    const path = logPath(directory, number)
    yield { kind: 'log', number, path, bytes: bytes ?? bytesOf(fileSystem, path) }
  }
  const lost = filesBelow(fileSystem, `${directory}/lost+found`)
  for (const path of lost) yield { kind: 'lost+found', path, bytes: bytesOf(fileSystem, path) }
}

function* dumpCatalog(catalog: Catalog): Generator<DumpItem> {
  const { clusterId, nextNumber, nextSequenceId } = catalog
  yield { kind: 'counters', clusterId, nextNumber, nextSequenceId }
  for (const [name, properties] of catalog.namespaces) yield { kind: 'namespace', name, properties }
  for (const { name, state, attributes, families, regions } of catalog.tables.values()) {
    yield { kind: 'table', name, state, attributes, families: shown(families) }
    for (const { files, ...region } of regions)
      yield {
        kind: 'region',
        table: name,
        ...(shown(region) as object),
        files: files.map(({ number }) => number),
      }
  }
  for (const { name, number, table, type, createdAt, timeToLiveSeconds } of catalog.snapshots.values())
    yield { kind: 'snapshot', name, number, table: table.name, type, createdAt, timeToLiveSeconds }
}

/** The value with its bytes as text. */
function shown(value: unknown): unknown {
  if (Buffer.isBuffer(value)) return toStringBinary(value)
  if (Array.isArray(value)) return value.map(shown)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, shown(part)]))
}
