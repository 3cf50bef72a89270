/** Feeds a session with lines until they end or the user says `exit`, with HBase's prompts. */

import { ExitRequest } from './output/shell-error.ts'
import { UnfinishedInput } from './ruby/syntax.ts'
import type { Session } from './session.ts'
import { FatalFailure } from './session.ts'

export interface LineSource {
  /** The next line; undefined: the lines have ended. Prints the prompt where a user can see it. */
  next(prompt: string): Promise<string | undefined>
}

const EXIT_FAILURE = 1

/**
 * Runs the lines. Resolves to the exit code; undefined where the lines ended without one. `print` gets the failures that end the session.
 * `isStrict`: lines that end within a command are a failure.
 */
export async function runLines(
  session: Session,
  source: LineSource,
  print: (text: string) => void,
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
      print(`ERROR the lines end within a command that begins in line ${first}\n`)
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
        print(`ERROR ${error instanceof FatalFailure ? error.message : String(error)}\n`)
        return EXIT_FAILURE
      }
      prompt = promptOf(number, error)
      continue
    }
    first = number
    prompt = promptOf(number, undefined)
  }
}

/** The prompt, as `hbase:001:0> `. The last number counts the open brackets, and within a string its quote replaces `>`. */
function promptOf(line: number, unfinished: UnfinishedInput | undefined): string {
  const sign = unfinished === undefined ? '>' : (unfinished.quote ?? '*')
  return `hbase:${String(line).padStart(3, '0')}:${unfinished?.depth ?? 0}${sign} `
}

/** The lines of a text or a pipe. `echo` prints prompts and lines as a terminal would show them; undefined: no echo. */
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
