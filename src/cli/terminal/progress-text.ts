/** The progress of a long command, as a line for people and as an object for programs. */

import { bytesText } from '../../transfer/progress.ts'

export type Unit =
  | 'rows'
  | 'cells'
  | 'bytes'
  | 'files'
  | 'regions'
  | 'cases'
  | 'failures'
  | 'requests'
  | 'differences'
  | 'errors'
  | 'entities'
  | 'databases'

export interface Amount {
  readonly unit: Unit
  readonly done: number
  /** Undefined: not known. */
  readonly total?: number | undefined
}

/** How far one task of a command has come. */
export interface Step {
  /** The name of the thing that is worked on, such as a table. */
  readonly task: string
  /** The most telling one first. */
  readonly amounts: readonly Amount[]
  /** The part of the amounts that stays after Ctrl-C; absent: all of it. */
  readonly staying?: readonly Amount[]
  /** From 0 to 1; undefined: that of the first amount with a total, if there is one. */
  readonly fraction?: number | undefined
}

/** The speed of a task, and the time that it needs yet. */
export interface Pace {
  readonly seconds: number
  /** Of bytes where the step counts them, else of its first amount. */
  readonly perSecond: number
  /** Undefined while it is not known. */
  readonly secondsLeft: number | undefined
}

const WORDS: Readonly<Record<Unit, readonly [string, string]>> = {
  rows: ['row', 'rows'],
  cells: ['cell', 'cells'],
  bytes: ['byte', 'bytes'],
  files: ['file', 'files'],
  regions: ['region', 'regions'],
  cases: ['case', 'cases'],
  failures: ['failure', 'failures'],
  requests: ['request', 'requests'],
  differences: ['difference', 'differences'],
  errors: ['error', 'errors'],
  entities: ['entity', 'entities'],
  databases: ['database', 'databases'],
}

/** From 0 to 1; undefined: not known. */
export function fractionOf({ amounts, fraction }: Step): number | undefined {
  if (fraction !== undefined) return Math.min(1, Math.max(0, fraction))
  const known = amounts.find(({ total }) => total !== undefined && total > 0)
  return known && Math.min(1, known.done / known.total!)
}

/** The amount whose speed is shown. */
export function pacedAmount({ amounts }: Step): Amount | undefined {
  return amounts.find(({ unit }) => unit === 'bytes') ?? amounts[0]
}

/** The line, in at most `width` columns: on a narrow terminal it has fewer parts. */
export function progressLine(step: Step, pace: Pace, width: number): string {
  const parts = partsOf(step, pace)
  const order = parts.map((_, index) => index).sort((a, b) => parts[b]!.rank - parts[a]!.rank)
  const left = new Set(parts.keys())
  const text = (): string => {
    const rest = [...left].sort((a, b) => a - b).map((index) => parts[index]!.text)
    return `${step.task}${rest.length === 0 ? '' : ': '}${rest.join(', ')}`
  }
  for (const index of order) {
    if (columnsOf(text()) <= width) break
    left.delete(index)
  }
  return cutTo(text(), width)
}

/** `rank`: the part with the highest one is left out first. */
function partsOf(step: Step, pace: Pace): { readonly text: string; readonly rank: number }[] {
  const fraction = fractionOf(step)
  const paced = pacedAmount(step)
  return [
    ...(fraction === undefined ? [] : [{ text: `${percentOf(fraction)} %`, rank: 0 }]),
    ...step.amounts.map((amount, index) => ({ text: amountText(amount), rank: 3 + index })),
    ...(paced === undefined ? [] : [{ text: paceText(paced.unit, pace.perSecond), rank: 2 }]),
    ...(pace.secondsLeft === undefined
      ? []
      : [{ text: `about ${timeText(pace.secondsLeft)} left`, rank: 1 }]),
  ]
}

/** A task that is not done has no hundred percent. */
function percentOf(fraction: number): number {
  return Math.floor(fraction * 100)
}

export function amountText({ unit, done, total }: Amount): string {
  if (unit === 'bytes')
    return total === undefined ? bytesText(done) : `${bytesText(done)} of ${bytesText(total)}`
  const [one, many] = WORDS[unit]
  const word = (total ?? done) === 1 ? one : many
  return total === undefined
    ? `${numberText(done)} ${word}`
    : `${numberText(done)} of ${numberText(total)} ${word}`
}

function paceText(unit: Unit, perSecond: number): string {
  if (unit === 'bytes') return `${bytesText(Math.round(perSecond))}/s`
  const digits = perSecond < 10 ? perSecond.toFixed(1) : numberText(Math.round(perSecond))
  return `${digits} ${WORDS[unit][1]}/s`
}

function numberText(value: number): string {
  return value.toLocaleString('en-US')
}

/** `12 s`, `3 min`, `2 h 5 min`. */
export function timeText(seconds: number): string {
  const whole = Math.ceil(seconds)
  if (whole < 100) return `${whole} s`
  const minutes = Math.ceil(whole / 60)
  if (minutes < 100) return `${minutes} min`
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

/** At most: a character beyond ASCII may take two columns of a terminal. */
function columnsOf(text: string): number {
  let columns = 0
  for (const character of text) columns += character > '~' ? 2 : 1
  return columns
}

/** The text without control characters, cut where it needs more columns. */
export function cutTo(text: string, width: number): string {
  const plain = text.replaceAll(/\p{Cc}/gu, ' ')
  if (columnsOf(plain) <= width) return plain
  let [columns, end] = [0, 0]
  for (const character of plain) {
    columns += columnsOf(character)
    if (columns > width - 3) break
    end += character.length
  }
  return `${plain.slice(0, end)}...`.slice(0, Math.max(0, width))
}

/** The object of a line for programs, on stderr. */
export function progressObject(command: string, step: Step, pace: Pace): Readonly<Record<string, unknown>> {
  const fraction = fractionOf(step)
  const paced = pacedAmount(step)
  return {
    kind: 'progress',
    command,
    ...stepObject(step),
    ...(fraction !== undefined && { percent: Math.floor(fraction * 1000) / 10 }),
    seconds: Math.round(pace.seconds * 10) / 10,
    ...(paced !== undefined && { [`${paced.unit}PerSecond`]: Math.round(pace.perSecond * 10) / 10 }),
    ...(pace.secondsLeft !== undefined && { secondsLeft: Math.ceil(pace.secondsLeft) }),
  }
}

export function stepObject({ task, amounts }: Step): Readonly<Record<string, unknown>> {
  const totals = amounts.filter(({ total }) => total !== undefined)
  return {
    task,
    done: Object.fromEntries(amounts.map(({ unit, done }) => [unit, done])),
    ...(totals.length > 0 && { total: Object.fromEntries(totals.map(({ unit, total }) => [unit, total])) }),
  }
}

/** How far a task is, in words: `t: 12 rows, 3.4 KB`. */
export function stepText({ task, amounts }: Step): string {
  return `${task}: ${amounts.map(amountText).join(', ')}`
}
