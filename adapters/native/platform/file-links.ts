import { setImmediate as nextTurn } from 'node:timers/promises'
import { HBaseError, isHBaseError } from '../../../src/model/errors.ts'
import type { FileSystem } from './file-system.ts'
import type { SafeDirectories } from './safe-directories.ts'

const SIDE_BY_SIDE = 32
const COPY_BYTES = 1024 * 1024

/** Where the edits of the manifest go that name links: see CatalogLog. */
export interface LinkRegistry {
  undo(error: unknown, task: () => void): void
}

export interface Link {
  readonly from: string
  readonly to: string
}

/** Second names for files that never change; where the disk has no links, copies. All of them together, or none. */
export class FileLinks {
  readonly #fileSystem: FileSystem
  readonly #directories: SafeDirectories
  readonly #made: string[] = []

  constructor(fileSystem: FileSystem, directories: SafeDirectories) {
    this.#fileSystem = fileSystem
    this.#directories = directories
  }

  get count(): number {
    return this.#made.length
  }

  /** As `add`, of links that may be thousands, some of them side by side: each waits for the disk. */
  async addAll(links: readonly Link[]): Promise<void> {
    await sideBySide(links, ({ from, to }) => this.add(from, to))
  }

  /** Throws CORRUPTION where `from` is missing, and what the file system throws. */
  async add(from: string, to: string): Promise<void> {
    await this.#directories.make(directoryOf(to))
    try {
      if (this.#fileSystem.link(from, to)) this.#made.push(to)
      else await this.#copy(from, to)
    } catch (cause) {
      if (this.#fileSystem.exists(from)) throw cause
      throw new HBaseError('CORRUPTION', `store file ${from} is missing`, { detail: { path: from }, cause })
    }
  }

  async #copy(from: string, to: string): Promise<void> {
    const source = this.#fileSystem.open(from, 'read')
    try {
      const target = this.#fileSystem.open(to, 'create')
      this.#made.push(to)
      try {
        const chunk = Buffer.allocUnsafeSlow(COPY_BYTES)
        for (let at = 0; ; ) {
          const bytes = source.read(chunk, 0, chunk.length, at)
          if (bytes === 0) break
          target.append([chunk.subarray(0, bytes)])
          // The sync of each piece lets the event loop run.
          await target.sync()
          at += bytes
        }
      } finally {
        target.close()
      }
    } finally {
      source.close()
    }
  }

  /** Resolves once all links survive a power loss. */
  async sync(): Promise<void> {
    const directories = new Set(this.#made.map(directoryOf))
    await sideBySide([...directories], (directory) => this.#fileSystem.syncDirectory(directory))
  }

  /**
   * Runs a change that ends with the edit of the manifest that names the links. Where it fails the links go, once the
   * manifest is known not to name them. Throws HBaseErrors only: IO for what the file system throws.
   */
  async committed<T>(registry: LinkRegistry, change: () => Promise<T>): Promise<T> {
    try {
      return await change()
    } catch (error) {
      registry.undo(error, () => this.undo())
      throw isHBaseError(error) ? error : new HBaseError('IO', String(error), { cause: error })
    }
  }

  /** Removes all links again. One that cannot be removed is left to the next start. */
  undo(): void {
    for (const path of this.#made.splice(0)) {
      try {
        this.#fileSystem.remove(path)
      } catch {
        continue
      }
      this.#directories.removeIfEmpty(directoryOf(path))
      this.#directories.removeIfEmpty(directoryOf(directoryOf(path)))
    }
  }
}

/** Does the work for all elements, some of them side by side; rejects with the first failure once none is under way. */
async function sideBySide<Element>(
  list: readonly Element[],
  work: (element: Element) => Promise<void>,
): Promise<void> {
  for (let at = 0; at < list.length; at += SIDE_BY_SIDE) {
    const ended = await Promise.allSettled(list.slice(at, at + SIDE_BY_SIDE).map(work))
    for (const result of ended) if (result.status === 'rejected') throw result.reason
    await nextTurn()
  }
}

function directoryOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/'))
}
