import type { ChildServer } from '../child-server.ts'

const MIB = 1024 * 1024
const LOOK_MS = 100
/** Metrics of the memory that a server counts. */
const COUNTED = [
  'tidegate_memory_granted_bytes',
  'tidegate_memory_uncollected_bytes',
  'tidegate_native_memstore_bytes',
  'tidegate_native_block_cache_bytes',
  'tidegate_native_held_snapshot_bytes',
]

interface Look {
  residentBytes: number
  countedBytes: number
}

/** Looks at a server's resident memory, and at the part of it that its metrics count, while others attack it. */
export class CountedMemory {
  /** At the greatest resident memory. */
  readonly peak: Look = { residentBytes: 0, countedBytes: 0 }
  /** The most memory that was resident and not counted: code, copies in threads, and memory that is free and has not gone back to the system. */
  uncountedBytes = 0
  readonly #server: ChildServer
  #isStopped = false
  readonly #done: Promise<void>

  constructor(server: ChildServer) {
    this.#server = server
    this.#done = this.#run()
  }

  /** Resolves once the last look is taken. */
  async stop(): Promise<void> {
    this.#isStopped = true
    await this.#done
  }

  toString(): string {
    const { residentBytes, countedBytes } = this.peak
    const [resident, counted, uncounted] = [residentBytes, countedBytes, this.uncountedBytes].map((bytes) =>
      Math.round(bytes / MIB),
    )
    return `resident ${resident} MiB at most, of which ${counted} were counted; at most ${uncounted} were not`
  }

  async #run(): Promise<void> {
    while (!this.#isStopped) {
      const countedBytes = await this.#countedBytes()
      const residentBytes = this.#server.residentBytes()
      if (countedBytes !== undefined) {
        this.uncountedBytes = Math.max(this.uncountedBytes, residentBytes - countedBytes)
        if (residentBytes > this.peak.residentBytes) Object.assign(this.peak, { residentBytes, countedBytes })
      }
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
    }
  }

  /** Undefined where the server did not answer. */
  async #countedBytes(): Promise<number | undefined> {
    try {
      const answer = await fetch(`http://127.0.0.1:${this.#server.port('web')}/metrics`)
      const text = await answer.text()
      if (!answer.ok) return undefined
      return COUNTED.reduce(
        (sum, name) => sum + Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1] ?? 0),
        0,
      )
    } catch {
      return undefined
    }
  }
}
