import type { Scenario } from './case.ts'
import type { Target } from './exchange.ts'
import type { Recording } from './recording.ts'
import { NO_ANSWER, runScenario, SERVER_IS_SILENT, SILENT_CASES_MAX } from './run-scenario.ts'

export interface CaseOutcome {
  readonly id: string
  readonly passed: boolean
  /** False where the server hung up or was silent. */
  readonly answered: boolean
  /** The recorded exchange; undefined where the case has not been recorded. */
  readonly expected: string | undefined
  readonly found: string
}

export interface SuiteOptions {
  /** For one answer. */
  readonly timeoutMs: number
  /** Runs only the scenarios that have such a case, and reports only such cases. */
  readonly only?: RegExp
}

/** Runs scenarios against a server and compares with the recordings. Never throws for what the server does. */
export async function* runSuite(
  scenarios: Iterable<Scenario> | AsyncIterable<Scenario>,
  recordingOf: (scenario: Scenario) => Recording,
  target: Target,
  { timeoutMs, only }: SuiteOptions,
): AsyncGenerator<CaseOutcome> {
  let silent = 0
  for await (const scenario of scenarios) {
    const asked = casesAsked(scenario, target, only)
    if (asked.length === 0) continue
    const recording = recordingOf(scenario)
    const dead = silent >= SILENT_CASES_MAX
    const exchanges = dead ? undefined : await runScenario(scenario, target, timeoutMs)
    for (const { id } of asked) {
      const found = exchanges?.get(id) ?? SERVER_IS_SILENT
      const answered = !found.includes(NO_ANSWER)
      silent = answered ? 0 : silent + 1
      const expected = recording.get(id)
      yield { id, passed: found === expected, answered, expected, found }
    }
  }
}

/** The cases of the scenario that a run asks. */
function casesAsked(scenario: Scenario, target: Target, only: RegExp | undefined): Scenario['cases'] {
  if (target.rpc === undefined && asksRpc(scenario)) return []
  return scenario.cases.filter(({ id }) => only?.test(id) ?? true)
}

/** The number of cases that a run of the scenarios asks. */
export function countAsked(
  scenarios: readonly Scenario[],
  target: Target,
  { only }: Pick<SuiteOptions, 'only'>,
): number {
  return scenarios.reduce((sum, scenario) => sum + casesAsked(scenario, target, only).length, 0)
}

function asksRpc({ cases }: Scenario): boolean {
  return cases.some(({ requests }) => requests.some(({ door }) => door === 'rpc'))
}

/** The first line in which two exchanges differ, for a person. */
export function firstDifference({ id, expected, found }: CaseOutcome): string {
  if (expected === undefined) return `${id}: not recorded yet (npm run conformance:record)`
  const wanted = expected.split('\n')
  const got = found.split('\n')
  let line = 0
  while (wanted[line] === got[line]) line++
  return `${id}, line ${line + 1}\n  recorded: ${wanted[line] ?? '(nothing)'}\n  answered: ${got[line] ?? '(nothing)'}`
}
