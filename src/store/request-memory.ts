/** The waits of one request for memory so far. */
export interface MemoryWaits {
  /** A higher number than those of requests that began to wait before it. */
  readonly number: number
  /** Milliseconds of all together. */
  ms: number
}

/** The memory that one request holds. */
export interface HeldMemory {
  readonly bytes: number
  /** Undefined: it has not waited for any. */
  waits: MemoryWaits | undefined
}

/** The memory that all requests share, as a store asks for it where a small request makes it use much. */
export interface RequestMemory {
  /** Bytes that there are where no request holds any. */
  readonly bytesMax: number
  /** False where other requests hold them, or wait for them: none are taken. `held`: bytes that the request holds. */
  tryTake(bytes: number, held: number): boolean
  /**
   * Resolves once the bytes are taken. Rejects with OVERLOADED after the time that requests wait for memory, and with CALLER_GONE once
   * `gone` is aborted.
   */
  takeLater(bytes: number, request: HeldMemory, gone: AbortSignal | undefined): Promise<void>
  give(bytes: number): void
  /** So many bytes were used for a moment, uncounted, and stay in memory until they are collected. */
  readonly spent: (bytes: number) => void
}

/** The memory of stores without a limit: in tests, and in commands with one client. */
export const UNLIMITED_MEMORY: RequestMemory = {
  bytesMax: Number.POSITIVE_INFINITY,
  tryTake: () => true,
  takeLater: () => Promise.resolve(),
  give: () => undefined,
  spent: () => undefined,
}
