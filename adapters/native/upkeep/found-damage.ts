import { HBaseError } from '../../../src/model/errors.ts'
import type { Engine } from '../engine/engine.ts'
import { HFile } from '../hfile/hfile.ts'
import { decodeFoundDamage, foundDamagePath } from '../layout/found-damage.ts'
import type { FileSystem } from '../platform/file-system.ts'

const BYTES_MAX = 1 << 20

/** Reports damage that a check of the folder has found, as that which reads find: in the log, in health and in the metrics. */
export function takeFoundDamage({ fileSystem, directory, storeFiles, tables }: Engine): void {
  const path = foundDamagePath(directory)
  if (!fileSystem.exists(path)) return
  const found = decodeFoundDamage(beginningOf(fileSystem, path))
  fileSystem.remove(path)
  const open = new Map<string, HFile>()
  for (const { stores } of tables.regions.values())
    for (const { files } of stores)
      for (const { run } of files) if (run instanceof HFile) open.set(run.path, run)
  for (const { path: below, offset, message } of found) {
    const full = `${directory}/${below}`
    const file = open.get(full)
    const detail = { path: full, ...(offset !== undefined && { offset }) }
    if (file !== undefined) storeFiles.tellFault(file, new HBaseError('CORRUPTION', message, { detail }))
  }
}

function beginningOf(fileSystem: FileSystem, path: string): Buffer {
  const file = fileSystem.open(path, 'read')
  try {
    const bytes = Buffer.alloc(Math.min(file.size(), BYTES_MAX))
    return bytes.subarray(0, file.read(bytes, 0, bytes.length, 0))
  } finally {
    file.close()
  }
}
