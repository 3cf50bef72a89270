/** The memory that all requests share, as a store asks for it where a small request makes it use much. */
export interface RequestMemory {
  /** Bytes that there are where no request holds any. */
  readonly bytesMax: number
  /** False where other requests hold them: none are taken. */
  tryTake(bytes: number): boolean
  /**
   * Resolves once the bytes are taken. Rejects with OVERLOADED after the time that requests wait for memory, and with CALLER_GONE once
   * `gone` is aborted. `held`: bytes that the caller has taken before.
   */
  takeLater(bytes: number, held: number, gone: AbortSignal | undefined): Promise<void>
  give(bytes: number): void
  /** So many bytes were used for a moment, uncounted, and stay in memory until they are collected. */
  readonly spent: (bytes: number) => void
}

/** For stores without a limit: tests, and commands with one client. */
export const UNLIMITED_MEMORY: RequestMemory = {
  bytesMax: Number.POSITIVE_INFINITY,
  tryTake: () => true,
  takeLater: () => Promise.resolve(),
  give: () => undefined,
  spent: () => undefined,
}
