import { Latencies } from '../../../src/model/latencies.ts'
import type { OpenFile } from '../platform/file-system.ts'

/** How long the disk takes for the log. `now`: milliseconds since any fixed moment. */
export class LogTimes {
  readonly appends: Latencies = new Latencies()
  readonly syncs: Latencies = new Latencies()
  readonly #now: () => number

  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  /** The file, whose appends and syncs are timed. */
  timing(file: OpenFile): OpenFile {
    const now = this.#now
    return {
      path: file.path,
      append: (buffers) => {
        const since = now()
        file.append(buffers)
        this.appends.add(now() - since)
      },
      sync: async () => {
        const since = now()
        await file.sync()
        this.syncs.add(now() - since)
      },
      read: (target, offset, length, position) => file.read(target, offset, length, position),
      size: () => file.size(),
      truncate: (bytes) => file.truncate(bytes),
      close: () => file.close(),
    }
  }
}
