import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'

/** Sentences with these words leave out who does what: name the user, the client or the server, and write returns, reports, rejects, logs. */
const RIDDLES = /\b(?:told|untold|nobody|somebody|anybody|whoever|whatever)\b/i
const IN_NAMES = /(?:told|Told|TOLD)(?![a-z])|[a-z](?:Nobody|Somebody|Whoever|Whatever)/
/** A comment without a noun as its subject. */
const NO_SUBJECT = /^\s*(?:\/\/|#|\/?\*\*?)\s+(?:What|Who|Whose|Whoever|Those)\b/

/** Lines that must keep such a word, and why. */
const EXCEPTIONS: readonly { readonly line: RegExp; readonly reason: string }[] = [
  { line: /\bsystem-told-/, reason: 'the id of recorded cases, which never changes' },
  {
    line: /'[^']*\b(?:of|by) nobody'|'nobody puts'/,
    reason: 'the names of recorded cases, which never change',
  },
]

const files = execFileSync(
  'git',
  [
    'ls-files',
    '--cached',
    '--others',
    '--exclude-standard',
    'src',
    'adapters',
    'console',
    'docs',
    'conformance/src',
    'kits',
    'examples',
    'tools',
    'load',
    'compose.yaml',
    '*.md',
  ],
  { encoding: 'utf8' },
)
  .split('\n')
  .filter((file) => /\.(?:ts|js|mjs|css|html|md|yaml|yml|sh|py|rb|java|go)$/.test(file) && existsSync(file))
  .filter((file) => !file.startsWith('src/wire/rpc/gen/') && !file.includes('/recordings/'))

function linesThat(isWrong: (line: string) => boolean): string[] {
  return files.flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .flatMap((line, index) => {
        if (!isWrong(line) || EXCEPTIONS.some((exception) => exception.line.test(line))) return []
        return [`${file}:${index + 1} ${line.trim()}`]
      }),
  )
}

describe('the words', () => {
  test('of sources and documents name the actor', () => {
    expect(linesThat((line) => RIDDLES.test(line))).toEqual([])
  })

  test('in names say what they hold', () => {
    expect(linesThat((line) => IN_NAMES.test(line))).toEqual([])
  })

  test('of comments begin with a noun', () => {
    expect(linesThat((line) => NO_SUBJECT.test(line))).toEqual([])
  })
})
