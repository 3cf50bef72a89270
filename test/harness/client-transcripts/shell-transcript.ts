/** The output of HBase's shell, taken apart into commands and made the same for every run. */

import { type Answers, addAnswer } from './compare-answers.ts'

const PROMPT = /^hbase:\d+:\d+[>*"'] ?(.*)$/

/** What every command printed, without the time that it took, and without the stack of an error. */
export function answersOfShell(output: string): Answers {
  const answers = new Map<string, string>()
  let command: string | undefined
  let lines: string[] = []
  const end = (): void => {
    if (command !== undefined) addAnswer(answers, command, lines.join('\n         '))
    lines = []
  }
  // This shell names a name that is missing, and shows an example where arguments are wrong.
  const named = output
    .replaceAll(
      /^Traceback \(most recent call last\):\nN(?:ame|oMethod)Error \(undefined (?:local variable or )?method `(\w+)' for .*\)$/gm,
      'no such name: $1',
    )
    .replaceAll(/^ERROR: (\w+): there is no such .*$/gm, 'no such name: $1')
    .replaceAll(/^Usage: .*$/gm, '')
  // A command of a table's reference ends without a new line.
  const text = named.replaceAll(/^(Took [\d.]+ seconds)(?=\S)/gm, '$1\n')
  for (const line of text.split('\n')) {
    const prompted = PROMPT.exec(line)
    if (prompted !== null) {
      end()
      command = prompted[1]!
    } else if (!/^Took |^\tat |^\s*$/.test(line)) lines.push(steadyLine(line))
  }
  end()
  return answers
}

/** A line of `status 'detailed'` or `'simple'`; HBase leaves out the ratio where there are no files. */
function withoutFigures(line: string): string {
  if (!/\bnumberOfStores=/.test(line)) return line
  return line.replace(/ compressionRatio=[\d.]+,/, '').replaceAll(/=(?:-?[\d.]+|NaN|TIME)/g, '=N')
}

/** Times, ids, addresses and counts of requests differ from run to run, and the widths of columns with them. */
export function steadyLine(line: string): string {
  return withoutFigures(line)
    .replaceAll(/[0-9a-f]{32}/g, 'HASH')
    .replaceAll(/\b20\d\d-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?/g, 'DATE')
    .replaceAll(/\b1\d{12}\b/g, 'TIME')
    .replaceAll(/\b[\w.-]+,\d+,TIME(?!\.HASH)/g, 'SERVER')
    .replaceAll(/^\s+[\w.-]+:\d+\s+\{/g, ' ADDRESS {')
    .replaceAll(/(?<=^(?:active master:)?\s+)[\w.-]+:\d+ TIME$/g, 'ADDRESS TIME')
    .replaceAll(/^\s+(?!SOURCE|SINK)[\w.-]+:\s*$/g, ' HOST:')
    .replaceAll(/^Aggregate load: \d+/g, 'Aggregate load: N')
    .replaceAll(/value=[\w.-]+:\d+$/g, 'value=ADDRESS')
    .replaceAll(/#<.*?>/g, '#<ID>')
    .replaceAll(/\| +\d+ \|( +\S+ \|)$/g, '| REQUESTS |$1')
    .replaceAll(/-{2,}/g, '--')
    .replaceAll(/\s+/g, ' ')
    .trimEnd()
}
