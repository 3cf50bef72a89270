/** Feeds a session with lines until they end or the user says `exit`, with HBase's prompts. */

import { ExitRequest } from './output/shell-error.ts'
import { UnfinishedInput } from './ruby/syntax.ts'
import type { Session } from './session.ts'
import { FatalFailure } from './session.ts'

export interface LineSource {
  /** Shows the prompt, where somebody sees it; undefined: the lines have ended. */
  next(prompt: string): Promise<string | undefined>
}

const EXIT_FAILURE = 1

/**
 * The exit code; undefined where the lines ended without one. `tell`: failures that end the session. `isStrict`: a command that the
 * lines leave unfinished is a failure.
 */
export async function runLines(
  session: Session,
  source: LineSource,
  tell: (text: string) => void,
  isStrict = false,
): Promise<number | undefined> {
  let number = 1
  let text = ''
  let first = number
  let prompt = promptOf(number, undefined)
  for (;;) {
    const line = await source.next(prompt)
    if (line === undefined) {
      if (!isStrict || text === '') return undefined
      tell(`ERROR the lines end within a command that begins in line ${first}\n`)
      return EXIT_FAILURE
    }
    number++
    text = text === '' ? line : `${text}\n${line}`
    try {
      await session.run(text, first)
      text = ''
    } catch (error) {
      if (error instanceof ExitRequest) return error.code
      if (!(error instanceof UnfinishedInput)) {
        tell(`ERROR ${error instanceof FatalFailure ? error.message : String(error)}\n`)
        return EXIT_FAILURE
      }
      prompt = promptOf(number, error)
      continue
    }
    first = number
    prompt = promptOf(number, undefined)
  }
}

/** `hbase:001:0> `; within a string its quote, within brackets how many are open. */
function promptOf(line: number, unfinished: UnfinishedInput | undefined): string {
  const sign = unfinished === undefined ? '>' : (unfinished.quote ?? '*')
  return `hbase:${String(line).padStart(3, '0')}:${unfinished?.depth ?? 0}${sign} `
}

/** Lines of a text or a pipe. `echo`: prints what a user would have seen on his terminal. */
export function pipedLines(
  lines: AsyncIterator<string, unknown>,
  echo: ((text: string) => void) | undefined,
): LineSource {
  return {
    next: async (prompt) => {
      const { value, done } = await lines.next()
      if (done === true) {
        echo?.(`${prompt}\n`)
        return undefined
      }
      echo?.(`${prompt}${value}\n`)
      return value
    },
  }
}
