/** The figures of load:threads as tables for people: by the number of threads, and by the number of cores. */

import type { ThreadTime } from '../thread-time.ts'

export interface Measured {
  readonly name: string
  readonly figures: readonly Figure[]
}

export interface Figure {
  /** Beside the main one. Undefined: of HBase. */
  readonly threads: number | undefined
  /** Microseconds of a call. */
  readonly time: ThreadTime
}

const CORES = [2, 4, 8, 16] as const
const MICROS_A_SECOND = 1_000_000

export function scalingPage(measured: readonly Measured[]): string {
  const counts = measured[0]?.figures.flatMap(({ threads }) => threads ?? []) ?? []
  const byThreads = measured.map(({ name, figures }) => [
    name,
    ...counts.map((count) => micros(figures, count)),
  ])
  const byCores = measured.map(({ name, figures }) => [name, ...CORES.map((cores) => speed(figures, cores))])
  return [
    'Microseconds of processor time of a call: of the main thread / of all threads.\n',
    table(['workload', ...counts.map((count) => `--threads ${count}`), 'HBase'], byThreads, measured),
    'Calls a second that so many cores can answer, with the best number of threads (times HBase, times one thread).\n',
    table(['workload', ...CORES.map((cores) => `${cores} cores`)], byCores),
  ].join('\n')
}

function table(
  titles: readonly string[],
  rows: readonly (readonly string[])[],
  withHBase: readonly Measured[] = [],
): string {
  const last = (index: number): string[] =>
    withHBase.length === 0 ? [] : [hbaseMicros(withHBase[index]!.figures)?.toFixed(0) ?? '']
  const body = rows.map((cells, index) => line([...cells, ...last(index)])).join('')
  return `${line(titles)}${line(titles.map((_, i) => (i === 0 ? '---' : '---:')))}${body}`
}

function line(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |\n`
}

function micros(figures: readonly Figure[], count: number): string {
  const { main, others } = figures.find(({ threads }) => threads === count)!.time
  return `${main.toFixed(1)} / ${(main + others).toFixed(1)}`
}

function hbaseMicros(figures: readonly Figure[]): number | undefined {
  const time = figures.find(({ threads }) => threads === undefined)?.time
  return time && time.main + time.others
}

/** Threads with work of their own are as many as cores at most. */
function speed(figures: readonly Figure[], cores: number): string {
  const possible = figures.filter(({ threads }) => threads !== undefined && threads < cores)
  const calls = Math.max(...possible.map(({ time }) => capacity(time, cores)))
  const alone = capacity(figures.find(({ threads }) => threads === 0)!.time, cores)
  const theirs = hbaseMicros(figures)
  const ofHBase =
    theirs === undefined ? '' : `${(calls / ((cores * MICROS_A_SECOND) / theirs)).toFixed(1)}x, `
  return `${Math.round(calls)} (${ofHBase}${(calls / alone).toFixed(1)}x)`
}

/** The cores together are busy, or the main thread's. Calls a second. */
function capacity({ main, others }: ThreadTime, cores: number): number {
  return Math.min(cores / (main + others), 1 / main) * MICROS_A_SECOND
}
