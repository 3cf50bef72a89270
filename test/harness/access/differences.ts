/** Where Tidegate answers the matrix otherwise than HBase: it is stricter, or has nothing to refuse. */

import type { Matrix } from './ask-matrix.ts'
import { SUPERUSER, TABLE } from './people.ts'

/** What Tidegate answers to a person, by what HBase answers. */
type Differing = (person: string, recorded: Matrix) => string

const DIFFERENCES: Readonly<Record<string, Differing>> = {
  // HBase looks at the columns of an increment once the condition holds, and never at the condition's: anybody can guess values so.
  checkAndIncrement: (person, recorded) => recorded['checkAndPut']![person]!,
  // HBase does not look at conditions that are filters: who may write can guess values of what he may not read.
  'checkAndPut by a filter': (person, recorded) => {
    const answer = recorded['checkAndPut by a filter']![person]!
    const { [SUPERUSER]: everything, [person]: seen } = recorded['scan everything']!
    if (answer !== 'done' || seen === everything) return answer
    return `denied: Insufficient permissions for user '${person}' (table=${TABLE}, action=READ)`
  },
  // HBase answers nobody with a denial, and turns nothing for those who may not.
  balanceSwitch: (person, recorded) => recorded['splitSwitch']![person]!,
}

export function wantedOfTidegate(recorded: Matrix): Matrix {
  return Object.fromEntries(
    Object.entries(recorded).map(([operation, answers]) => {
      const differing = DIFFERENCES[operation]
      if (differing === undefined) return [operation, answers]
      const people = Object.keys(answers)
      return [operation, Object.fromEntries(people.map((person) => [person, differing(person, recorded)]))]
    }),
  )
}
