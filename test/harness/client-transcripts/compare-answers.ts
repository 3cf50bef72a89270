/** What a client saw on two servers, step by step. */

import { existsSync, readFileSync } from 'node:fs'

/** The answers by the names of their steps, in order. */
export type Answers = ReadonlyMap<string, string>

export interface ExpectedDifference {
  readonly reason: string
  readonly program: string
  readonly steps: readonly string[]
  /** Where they differ, if not everywhere: Tidegate on its own store, or in front of a cluster. */
  readonly target?: string
}

export interface Comparison {
  readonly program: string
  readonly wanted: Answers
  readonly found: Answers
  /** Steps that may differ, and must. */
  readonly differing: ReadonlySet<string>
}

/** A step whose name came before gets a number. */
export function addAnswer(answers: Map<string, string>, name: string, answer: string): void {
  let unique = name
  for (let count = 2; answers.has(unique); count++) unique = `${name} (${count})`
  answers.set(unique, answer)
}

/** The surprises, in words for a person. */
export function compareAnswers({ program, wanted, found, differing }: Comparison): string[] {
  const surprises: string[] = []
  for (const name of new Set([...wanted.keys(), ...found.keys()])) {
    const isEqual = wanted.get(name) === found.get(name)
    if (isEqual !== differing.has(name)) continue
    if (isEqual) surprises.push(`${program}: ${name} is equal: take it from the list`)
    else surprises.push(`${program}: ${name}\n  HBase: ${wanted.get(name)}\n  found: ${found.get(name)}`)
  }
  return surprises
}

/** The steps of the program that the file lists for the target; none without a file. */
export function expectedDifferences(file: string, program: string, target: string): Set<string> {
  if (!existsSync(file)) return new Set()
  const all = JSON.parse(readFileSync(file, 'utf8')) as ExpectedDifference[]
  const isMeant = (each: ExpectedDifference): boolean =>
    each.program === program && (each.target ?? target) === target
  return new Set(all.flatMap((each) => (isMeant(each) ? each.steps : [])))
}
