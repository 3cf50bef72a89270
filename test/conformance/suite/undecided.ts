import { readFileSync } from 'node:fs'
import { packageRoot } from '../../../src/cli/package-root.ts'

/** Ids of cases that a real HBase answers in more than one way; test/conformance/undecided.json says why. */
export function readUndecided(): readonly string[] {
  const file = new URL('test/conformance/undecided.json', packageRoot())
  const { cases } = JSON.parse(readFileSync(file, 'utf8')) as { cases: string[] }
  return cases
}
