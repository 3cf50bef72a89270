/** The simulated disk with a look before each of its changes: an explorer takes the disk as it is then, or makes the change fail. */

import type { OpenFile } from '../../../adapters/native/platform/file-system.ts'
import type { CrashableFileSystem } from '../simulation/crashable-file-system.ts'

/** A change of the disk that comes next. */
export interface DiskChange {
  readonly name: string
  readonly path: string
  /** What an append writes; undefined for other changes. */
  readonly bytes?: Buffer
}

/** Called before each change. What it throws is the change's failure. */
export type Look = (change: DiskChange) => void

const CHANGES: ReadonlySet<string | symbol> = new Set<keyof CrashableFileSystem>([
  'rename',
  'remove',
  'removeLarge',
  'removeIfEmpty',
  'link',
  'makeDirectory',
  'syncDirectory',
])
const ASYNCHRONOUS: ReadonlySet<string | symbol> = new Set(['removeLarge', 'syncDirectory'])

/** `disk` as the engine sees it. */
export function observed(disk: CrashableFileSystem, look: Look): CrashableFileSystem {
  return new Proxy(disk, {
    get: (target, name) => {
      const part: unknown = Reflect.get(target, name, target)
      if (typeof part !== 'function') return part
      if (name === 'open') {
        return (path: string, mode: 'read' | 'append' | 'create') => {
          if (mode === 'create' || !target.exists(path)) look({ name: `open ${mode}`, path })
          return observedFile(target.open(path, mode), look)
        }
      }
      const apply = (values: unknown[]): unknown => Reflect.apply(part, target, values)
      if (!CHANGES.has(name)) return (...values: unknown[]): unknown => apply(values)
      const seen = (values: unknown[]): void => look({ name: String(name), path: values.join(' ') })
      if (ASYNCHRONOUS.has(name)) {
        return async (...values: unknown[]): Promise<unknown> => {
          seen(values)
          return apply(values)
        }
      }
      return (...values: unknown[]): unknown => {
        try {
          seen(values)
        } catch (failure) {
          // The engine's file systems answer so where a directory cannot be removed.
          if (name === 'removeIfEmpty') return false
          throw failure
        }
        return apply(values)
      }
    },
  })
}

function observedFile(file: OpenFile, look: Look): OpenFile {
  const { path } = file
  return {
    path,
    append: (buffers) => {
      look({ name: 'append', path, bytes: Buffer.concat(buffers) })
      file.append(buffers)
    },
    truncate: (bytes) => {
      look({ name: 'truncate', path })
      file.truncate(bytes)
    },
    sync: async () => {
      look({ name: 'sync', path })
      await file.sync()
    },
    read: (target, offset, length, position) => file.read(target, offset, length, position),
    size: () => file.size(),
    close: () => file.close(),
  }
}
