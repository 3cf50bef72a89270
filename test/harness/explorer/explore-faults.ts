/** Makes each operation of a history on its disk fail, once or from then on, and judges what the store has after that and a start. */

import { isHBaseError } from '../../../src/model/errors.ts'
import type { Store } from '../../../src/store/store.ts'
import type { CrashableFileSystem } from '../simulation/crashable-file-system.ts'
import { SimRandom } from '../simulation/sim-random.ts'
import type { Exploration } from './explore-crashes.ts'
import { type ExploredHistory, newDisk } from './explored-histories.ts'
import { EMPTY_MODEL, type Model, textOf } from './explored-model.ts'
import type { ExploredStep } from './explored-steps.ts'
import { judge, openExplored } from './judge.ts'
import { type DiskChange, observed } from './observed-file-system.ts'

const CODES = ['EIO', 'ENOSPC', 'EMFILE', 'EDQUOT', 'EACCES'] as const
/** A store that refuses so many steps refuses the rest. */
const REFUSALS_MAX = 4

export interface FaultOptions {
  readonly seed: number
  readonly every: number
  readonly goesOn?: () => boolean
}

interface Fault {
  readonly code: (typeof CODES)[number]
  readonly isLasting: boolean
  /** Number of the change that fails. */
  readonly at: number
}

export async function exploreFaults(history: ExploredHistory, options: FaultOptions): Promise<Exploration> {
  const result: Exploration = { states: 0, findings: [] }
  const random = new SimRandom(options.seed)
  const empty = await newDisk()
  for (let at = random.below(options.every); ; at += options.every) {
    // Each change meets two of the ten faults in a run, and all of them over five seeds.
    for (const isLasting of [false, true]) {
      if (options.goesOn?.() === false) return result
      const code = CODES[(at + options.seed + (isLasting ? 2 : 0)) % CODES.length]!
      const isOver = await withFault(history, empty.fork(), { code, isLasting, at }, result)
      if (isOver) return result
    }
  }
}

/** True where the history has fewer changes. */
async function withFault(
  { name, steps }: ExploredHistory,
  disk: CrashableFileSystem,
  fault: Fault,
  result: Exploration,
): Promise<boolean> {
  const { code, isLasting, at } = fault
  let changes = 0
  let isRepaired = false
  let label = ''
  const look = (change: DiskChange): void => {
    const number = changes++
    if (isRepaired || number < at || (number > at && !isLasting)) return
    if (number === at)
      label = `${name}: ${change.name} ${change.path} fails with ${code}${isLasting ? ', and all after it' : ''}`
    const { bytes } = change
    if (bytes !== undefined && code !== 'EACCES')
      disk.open(change.path, 'append').append([bytes.subarray(0, bytes.length >> 1)])
    throw Object.assign(new Error(`${code}: ${change.name} ${change.path}`), { code })
  }
  const watched = observed(disk, look)
  const wrong: string[] = []
  const store = await openExplored(watched, []).catch((error: unknown) => {
    noteBug(error, wrong)
  })
  let models: readonly Model[] = [EMPTY_MODEL]
  if (store !== undefined) models = await runSteps(store, steps, wrong)
  if (label === '') return true
  isRepaired = true
  result.states++
  wrong.push(...(await judge(disk.killed(), new Set(models.map(textOf)))))
  if (wrong.length > 0) result.findings.push(`${label}:\n${wrong.join('\n')}`)
  return false
}

/** The models that the store may come to: a step that was refused may have been made. */
async function runSteps(
  store: Store,
  steps: readonly ExploredStep[],
  wrong: string[],
): Promise<readonly Model[]> {
  let models: readonly Model[] = [EMPTY_MODEL]
  let refusals = 0
  for (const step of steps) {
    const after = models.map((model) => step.apply(model))
    try {
      await step.run(store)
      models = distinct(after)
    } catch (error) {
      noteBug(error, wrong)
      models = distinct([...models, ...after])
      if (++refusals === REFUSALS_MAX) break
    }
  }
  return models
}

function distinct(models: readonly Model[]): Model[] {
  return [...new Map(models.map((model) => [JSON.stringify(model), model])).values()]
}

/** Refusals are HBaseErrors. */
function noteBug(error: unknown, wrong: string[]): void {
  if (!isHBaseError(error)) wrong.push(`no answer of HBase: ${String(error)}`)
}
