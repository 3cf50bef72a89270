import type { FileSystem } from './file-system.ts'

/** Makes directories below the store's that survive a power loss. */
export class SafeDirectories {
  readonly #fileSystem: FileSystem
  readonly #root: string
  /** Known to be on disk: one that merely exists may have been made a moment before a kill. */
  readonly #safe = new Set<string>()
  /** Under way to be so. */
  readonly #making = new Set<string>()

  /** `root`: the store's directory. */
  constructor(fileSystem: FileSystem, root: string) {
    this.#fileSystem = fileSystem
    this.#root = root
  }

  /** Resolves once the directory and its parents below the root are on disk. */
  async make(path: string): Promise<void> {
    if (this.#safe.has(path)) return
    this.#making.add(path)
    this.#fileSystem.makeDirectory(path)
    const made: string[] = []
    for (let at = path; at.length > this.#root.length && !this.#safe.has(at); ) {
      const parent = at.slice(0, at.lastIndexOf('/'))
      await this.#fileSystem.syncDirectory(parent)
      made.push(at)
      at = parent
    }
    // None is safe before its parents are: one of their syncs may fail.
    for (const directory of made) this.#safe.add(directory)
    this.#making.delete(path)
  }

  /** Removes a directory that is empty. */
  removeIfEmpty(path: string): void {
    this.giveUp(path)
    this.removeGivenUp(path)
  }

  /** Its files are to go, and it with them, unless it is made again by then: see removeGivenUp. */
  giveUp(path: string): void {
    this.#safe.delete(path)
    this.#making.delete(path)
  }

  /** Removes a directory that was given up, and that is empty. */
  removeGivenUp(path: string): void {
    if (!this.#safe.has(path) && !this.#making.has(path)) this.#fileSystem.removeIfEmpty(path)
  }
}
