/** The table of a comparison: a column for each kind of Kerberos, lines for each work. */

import { KINDS } from './benched-server.ts'

export interface Round {
  /** Microseconds of the processor for a call, a row or a login: of the process at the door, and of the clients. */
  readonly doorMicros: number
  readonly clientMicros: number
  readonly perSecond: number
}

export type Owner = 'Tidegate' | 'HBase'

/** The rounds of a server, in the order in which all servers had them. */
export interface MeasuredServer {
  readonly owner: Owner
  readonly kind: string
  readonly rounds: readonly Round[]
}

export const HEADING: string = headingOf(['microseconds of the processor', ...KINDS.map(({ name }) => name)])

function headingOf(titles: readonly string[]): string {
  return `| ${titles.join(' | ')} |\n| --- |${' ---: |'.repeat(titles.length - 1)}\n`
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 1]!
}

/** A figure of each round, by the names of kinds. */
type Figures = ReadonlyMap<string, readonly number[]>

function figures(servers: readonly MeasuredServer[], wanted: Owner, of: keyof Round): Figures {
  return new Map(
    servers
      .filter(({ owner }) => owner === wanted)
      .map(({ kind, rounds }) => [kind, rounds.map((round) => round[of])]),
  )
}

/** The load of a shared machine changes by the minute: rounds are compared with their neighbours. */
function ratio(of: readonly number[], by: readonly number[]): string {
  return median(of.map((figure, round) => figure / by[round]!)).toFixed(2)
}

/** `text` of a kind that took no part is empty. */
function line(name: string, of: Figures, text: (kind: string, figures: readonly number[]) => string): string {
  const cells = KINDS.map(({ name: kind }) => (of.has(kind) ? text(kind, of.get(kind)!) : ''))
  return `| ${[name, ...cells].join(' | ')} |\n`
}

/** Microseconds, and in brackets how many times those without Kerberos they are. */
function costs(name: string, of: Figures): string {
  const plain = of.get('plain')!
  return line(name, of, (kind, each) => {
    const micros = median(each)
    const text = micros < 10 ? micros.toFixed(2) : micros.toFixed(0)
    return kind === 'plain' ? text : `${text} (${ratio(each, plain)})`
  })
}

/** Of a work. `withClients`: the clients are Tidegate's own, and their time at HBase's servers is a line, too. */
export function linesOf(name: string, servers: readonly MeasuredServer[], withClients: boolean): string {
  const micros = (owner: Owner): Figures => figures(servers, owner, 'doorMicros')
  const tidegate = costs(`${name}: Tidegate`, micros('Tidegate'))
  if (micros('HBase').size === 0) return tidegate
  const timesHBase = (of: keyof Round) => (kind: string, each: readonly number[]) =>
    ratio(each, figures(servers, 'HBase', of).get(kind)!)
  return [
    tidegate,
    costs(`${name}: HBase`, micros('HBase')),
    line(`${name}: Tidegate's time, part of HBase's`, micros('Tidegate'), timesHBase('doorMicros')),
    line(
      `${name}: Tidegate's speed, times HBase's`,
      figures(servers, 'Tidegate', 'perSecond'),
      timesHBase('perSecond'),
    ),
    withClients
      ? costs(`${name}: Tidegate as HBase's client`, figures(servers, 'HBase', 'clientMicros'))
      : '',
  ].join('')
}
