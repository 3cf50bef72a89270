import type { FileSystem } from '../platform/file-system.ts'

export interface LogFile {
  readonly path: string
  bytes: number
  /** Each region's greatest sequence id in the file. */
  readonly regions: Map<number, number>
}

/** Notes that the file has cells of the region up to the sequence id. */
export function raise(regions: Map<number, number>, region: number, sequenceId: number): void {
  if (sequenceId > (regions.get(region) ?? 0)) regions.set(region, sequenceId)
}

/** Log files that are no longer written: each is kept until store files have all its cells. */
export class ClosedLogs {
  readonly #fileSystem: FileSystem
  /** The oldest first. */
  readonly #logs: LogFile[] = []

  constructor(fileSystem: FileSystem) {
    this.#fileSystem = fileSystem
  }

  get count(): number {
    return this.#logs.length
  }

  get bytes(): number {
    let bytes = 0
    for (const log of this.#logs) bytes += log.bytes
    return bytes
  }

  add(log: LogFile): void {
    this.#logs.push(log)
  }

  /** Removes the files whose cells are all in store files. `flushedUpTo`: see WriteAheadLog.trim. */
  trim(flushedUpTo: (region: number) => number): void {
    for (let i = this.#logs.length - 1; i >= 0; i--) {
      const log = this.#logs[i]!
      if (!isFlushed(log, flushedUpTo)) continue
      this.#fileSystem.remove(log.path)
      this.#logs.splice(i, 1)
    }
  }

  /** Regions whose memstores keep the oldest file. */
  regionsOfOldest(flushedUpTo: (region: number) => number): number[] {
    const oldest = this.#logs[0]
    if (oldest === undefined) return []
    return [...oldest.regions].filter(([region, id]) => flushedUpTo(region) < id).map(([region]) => region)
  }
}

function isFlushed(log: LogFile, flushedUpTo: (region: number) => number): boolean {
  for (const [region, sequenceId] of log.regions) if (flushedUpTo(region) < sequenceId) return false
  return true
}
