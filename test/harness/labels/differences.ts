/** Where Tidegate answers otherwise than HBase, on purpose. */

import type { Answers } from './ask-questions.ts'

const DIFFERENCES: Answers = {}

export function wantedOfTidegate(recorded: Answers): Answers {
  return { ...recorded, ...DIFFERENCES }
}
