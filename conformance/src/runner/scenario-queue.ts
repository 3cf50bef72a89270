import type { Scenario } from './case.ts'

/**
 * Hands out scenarios to several takers at once. Two scenarios that share tables or namespaces never run at the same time,
 * and one that runs alone begins when all others have ended.
 */
export class ScenarioQueue {
  readonly #waiting: Scenario[]
  readonly #runsAlone: (scenario: Scenario) => boolean
  /** Tables and namespaces of the scenarios that run. */
  readonly #busy = new Set<string>()
  #running = 0
  #wake: (() => void)[] = []

  constructor(scenarios: readonly Scenario[], runsAlone: (scenario: Scenario) => boolean = () => false) {
    this.#waiting = [
      ...scenarios.filter((scenario) => !runsAlone(scenario)),
      ...scenarios.filter((scenario) => runsAlone(scenario)),
    ]
    this.#runsAlone = runsAlone
  }

  /** A taker's scenarios. A scenario has ended when its taker asks for the next one, or returns. */
  async *take(): AsyncGenerator<Scenario> {
    while (this.#waiting.length > 0) {
      const scenario = this.#next()
      if (scenario === undefined) {
        await new Promise<void>((resolve) => this.#wake.push(resolve))
        continue
      }
      const names = namesOf(scenario)
      for (const name of names) this.#busy.add(name)
      this.#running++
      try {
        yield scenario
      } finally {
        this.#running--
        for (const name of names) this.#busy.delete(name)
        for (const wake of this.#wake.splice(0)) wake()
      }
    }
  }

  /** Undefined where every waiting scenario must wait for one that runs. */
  #next(): Scenario | undefined {
    const index = this.#waiting.findIndex((scenario) =>
      this.#runsAlone(scenario)
        ? this.#running === 0
        : !namesOf(scenario).some((name) => this.#busy.has(name)),
    )
    return index < 0 ? undefined : this.#waiting.splice(index, 1)[0]
  }
}

function namesOf({ tables, namespaces }: Scenario): readonly string[] {
  return [...tables, ...namespaces.map((name) => `${name}:`)]
}
