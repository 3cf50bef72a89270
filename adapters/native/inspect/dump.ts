/** `tidegate dump`: a store file, a log, a manifest or a folder, shown piece by piece and as far as it can be read. */

import { HBaseError } from '../../../src/model/errors.ts'
import { messageOf } from '../../../src/model/message-of.ts'
import { BlockType } from '../hfile/block-type.ts'
import { TRAILER_BYTES } from '../hfile/trailer.ts'
import type { FileSystem } from '../platform/file-system.ts'
import { isNotPlain } from '../platform/not-plain.ts'
import type { DumpItem, DumpOptions } from './dump-item.ts'
import { dumpLog } from './dump-log.ts'
import { dumpFolder, dumpManifest } from './dump-manifest.ts'
import { dumpStoreFile } from './dump-store-file.ts'
import { noManifest } from './no-manifest.ts'
import { StoreFileView } from './store-file-view.ts'
import { hasData, readFolder } from './store-folder.ts'

/** Throws ILLEGAL_ARGUMENT for what is none of the engine's, IO for what cannot be read. */
export function dump(fileSystem: FileSystem, path: string, options: DumpOptions): Generator<DumpItem> {
  if (fileSystem.exists(`${path}/manifest`) || fileSystem.exists(`${path}/manifest.copy`))
    return dumpFolder(fileSystem, path, readFolder(fileSystem, path)!)
  if (hasData(fileSystem, path)) throw noManifest(fileSystem, path)
  switch (kindOf(fileSystem, path)) {
    case 'log':
      return dumpLog(fileSystem, path, options)
    case 'manifest':
      return dumpManifest(fileSystem, path, options)
    case 'store-file':
      return dumpOfStoreFile(fileSystem, path, options)
    case undefined:
      throw new HBaseError('ILLEGAL_ARGUMENT', `${path} is no store, store file, log or manifest`)
  }
}

function* dumpOfStoreFile(fileSystem: FileSystem, path: string, options: DumpOptions): Generator<DumpItem> {
  const view = new StoreFileView(fileSystem, path)
  try {
    yield* dumpStoreFile(view, options)
  } finally {
    view.close()
  }
}

/** The file's kind, by its first bytes; if these are damaged, by its last ones or its name. */
function kindOf(fileSystem: FileSystem, path: string): 'log' | 'manifest' | 'store-file' | undefined {
  try {
    const file = fileSystem.open(path, 'read')
    try {
      const magic = magicAt(file.read.bind(file), 0)
      if (magic === 'TIDEWAL1') return 'log'
      if (magic === 'TIDEMAN1') return 'manifest'
      const trailer = magicAt(file.read.bind(file), Math.max(0, file.size() - TRAILER_BYTES))
      if (magic === BlockType.Data || magic === BlockType.EncodedData) return 'store-file'
      if (trailer === BlockType.Trailer) return 'store-file'
    } finally {
      file.close()
    }
  } catch (cause) {
    if (isNotPlain(cause)) return undefined
    throw new HBaseError('IO', `${path} cannot be read: ${messageOf(cause)}`, { cause })
  }
  if (path.endsWith('.log')) return 'log'
  if (/manifest(?:\.copy)?$/.test(path)) return 'manifest'
  return /\/\d{10}$/.test(path) ? 'store-file' : undefined
}

type Read = (target: Buffer, offset: number, length: number, position: number) => number

function magicAt(read: Read, at: number): string {
  const bytes = Buffer.alloc(8)
  return bytes.toString('latin1', 0, read(bytes, 0, bytes.length, at))
}
