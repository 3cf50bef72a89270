/** The whole of the explorer: every history, stopped everywhere and with a fault everywhere, or a sample of that. */

import { type CrashOptions, type Exploration, exploreCrashes } from './explore-crashes.ts'
import { exploreFaults } from './explore-faults.ts'
import { HISTORIES } from './explored-histories.ts'

export interface ExploreOptions extends CrashOptions {
  /** Called with the sums after each history. */
  readonly onHistory?: (name: string, kind: 'crashes' | 'faults', explored: Exploration) => void
}

/** Returns the sums of all. */
export async function explore(options: ExploreOptions): Promise<Exploration> {
  const sum: Exploration = { states: 0, findings: [] }
  for (const history of HISTORIES) {
    for (const kind of ['crashes', 'faults'] as const) {
      if (options.goesOn?.() === false) return sum
      const explored =
        kind === 'crashes' ? await exploreCrashes(history, options) : await exploreFaults(history, options)
      sum.states += explored.states
      sum.findings.push(...explored.findings)
      options.onHistory?.(history.name, kind, explored)
    }
  }
  return sum
}

/** So much as fits into the time; at least the beginning. Each seed draws other states. */
export async function exploreSample(seed: number, ms: number): Promise<Exploration> {
  const end = performance.now() + ms
  const goesOn = (): boolean => performance.now() < end
  const sum: Exploration = { states: 0, findings: [] }
  for (let round = 0; goesOn() && sum.findings.length === 0; round++) {
    const explored = await explore({ seed: seed + round, every: 61, losses: 3, nestedEvery: 40, goesOn })
    sum.states += explored.states
    sum.findings.push(...explored.findings)
  }
  return sum
}
