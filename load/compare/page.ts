/** The page of results: what people read, and the same as JSON. */

import { execFileSync } from 'node:child_process'
import { cpus, totalmem } from 'node:os'
import type { Starts } from './footprint.ts'
import type { Figures, Measured } from './rounds.ts'
import type { TargetName } from './target.ts'

export interface Results {
  readonly date: string
  readonly commit: string
  readonly measured: readonly Measured[]
  readonly residents: Readonly<Record<string, number>>
  readonly starts: Starts
  readonly disk: Readonly<Record<string, number>>
}

const NAMES: Readonly<Record<TargetName, string>> = {
  hbase: 'HBase',
  engine: 'Tidegate, engine',
  cluster: 'Tidegate, cluster',
}
const SIDES = ['hbase', 'engine', 'cluster'] as const

export function commit(): string {
  return execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()
}

function line(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

function ratio({ figures, workload }: Measured, side: 'engine' | 'cluster'): string {
  const [ours, goal] = [figures[side], workload.goals[side]]
  if (ours === undefined || goal === undefined) return ''
  const times = ours.callsPerSecond / figures.hbase!.callsPerSecond
  return `${times.toFixed(1)}x ${times >= goal ? 'of' : '**below**'} ${goal}`
}

function title({ workload }: Measured): string {
  return `${workload.name}, ${workload.clients} ${workload.clients === 1 ? 'client' : 'clients'}`
}

function summary(measured: readonly Measured[]): string {
  return table(
    [
      'workload',
      'engine, to HBase (goal)',
      'in front of HBase, to HBase (goal)',
      'CPU a call of HBase / engine / gateway alone',
    ],
    measured.map((each) => {
      const { hbase, engine, cluster } = each.figures
      const cpu = [hbase!.allMicros, engine?.allMicros, cluster?.doorMicros]
      const micros = cpu.map((value) => (value === undefined ? '' : Math.round(value).toString()))
      return [title(each), ratio(each, 'engine'), ratio(each, 'cluster'), `${micros.join(' / ')} us`]
    }),
  )
}

function ms(value: number): string {
  return value.toFixed(value < 10 ? 2 : 0)
}

function figuresRow(each: Measured, side: TargetName, figures: Figures): string[] {
  const paced = each.paced[side]
  return [
    title(each),
    NAMES[side],
    Math.round(figures.callsPerSecond).toString(),
    [figures.p50Ms, figures.p99Ms, figures.p999Ms].map(ms).join(' / '),
    paced === undefined
      ? ''
      : `${[paced.p50Ms, paced.p99Ms, paced.p999Ms].map(ms).join(' / ')} at ${Math.round(each.pacedCallsPerSecond!)}`,
    `${Math.round(figures.doorMicros)} / ${Math.round(figures.allMicros)}`,
  ]
}

function details(measured: readonly Measured[]): string {
  return table(
    [
      'workload',
      'server',
      'calls/s',
      'p50 / p99 / p99.9 ms',
      'the same at a fixed load, calls/s',
      'us of CPU a call: door / with region server',
    ],
    measured.flatMap((each) =>
      SIDES.flatMap((side) => {
        const figures = each.figures[side]
        return figures === undefined ? [] : [figuresRow(each, side, figures)]
      }),
    ),
  )
}

/** Goals that the run has not met, a line each. */
export function missed(measured: readonly Measured[]): string[] {
  return measured.flatMap((each) =>
    (['engine', 'cluster'] as const).flatMap((side) => {
      const text = ratio(each, side)
      return text.includes('below') ? [`${title(each)}, ${NAMES[side]}: ${text.replaceAll('*', '')}`] : []
    }),
  )
}

export function page({ date, commit: at, measured, residents, starts, disk }: Results): string {
  const machine = `${cpus().length} cores (${cpus()[0]?.model ?? 'unknown'}), ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}`
  return `# Tidegate beside HBase 2.6.1, ${date}, commit ${at}

${machine}. Made by \`npm run load:compare\`: all servers and the generator on this machine, rounds in turn, the median round of each.

${summary(measured)}

## All figures

Latencies at a fixed load count from the time at which a request was due (half of HBase's calls a second).

${details(measured)}

## Memory, starts, disk

${table(
  ['process, after the run', 'resident MiB'],
  Object.entries(residents).map(([name, value]) => [name, String(value)]),
)}

- ready on an empty folder after ${Math.round(starts.emptyMs)} ms; idle, it takes ${starts.emptyIdleMiB} MiB
- ready on a store with 1 GiB, after a kill, in ${Math.round(starts.fullMs)} ms
- on the disk, compacted: ${Object.entries(disk)
    .map(([name, value]) => `${name} ${value} MiB`)
    .join(', ')}
`
}
