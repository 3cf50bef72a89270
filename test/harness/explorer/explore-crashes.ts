/**
 * Stops a store at every change that it makes to its disk, and inside every write, as a kill and as a power loss leave it, and once more at
 * the changes of the start that follows. One run of a history gives many of its states: the disk is copied before each change.
 */

import type { CrashableFileSystem } from '../simulation/crashable-file-system.ts'
import { SimRandom } from '../simulation/sim-random.ts'
import type { ExploredHistory } from './explored-histories.ts'
import { newDisk } from './explored-histories.ts'
import { EMPTY_MODEL, type Model, textOf } from './explored-model.ts'
import { judge, openExplored } from './judge.ts'
import { type DiskChange, type Look, observed } from './observed-file-system.ts'

/** States of one run: they are in memory together. */
const STATES_A_RUN = 50

export interface CrashOptions {
  readonly seed: number
  /** Every one in so many states is judged, from a place that the seed decides. */
  readonly every: number
  /** Power losses of each state, with other blocks and names lost each time. */
  readonly losses: number
  /** Every one in so many changes of a start is a state of its own; 0: none. */
  readonly nestedEvery: number
  /** A bug of the disk that the states must show. */
  readonly bug?: CrashableFileSystem['plantedBug']
  readonly endsAtFirst?: boolean
  /** False once the time is over. */
  readonly goesOn?: () => boolean
}

export interface Exploration {
  states: number
  readonly findings: string[]
}

interface StoppedState {
  readonly label: string
  readonly disk: CrashableFileSystem
  /** The step under way; -1 during the first start. */
  readonly step: number
}

export async function exploreCrashes(history: ExploredHistory, options: CrashOptions): Promise<Exploration> {
  const { every, endsAtFirst, goesOn } = options
  const result: Exploration = { states: 0, findings: [] }
  const random = new SimRandom(options.seed)
  const first = random.below(every)
  for (let from = first; ; from += STATES_A_RUN * every) {
    const states: StoppedState[] = []
    const isWanted = (index: number): boolean =>
      index >= from && index < from + STATES_A_RUN * every && (index - first) % every === 0
    const models = await runHistory(history, options, isWanted, states)
    for (const state of states) {
      if (goesOn?.() === false || (endsAtFirst === true && result.findings.length > 0)) return result
      await judgeState(state, history, models, options, random, result)
    }
    if (states.length < STATES_A_RUN) return result
  }
}

/** Runs the steps one after the other. Returns the models before the first and after each. */
async function runHistory(
  { name, steps }: ExploredHistory,
  { bug }: CrashOptions,
  isWanted: (index: number) => boolean,
  states: StoppedState[],
): Promise<Model[]> {
  const disk = await newDisk()
  disk.plantedBug = bug
  let step = -1
  let index = 0
  const look = (change: DiskChange): void => {
    const label = `${name}: ${steps[step]?.name ?? 'start or stop'}, ${change.name} ${change.path}`
    for (const stop of stopsAt(disk, change, label)) {
      if (isWanted(index++)) states.push({ label: stop.label, disk: stop.take(), step })
    }
  }
  const store = await openExplored(observed(disk, look), [])
  const models = [EMPTY_MODEL]
  for (step = 0; step < steps.length; step++) {
    await steps[step]!.run(store)
    models.push(steps[step]!.apply(models.at(-1)!))
  }
  await store.close()
  return models
}

interface Stop {
  readonly label: string
  /** Copies the disk. */
  readonly take: () => CrashableFileSystem
}

/** The disk before the change, and in the middle of a write. */
function stopsAt(disk: CrashableFileSystem, change: DiskChange, label: string): Stop[] {
  const stops: Stop[] = [{ label, take: () => disk.fork() }]
  const { bytes = Buffer.alloc(0), path } = change
  for (const length of new Set([1, bytes.length >> 1, bytes.length - 1])) {
    if (length <= 0 || length >= bytes.length) continue
    const take = (): CrashableFileSystem => {
      const torn = disk.fork()
      torn.open(path, 'append').append([bytes.subarray(0, length)])
      return torn
    }
    stops.push({ label: `${label}, after ${length} of ${bytes.length} bytes`, take })
  }
  return stops
}

async function judgeState(
  { label, disk, step }: StoppedState,
  { steps }: ExploredHistory,
  models: readonly Model[],
  { losses, nestedEvery, endsAtFirst }: CrashOptions,
  random: SimRandom,
  result: Exploration,
): Promise<void> {
  const done = Math.max(0, step)
  const durable = steps.slice(0, done).findLastIndex(({ isDurable }) => isDurable) + 1
  const afterKill = new Set(models.slice(done, step + 2).map(textOf))
  const afterLoss = new Set(models.slice(durable, step + 2).map(textOf))
  const nested: { label: string; disk: CrashableFileSystem }[] = []
  const look = async (kind: string, left: CrashableFileSystem, allowed: Set<string>): Promise<void> => {
    let changes = nestedEvery > 0 ? random.below(nestedEvery) : 0
    const seen: Look = (change) => {
      if (nestedEvery === 0 || changes++ % nestedEvery > 0) return
      const stops = stopsAt(left, change, `${label}; ${kind}, ${change.name} ${change.path}`)
      nested.push(...stops.map((stop) => ({ label: stop.label, disk: stop.take() })))
    }
    add(result, `${label}; ${kind}`, await judge(left, allowed, seen))
  }
  await look('killed', disk.fork(), afterKill)
  for (let loss = 0; loss < losses; loss++) {
    if (result.findings.length > 0 && endsAtFirst === true) return
    const draw = [(): number => 0, (): number => 0.999][loss] ?? random.next
    await look(`power lost (${loss})`, disk.fork().powerLost(draw), afterLoss)
  }
  // A kill keeps what a power loss may take: the second crash is judged as a power loss is.
  for (const again of nested) {
    add(result, `${again.label}; killed again`, await judge(again.disk.fork(), afterLoss))
    add(result, `${again.label}; power lost again`, await judge(again.disk.powerLost(random.next), afterLoss))
  }
}

function add(result: Exploration, label: string, wrong: readonly string[]): void {
  result.states++
  if (wrong.length > 0) result.findings.push(`${label}:\n${wrong.join('\n')}`)
}
