import { readFileSync } from 'node:fs'
import { packageRoot } from '../../package-root.ts'

/** Ids of cases that a real HBase answers in more than one way; src/conformance/undecided.json gives the reasons. */
export function readUndecided(): readonly string[] {
  const file = new URL('src/conformance/undecided.json', packageRoot())
  const { cases } = JSON.parse(readFileSync(file, 'utf8')) as { cases: string[] }
  return cases
}
