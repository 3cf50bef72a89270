/** Very many heads that move in steps: each may have to read a block. Runs may be replaced between two steps. */

import type { Steps } from '../../../src/model/steps.ts'
import { type RunHead, stepBack } from './run-head.ts'

const STEP_HEADS = 16

/** As RunHead.enter. */
export function enterInSteps(heads: readonly RunHead[]): Steps<void> {
  return inSteps(heads, () => undefined)
}

export function seekInSteps(heads: readonly RunHead[], key: Buffer, keyCell: number): Steps<void> {
  return inSteps(heads, (head) => {
    head.iterator.seek(key, keyCell)
    head.stand()
  })
}

/** As stepBack. */
export function* stepBackInSteps(heads: readonly RunHead[], row: Buffer): Steps<void> {
  yield* inSteps(heads, (head) => stepBack(head, row))
  for (const head of heads) head.enter()
}

function* inSteps(heads: readonly RunHead[], work: (head: RunHead) => void): Steps<void> {
  for (const [index, head] of heads.entries()) {
    if (index % STEP_HEADS === STEP_HEADS - 1) yield
    head.enter()
    work(head)
  }
}
