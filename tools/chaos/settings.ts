/** Length and width of a run: TIDEGATE_CHAOS_SECONDS and TIDEGATE_CHAOS_ROWS shorten it. */

export const SECONDS: number = Number(process.env['TIDEGATE_CHAOS_SECONDS'] ?? 180)
export const ROWS: number = Number(process.env['TIDEGATE_CHAOS_ROWS'] ?? 1000)
/** Disturbances that the run leaves out: `freeze`, `stop` of a server, `restart`, `moves`. */
export const WITHOUT: ReadonlySet<string> = new Set((process.env['TIDEGATE_CHAOS_WITHOUT'] ?? '').split(','))

export const TABLE = 'chaos'
export const REGIONS = 20
/** Timeouts in Tidegate's config file, shorter than the freeze, so that requests do fail. */
export const OPERATION_TIMEOUT_MS = 8_000
export const RPC_TIMEOUT_MS = 3_000
/** Extra time for a door, its encoders and a busy machine. */
export const SLACK_MS = 2_500

export const FROZEN_MS = 20_000
/** Parallel requests during the freeze, beside the writers' and scanners'. */
export const FLOOD = 500
/** The most memory that Tidegate may gain while HBase is away. */
export const GROWTH_BYTES_MAX: number = 64 * 1024 * 1024
/** Lines that Tidegate may log in a run: some for each outage of each server, none for each request. */
export const LOG_LINES_MAX = 60

export const Family = {
  /** Rows of five columns that are written together: one version is in all of them. */
  data: 'd',
  /** Rows of many wide columns, written once. */
  wide: 'w',
  counter: 'c',
  log: 'l',
  /** The number that checked puts step, and a column for each step. */
  chain: 'k',
} as const

export const DATA_QUALIFIERS = ['a', 'b', 'c', 'd', 'e'] as const
export const WIDE_COLUMNS = 300
export const WIDE_VALUE_BYTES = 10_000

export function rowName(index: number): string {
  return `row-${String(index).padStart(5, '0')}`
}

/** Rows of counters, logs and chains, and a few with wide columns. */
export const SHARED_ROWS: readonly string[] = Array.from({ length: 40 }, (_, i) =>
  rowName(Math.floor((i * ROWS) / 40)),
)
export const WIDE_ROWS: readonly string[] = Array.from({ length: 3 }, (_, i) =>
  rowName(Math.floor(((2 * i + 1) * ROWS) / 6)),
)
