import { isHBaseError } from '../../model/errors.ts'
import { StartError } from './start-error.ts'
import { UsageError } from './usage-error.ts'

const EXIT_FAILURE = 1
const EXIT_USAGE = 2

/** One line for a failure that the user can mend; a bug keeps its stack. */
export function describeFailure(error: unknown): string {
  if (isHBaseError(error) || error instanceof UsageError || error instanceof StartError) return error.message
  if (error instanceof Error) {
    const code = (error as NodeJS.ErrnoException).code
    return code === undefined ? (error.stack ?? error.message) : error.message
  }
  return String(error)
}

export function exitCodeOf(error: unknown): number {
  return error instanceof UsageError ? EXIT_USAGE : EXIT_FAILURE
}
