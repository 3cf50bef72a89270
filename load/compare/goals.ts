/** The goals of a run, besides the calls a second that each workload states itself, and those that it missed. */

import type { Starts } from './footprint.ts'
import type { Figures, Measured } from './rounds.ts'

/** Of HBase's processor time for the same call. */
const CPU_PART = 1 / 6
/** Of the resident memory of HBase's processes that do the same. */
const MEMORY_PART = 1 / 4
const EMPTY_START_MS = 500
const FULL_START_MS = 2000
const IDLE_MIB = 80

export type Side = 'engine' | 'cluster'
export const OWN_SIDES: readonly Side[] = ['engine', 'cluster']
const SIDE_NAMES: Readonly<Record<Side, string>> = { engine: 'engine', cluster: 'in front of HBase' }

/** A ratio to HBase, its goal, and whether it was met. */
export interface Verdict {
  readonly ratio: number
  readonly goal: number
  readonly isMet: boolean
}

/** Calls a second. */
export function speed({ figures, workload }: Measured, side: Side): Verdict | undefined {
  const [ours, goal] = [figures[side], workload.goals[side]]
  if (ours === undefined || goal === undefined) return undefined
  const ratio = ours.callsPerSecond / figures.hbase!.callsPerSecond
  return { ratio, goal, isMet: ratio >= goal }
}

/** In front of a cluster a gateway is compared with a gateway; native RPC has none there that could be compared. */
export function cpu({ figures, workload }: Measured, side: Side): Verdict | undefined {
  const ours = figures[side]
  if (ours === undefined || (side === 'cluster' && workload.door === 'rpc')) return undefined
  const micros = (each: Figures): number => (side === 'engine' ? each.allMicros : each.doorMicros)
  const ratio = micros(ours) / micros(figures.hbase!)
  return { ratio, goal: CPU_PART, isMet: ratio <= CPU_PART }
}

/** At a fixed load, where the workload has one. */
export function p99({ figures, paced, workload }: Measured, side: Side): Verdict | undefined {
  const [ours, theirs] = workload.isPaced ? [paced[side], paced.hbase] : [figures[side], figures.hbase]
  if (ours === undefined || (side === 'cluster' && workload.door === 'rpc')) return undefined
  const ratio = ours.p99Ms / theirs!.p99Ms
  return { ratio, goal: 1, isMet: ratio < 1 }
}

export function title({ workload }: Measured): string {
  return `${workload.name}, ${workload.clients} ${workload.clients === 1 ? 'client' : 'clients'}`
}

function line(each: Measured, side: Side, what: string, verdict: Verdict | undefined): string[] {
  if (verdict === undefined || verdict.isMet) return []
  return [
    `${title(each)}, ${SIDE_NAMES[side]}: ${what} ${times(verdict.ratio)} (goal ${times(verdict.goal)})`,
  ]
}

/** Goals that workloads have not met, a line each. */
export function missedByWorkloads(measured: readonly Measured[]): string[] {
  return measured.flatMap((each) =>
    OWN_SIDES.flatMap((side) => [
      ...line(each, side, 'calls a second', speed(each, side)),
      ...line(each, side, 'CPU a call', cpu(each, side)),
      ...line(each, side, 'p99', p99(each, side)),
    ]),
  )
}

/** Resident memory of the servers, in MiB. */
export interface Residents {
  readonly engine: number
  readonly cluster: number
  readonly rest: number
  readonly thrift: number
  readonly regionServer: number
}

export function missedByFootprint({ engine, cluster, ...theirs }: Residents, starts: Starts): string[] {
  const gateways = theirs.rest + theirs.thrift
  const limits: readonly (readonly [string, number, number, string])[] = [
    ['memory of the engine with its doors', engine, (gateways + theirs.regionServer) * MEMORY_PART, 'MiB'],
    ['memory in front of HBase', cluster, gateways * MEMORY_PART, 'MiB'],
    ['start on an empty folder', starts.emptyMs, EMPTY_START_MS, 'ms'],
    ['start on a store with 1 GiB', starts.fullMs, FULL_START_MS, 'ms'],
    ['memory when idle', starts.emptyIdleMiB, IDLE_MIB, 'MiB'],
  ]
  return limits.flatMap(([what, value, most, unit]) =>
    value <= most ? [] : [`${what}: ${Math.round(value)} ${unit} (goal ${Math.round(most)})`],
  )
}

export function times(ratio: number): string {
  return `${ratio.toFixed(ratio < 10 ? 2 : 1)}x`
}
