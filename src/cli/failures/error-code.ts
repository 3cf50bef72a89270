import { messageOf } from '../../model/message-of.ts'

/** The code of a system error or of an HBaseError; undefined for other errors. */
export function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException | undefined)?.code
}

export function firstLineOf(error: unknown): string {
  return messageOf(error).split('\n')[0]!
}
