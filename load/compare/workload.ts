import { closedLoop, type LoopOptions, type LoopResult } from '../../test/harness/closed-loop.ts'
import { openLoop } from '../../test/harness/open-loop.ts'
import type { BenchTable } from '../bench-table.ts'
import type { Door, Target } from './target.ts'

/**
 * Runs a workload for so many milliseconds: as fast as the server answers, or so many calls a second, whose latencies then are
 * those of clients that come at times of their own.
 */
export type Run = (durationMs: number, callsPerSecond?: number) => Promise<LoopResult>

export function runOf(options: Omit<LoopOptions, 'durationMs'>): Run {
  return (durationMs, callsPerSecond) =>
    callsPerSecond === undefined
      ? closedLoop({ ...options, durationMs })
      : openLoop({ ...options, durationMs, callsPerSecond })
}

export interface Workload {
  readonly name: string
  readonly door: Door
  readonly clients: number
  /** Whether it can be run at a stated number of calls a second. */
  readonly isPaced: boolean
  /** Times the calls a second of HBase; a side without a goal does not take part. */
  readonly goals: { readonly engine?: number; readonly cluster?: number }
  /** `clients`: other than the workload's own number. */
  prepare(target: Target, clients?: number): Promise<Run>
}

/** The properties of a workload, as its maker states them. */
export type About = Pick<Workload, 'name' | 'clients' | 'goals'>

/** The tables of a comparison, on each target alike. */
export interface Tables {
  /** Its rows were written once. */
  readonly once: BenchTable
  /** Its rows were overwritten again and again. */
  readonly overwritten: BenchTable
  /** In a hundred regions. */
  readonly regions: BenchTable
  /** In eight store files, each with rows all over the table, and never compacted. */
  readonly files: BenchTable
}
