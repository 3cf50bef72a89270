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
  for (const line of output.split('\n')) {
    const prompted = PROMPT.exec(line)
    if (prompted !== null) {
      end()
      command = prompted[1]!
    } else if (!/^Took |^\tat |^\s*$/.test(line)) lines.push(steadyLine(line))
  }
  end()
  return answers
}

/** Times, ids, addresses and counts of requests differ from run to run, and the widths of columns with them. */
export function steadyLine(line: string): string {
  return line
    .replaceAll(/[0-9a-f]{32}/g, 'HASH')
    .replaceAll(/\b20\d\d-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?/g, 'DATE')
    .replaceAll(/\b1\d{12}\b/g, 'TIME')
    .replaceAll(/\b[\w.-]+,\d+,TIME(?!\.HASH)/g, 'SERVER')
    .replaceAll(/^\s+[\w.-]+:\d+\s+\{/g, ' ADDRESS {')
    .replaceAll(/value=[\w.-]+:\d+$/g, 'value=ADDRESS')
    .replaceAll(/#<.*?>/g, '#<ID>')
    .replaceAll(/\| +\d+ \|( +\S+ \|)$/g, '| REQUESTS |$1')
    .replaceAll(/-{2,}/g, '--')
    .replaceAll(/\s+/g, ' ')
    .trimEnd()
}
