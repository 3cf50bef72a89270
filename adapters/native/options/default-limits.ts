/** Defaults of NativeOptions that the classes use, too, where they get no options. */

/** 256 MB: some 4,000 blocks of the usual 64 KB. */
export const DEFAULT_BLOCK_CACHE_BYTES: number = 256 * 1024 * 1024

/** A power loss may bring back files whose folders the disk has not had since: a rewritten manifest names the youngest of them, too. */
export const REMOVED_NAMED_MAX = 10_000

/** Changes of a greater cost are made in several turns. */
export const WIDE_COST = 4096
