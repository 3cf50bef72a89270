/** The page of results: what people read, and the same as JSON. */

import { execFileSync } from 'node:child_process'
import { cpus, totalmem } from 'node:os'
import type { Answers } from '../../test/harness/answer-tally.ts'
import type { Ceiling } from './ceiling.ts'
import type { Starts } from './footprint.ts'
import { cpu, OWN_SIDES, p99, type Residents, type Side, speed, times, title, type Verdict } from './goals.ts'
import type { Figures, Measured } from './rounds.ts'
import type { TargetName } from './target.ts'

export interface Results {
  readonly date: string
  readonly commit: string
  readonly measured: readonly Measured[]
  readonly residents: Residents
  readonly starts: Starts
  readonly disk: Readonly<Record<string, number>>
  readonly ceiling: Ceiling
  /** Goals, a line each. */
  readonly missed: readonly string[]
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

function shown(verdict: Verdict | undefined): string {
  if (verdict === undefined) return ''
  const text = times(verdict.ratio)
  return verdict.isMet ? text : `**${text}**`
}

function speeds(each: Measured, side: Side): string {
  const verdict = speed(each, side)
  return verdict === undefined ? '' : `${shown(verdict)} (${verdict.goal})`
}

function summary(measured: readonly Measured[]): string {
  return table(
    ['workload', 'engine', 'in front of HBase', 'CPU a call: engine, gateway', 'p99: engine, gateway'],
    measured.map((each) => [
      title(each),
      ...OWN_SIDES.map((side) => speeds(each, side)),
      OWN_SIDES.map((side) => shown(cpu(each, side))).join(', '),
      OWN_SIDES.map((side) => shown(p99(each, side))).join(', '),
    ]),
  )
}

function ms(value: number): string {
  return value.toFixed(value < 10 ? 2 : 0)
}

/** Rows, cells and bytes of an answer. */
export function answersText({ each, bytes }: Answers): string {
  return `${each!.rows} / ${each!.cells} / ${Math.round(bytes)}`
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
    answersText(figures.answers),
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
      'rows / cells / bytes of an answer',
    ],
    measured.flatMap((each) =>
      SIDES.flatMap((side) => {
        const figures = each.figures[side]
        return figures === undefined ? [] : [figuresRow(each, side, figures)]
      }),
    ),
  )
}

function indented(text: string): string {
  return text.replaceAll('\n', '\n    ')
}

export function page({
  date,
  commit: at,
  measured,
  residents,
  starts,
  disk,
  ceiling,
  missed,
}: Results): string {
  const machine = `${cpus().length} cores (${cpus()[0]?.model ?? 'unknown'}), ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}`
  return `# Tidegate beside HBase 2.6.1, ${date}, commit ${at}

${machine}. Made by \`npm run load:compare\`: all servers and the generator on this machine, rounds in turn, the median round of each.

Calls a second, and in brackets the goal, as times HBase's; CPU and p99 as parts of HBase's (goals: a sixth, and less than one). The engine
is compared with HBase's gateway and region server together, Tidegate in front of HBase with HBase's gateway alone. What misses its
goal is bold.

${summary(measured)}

Missed:

${missed.length === 0 ? 'nothing' : missed.map((text) => `- ${text}`).join('\n')}

## All figures

Latencies at a fixed load count from the time at which a request was due (half of HBase's calls a second).

${details(measured)}

## Memory, starts, disk

${table(
  ['process, after the run', 'resident MiB'],
  [
    ['Tidegate on its engine', residents.engine],
    ['Tidegate in front of HBase', residents.cluster],
    ["HBase's REST server", residents.rest],
    ["HBase's Thrift server", residents.thrift],
    ["HBase's region server, with master and ZooKeeper", residents.regionServer],
  ].map((row) => row.map(String)),
)}

- ready on an empty folder after ${Math.round(starts.emptyMs)} ms; idle, it takes ${starts.emptyIdleMiB} MiB
- ready on a store with 1 GiB, after a kill, in ${Math.round(starts.fullMs)} ms
- on the disk, compacted: ${Object.entries(disk)
    .map(([name, value]) => `${name} ${value} MiB`)
    .join(', ')}

## The ceiling: servers that answer constant bytes

    ${indented(ceiling.peers)}

## The engine in process beside LevelDB (classic-level), thousands of rows a second

    ${indented(ceiling.levelDb)}
`
}
